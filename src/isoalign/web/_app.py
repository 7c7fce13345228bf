"""Assemble the application: the files of the page, the JSON interface, its description, the guard."""

from collections.abc import Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from isoalign.web._api import api_routes, error_response
from isoalign.web._limits import LIMITS, Limits
from isoalign.web._models import Model
from isoalign.web._openapi import describe_api
from isoalign.web._parameters import RequestError
from isoalign.web._security import Guard
from isoalign.web._service import Service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

__all__ = ["make_app"]

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_PAGES = {"index.html": "/", "api.html": "/api"}


def make_app(
    models: Sequence[Model],
    *,
    token: str | None = None,
    hosts: Iterable[str] | None = None,
    max_rank: int = 10_000,
    limits: Limits = LIMITS,
) -> ASGIApp:
    """Return the ASGI application.

    Parameters
    ----------
    models
        At least one; the first answers requests that name none.
    token
        Required of requests for data, as ``Authorization: Bearer …``.
    hosts
        Names by which the server may be addressed; None for any.
    max_rank
        Most frequent words of each member that an induced dictionary is restricted to.
    limits
        Largest sizes of requests.
    """
    service = Service(models, max_rank=max_rank, limits=limits)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> "AsyncIterator[None]":
        async with service.running():
            yield

    app = Starlette(
        routes=[*_page_routes(), *api_routes(service), Route("/api/openapi.json", _describe_api, methods=["GET"])],
        lifespan=lifespan,
        exception_handlers={RequestError: _tell_request, HTTPException: _tell_http, Exception: _tell_nothing},
    )
    app.router.redirect_slashes = False  # a redirect would repeat the Host header of whoever asks
    return Guard(app, token=token, hosts=hosts, limits=limits)


def _page_routes() -> list[Route]:
    """Return one route per file of the page; the files are read now, so no request reaches the file system."""
    routes = []
    for file in files("isoalign.web").joinpath("page").iterdir():
        kind = _TYPES.get("." + file.name.rpartition(".")[2])
        if kind is not None:
            path = _PAGES.get(file.name, f"/{file.name}")
            routes.append(Route(path, partial(_give_file, file.read_bytes(), kind), methods=["GET"]))
    return routes


async def _give_file(content: bytes, kind: str, _request: Request) -> Response:
    return Response(content, headers={"Content-Type": kind})


async def _describe_api(_request: Request) -> Response:
    return JSONResponse(describe_api())


async def _tell_request(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestError)
    return error_response(error.status, error.message, **error.more)


async def _tell_http(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return error_response(
        error.status_code,
        {404: "There is nothing here.", 405: "This method is not allowed here."}.get(error.status_code, error.detail),
    )


async def _tell_nothing(_request: Request, _error: Exception) -> Response:
    return error_response(500, "Internal error. See the log of the server.")
