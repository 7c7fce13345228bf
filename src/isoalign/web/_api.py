"""The JSON interface: all endpoints with their parameters and the schemas of their responses."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from isoalign._core.version import VERSION
from isoalign.web._dictionaries import ORDERS, Filter, format_tsv
from isoalign.web._limits import LIMITS
from isoalign.web._parameters import Parameter, RequestError, read_parameters
from isoalign.web._service import Service

__all__ = ["ENDPOINTS", "Endpoint", "api_routes", "error_response"]

MODEL = Parameter("model", "Name of a model. Default: the first one.", maximum=LIMITS.word_length)
MEMBER = Parameter(
    "member", "Member that the word belongs to. Default: the first that knows it.", maximum=LIMITS.word_length
)
TO = Parameter("to", "Member to translate into. Default: the next in order, cyclically.", maximum=LIMITS.word_length)
WORD = Parameter("word", "A word.", required=True, minimum=1, maximum=LIMITS.word_length)
WORDS = Parameter("words", "Words of one language.", kind="words", required=True, minimum=1, maximum=LIMITS.words)
K = Parameter("k", "Maximum number of results.", kind="integer", default=10, minimum=1, maximum=LIMITS.k)
CONFIDENCE = Parameter(
    "confidence", "Also return the confidence of the best translation.", kind="boolean", default=False
)
PREFIX = Parameter("prefix", "Beginning of a word, in any case.", default="", maximum=LIMITS.word_length)
LIMIT = Parameter(
    "limit", "Maximum number of results.", kind="integer", default=10, minimum=1, maximum=LIMITS.completions
)
DICTIONARY = (
    MODEL,
    Parameter("member", "Member whose words are translated. Default: the first.", maximum=LIMITS.word_length),
    TO,
    Parameter("mutual", "Only pairs in which each word is the other's best.", kind="boolean", default=True),
    Parameter("contains", "Text within either word, in any case.", default="", maximum=LIMITS.word_length),
    Parameter("min_score", "Minimum CSLS score.", kind="number", minimum=-4, maximum=4),
    Parameter("sort", "Order; by score, the best first.", default="score", choices=ORDERS),
    Parameter("descending", "Reverse the order.", kind="boolean", default=False),
    Parameter("offset", "Pairs to skip; not for tsv.", kind="integer", default=0, minimum=0, maximum=10**8),
    Parameter(
        "limit", "Largest number of pairs; not for tsv.", kind="integer", default=50, minimum=1, maximum=LIMITS.pairs
    ),
    Parameter("format", "tsv returns all pairs as a file.", default="json", choices=("json", "tsv")),
)

Handler = Callable[[Any, dict[str, Any]], Awaitable[dict[str, Any] | Response]]


@dataclass(frozen=True)
class Endpoint:
    """One path and method.

    Attributes
    ----------
    path, method, about
        Path, HTTP method, and a description of the answer.
    parameters
        In the query of a GET, in the JSON body of a POST.
    answer
        Name of the schema of the answer.
    handle
        Called with the service, or None if there are no models, and the checked parameters.
    """

    path: str
    method: str
    about: str
    parameters: tuple[Parameter, ...]
    answer: str
    handle: Handler


async def _list_models(service: Service, _values: dict[str, Any]) -> dict[str, Any]:
    return await service.list_models()


async def _health(service: Service, _values: dict[str, Any]) -> dict[str, Any]:
    return {"status": "ok", "warm": service.ready, "version": VERSION}


async def _lexicon(service: Service, values: dict[str, Any]) -> dict[str, Any] | Response:
    wanted = Filter(**{name: values[name] for name in ("contains", "min_score", "sort", "descending")})
    where = {name: values[name] for name in ("model", "member", "to", "mutual")}
    direction, entries = await service.pairs(**where, wanted=wanted)
    if values["format"] == "tsv":
        body = await asyncio.to_thread(format_tsv, entries)
        headers = {"Content-Disposition": 'attachment; filename="dictionary.tsv"'}
        return Response(body, media_type="text/tab-separated-values; charset=utf-8", headers=headers)
    shown = entries[values["offset"] : values["offset"] + values["limit"]]
    return {
        **direction.describe(),
        "max_rank": service.max_rank,
        "total": len(entries),
        "offset": values["offset"],
        "pairs": [{"word": entry.word, "translation": entry.translation, "score": entry.score} for entry in shown],
    }


def _call(method: str) -> Handler:
    """Return a handler that passes the parameters to a method of the service."""

    async def handle(service: Service, values: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = await getattr(service, method)(**values)
        return answer

    return handle


_TRANSLATED = (MODEL, MEMBER, TO, WORD, K)
ENDPOINTS = (
    Endpoint("/health", "GET", "Whether the server is up, and whether its models are ready.", (), "Health", _health),
    Endpoint("/api/models", "GET", "The models, their members and their authors.", (), "Models", _list_models),
    Endpoint(
        "/api/translate",
        "GET",
        "Translations of a word by CSLS.",
        (*_TRANSLATED, CONFIDENCE),
        "Translations",
        _call("translate"),
    ),
    Endpoint(
        "/api/translate",
        "POST",
        "Translations of several words of one member, by default the one that knows most; null for unknown words.",
        (MODEL, MEMBER, TO, WORDS, K, CONFIDENCE),
        "ManyTranslations",
        _call("translate_all"),
    ),
    Endpoint(
        "/api/languages",
        "GET",
        "Translations of a word into every other member; null where CSLS means are still being computed.",
        (MODEL, MEMBER, WORD, K),
        "Languages",
        _call("translate_everywhere"),
    ),
    Endpoint(
        "/api/neighbors",
        "GET",
        "Neighbours in the word's own language by cosine, before normalisation and after each of its rounds.",
        (MODEL, MEMBER, WORD, K),
        "Neighbors",
        _call("neighbors"),
    ),
    Endpoint(
        "/api/word",
        "GET",
        "Everything that the page shows for a word: translations, neighbours, glosses, and a map of both languages.",
        _TRANSLATED,
        "Word",
        _call("describe"),
    ),
    Endpoint(
        "/api/complete",
        "GET",
        "Words that begin with a prefix, most frequent first; of all members unless one is named.",
        (MODEL, MEMBER, PREFIX, LIMIT),
        "Completions",
        _call("complete"),
    ),
    Endpoint("/api/lexicon", "GET", "The induced dictionary, filtered and sorted.", DICTIONARY, "Lexicon", _lexicon),
)
"""What is served with models."""


def api_routes(service: Service | None, endpoints: Sequence[Endpoint]) -> list[Route]:
    """Return the routes of endpoints."""
    return [
        Route(endpoint.path, partial(_answer, service, endpoint), methods=[endpoint.method]) for endpoint in endpoints
    ]


async def _answer(service: Service | None, endpoint: Endpoint, request: Request) -> Response:
    values: Any = dict(request.query_params)
    if endpoint.method == "POST":
        if values:
            raise RequestError(400, "Parameters of a POST belong in its JSON body.")
        values = _read_json(await request.body())
    answer = await endpoint.handle(service, read_parameters(values, endpoint.parameters))
    return answer if isinstance(answer, Response) else JSONResponse(answer)


def _read_json(body: bytes) -> dict[str, Any]:
    try:
        values = json.loads(body)
    except (ValueError, RecursionError):
        raise RequestError(400, "The body must be JSON in UTF-8.") from None
    if not isinstance(values, dict):
        raise RequestError(400, f"The body must be a JSON object. Got {type(values).__name__}.")
    return values


def error_response(status: int, message: str, **more: Any) -> JSONResponse:
    """Return an error as JSON."""
    headers = {"Retry-After": "1"} if status == 503 else {}
    return JSONResponse({"error": {"status": status, "message": message, **more}}, status, headers=headers)
