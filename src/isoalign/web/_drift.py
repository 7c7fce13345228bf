"""The view of change of meaning: its page, and its words as JSON."""

from collections.abc import Sequence
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from isoalign.web._api import Endpoint
from isoalign.web._limits import LIMITS
from isoalign.web._parameters import Parameter, RequestError

if TYPE_CHECKING:
    from isoalign.drift import Drift, WordDrift

__all__ = ["drift_endpoint", "drift_pages"]

_LEVEL = 0.05
_FILES = {
    "drift.html": "text/html; charset=utf-8",
    "drift.js": "text/javascript; charset=utf-8",
    "drift.css": "text/css; charset=utf-8",
}
_PARAMETERS = (
    Parameter("step", "Number of a step, from 0.", kind="integer", default=0, minimum=0, maximum=10**4),
    Parameter("measure", "Number of a measure, from 0.", kind="integer", default=0, minimum=0, maximum=10),
    Parameter("contains", "Text within the word, in any case.", default="", maximum=LIMITS.word_length),
    Parameter("max_q", "Largest false-discovery rate.", kind="number", default=1, minimum=0, maximum=1),
    Parameter("offset", "Words to skip.", kind="integer", default=0, minimum=0, maximum=10**8),
    Parameter("limit", "Largest number of words.", kind="integer", default=50, minimum=1, maximum=LIMITS.pairs),
)


def drift_pages(*, alone: bool) -> list[Route]:
    """Return the routes of ``/drift`` and its files.

    Parameters
    ----------
    alone
        Whether nothing else is served, so that the view is also the home page.
    """
    folder = files("isoalign.web") / "drift"
    contents = {name: (folder / name).read_bytes() for name in _FILES}
    places = {"drift.html": ["/drift", *(["/"] if alone else [])]}
    return [
        Route(path, partial(_give, contents[name], kind), methods=["GET"])
        for name, kind in _FILES.items()
        for path in places.get(name, [f"/{name}"])
    ]


def drift_endpoint(steps: "Sequence[Drift]" = (), *, home: bool = True) -> Endpoint:
    """Return ``/api/drift``.

    Parameters
    ----------
    steps
        Results of `measure_drift`, or the steps of `measure_drifts`.
    home
        Whether models are served too, so that there is a first page to go back to.
    """
    about = "Words that changed their meaning, most evident first, with their neighbours then and now."
    return Endpoint("/api/drift", "GET", about, _PARAMETERS, "Drift", _View(steps, home=home).answer)


async def _give(content: bytes, kind: str, _request: Request) -> Response:
    return Response(content, headers={"Content-Type": kind})


class _View:
    """Answer questions about some steps; words are ordered once for every measure."""

    def __init__(self, steps: "Sequence[Drift]", *, home: bool) -> None:
        self._steps, self._home = list(steps), home
        self._ordered = cache(self._order)

    def _order(self, step: int, name: str) -> "list[WordDrift]":
        return sorted(self._steps[step].words, key=lambda word: -word.evidence[name].z)

    async def answer(self, _service: object, values: dict[str, Any]) -> dict[str, Any]:
        """Return one page of words."""
        if values["step"] >= len(self._steps):
            raise RequestError(404, f"There are {len(self._steps)} steps, from 0. Got {values['step']}.")
        step = self._steps[values["step"]]
        if values["measure"] >= len(step.measures):
            raise RequestError(404, f"There are {len(step.measures)} measures, from 0. Got {values['measure']}.")
        name, part = step.measures[values["measure"]], values["contains"].casefold()
        words = [
            word
            for word in self._ordered(values["step"], name)
            if word.evidence[name].q <= values["max_q"] and part in str(word.word).casefold()
        ]
        shown = words[values["offset"] : values["offset"] + values["limit"]]
        return {
            "home": self._home,
            "steps": [{"old": one.old, "new": one.new, "words": len(one.words)} for one in self._steps],
            "step": values["step"],
            "measures": list(step.measures),
            "measure": values["measure"],
            "changed": len(step.changed(q=_LEVEL, measure=name)),
            "total": len(words),
            "offset": values["offset"],
            "words": [_describe(word, name) for word in shown],
        }


def _describe(word: "WordDrift", measure: str) -> dict[str, Any]:
    found = word.evidence[measure]
    return {
        "word": str(word.word),
        "rank_then": word.rank_then,
        "rank_now": word.rank_now,
        "distance": found.distance,
        "z": found.z,
        "q": found.q,
        "then": [str(neighbor) for neighbor in word.then],
        "now": [str(neighbor) for neighbor in word.now],
    }
