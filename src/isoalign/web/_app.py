"""Assemble the application: static files, the JSON interface with its description, and security checks."""

from collections.abc import Iterable, Sequence
from contextlib import asynccontextmanager, nullcontext
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from isoalign.web._api import ENDPOINTS, api_routes, error_response
from isoalign.web._drift import drift_endpoint, drift_pages
from isoalign.web._limits import LIMITS, Limits
from isoalign.web._models import Model
from isoalign.web._openapi import describe_api
from isoalign.web._parameters import RequestError
from isoalign.web._security import Guard
from isoalign.web._service import Service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from isoalign.drift import Drift

__all__ = ["make_app"]

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_HIDDEN_LINK = b'<a href="/drift" hidden'
_PAGES = {"index.html": "/", "api.html": "/api"}


def make_app(
    models: Sequence[Model],
    *,
    drift: "Sequence[Drift]" = (),
    token: str | None = None,
    hosts: Iterable[str] | None = None,
    max_rank: int = 10_000,
    limits: Limits = LIMITS,
) -> ASGIApp:
    """Return the ASGI application.

    Parameters
    ----------
    models
        Models; the first is the default of requests. May be empty if ``drift`` is given.
    drift
        Change of meaning to show at ``/drift``: results of `measure_drift`, or steps of `measure_drifts`.
    token
        Required of requests for data, as ``Authorization: Bearer …``.
    hosts
        Names by which the server may be addressed; None for any.
    max_rank
        Number of most frequent words of each member that induced dictionaries are restricted to.
    limits
        Largest sizes of requests.
    """
    service = Service(models, max_rank=max_rank, limits=limits) if models else None

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> "AsyncIterator[None]":
        async with nullcontext() if service is None else service.running():
            yield

    endpoints = [] if service is None else [*ENDPOINTS]
    routes = []
    if drift:
        endpoints.append(drift_endpoint(drift, home=service is not None))
        routes += drift_pages(alone=service is None)
    description = partial(_give_json, describe_api(endpoints))
    routes += _page_routes(with_drift=bool(drift)) + api_routes(service, endpoints)
    routes.append(Route("/api/openapi.json", description, methods=["GET"]))
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={RequestError: _tell_request, HTTPException: _tell_http, Exception: _tell_nothing},
    )
    app.router.redirect_slashes = False  # a redirect would repeat the Host header of the client
    return Guard(app, token=token, hosts=hosts, limits=limits)


def _page_routes(*, with_drift: bool) -> list[Route]:
    """Return one route per file of the page; the files are read now, so no request reaches the file system."""
    routes = []
    for file in files("isoalign.web").joinpath("page").iterdir():
        kind = _TYPES.get("." + file.name.rpartition(".")[2])
        if kind is not None:
            path = _PAGES.get(file.name, f"/{file.name}")
            content = file.read_bytes()
            if with_drift:
                content = content.replace(_HIDDEN_LINK, _HIDDEN_LINK.removesuffix(b" hidden"))
            routes.append(Route(path, partial(_give_file, content, kind), methods=["GET"]))
    return routes


async def _give_file(content: bytes, kind: str, _request: Request) -> Response:
    return Response(content, headers={"Content-Type": kind})


async def _give_json(values: dict[str, Any], _request: Request) -> Response:
    return JSONResponse(values)


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
