"""Answer requests with validated parameters: find the model and members, batch, and format as JSON."""

import asyncio
from collections.abc import Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

from isoalign._core.validate import suggest
from isoalign._core.version import VERSION
from isoalign.web._batching import Batcher, BusyError
from isoalign.web._dictionaries import DictionaryPair, DictionaryStore, Filter
from isoalign.web._limits import LIMITS, Limits
from isoalign.web._lookup import describe_words, find_neighbors, translate_words
from isoalign.web._models import Direction, MemberIndex, Model
from isoalign.web._parameters import RequestError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

__all__ = ["Service"]


class Service:
    """Answer from some models.

    Parameters
    ----------
    models
        Models; the first is the default of requests.
    max_rank
        Number of most frequent words of each member that induced dictionaries are restricted to.
    limits
        Largest sizes of requests.
    """

    def __init__(self, models: Sequence[Model], *, max_rank: int, limits: Limits = LIMITS) -> None:
        self._models = {model.name: model for model in models}
        self._first = models[0]
        self._limits = limits
        self._dictionaries = DictionaryStore(max_rank)
        self._batcher = Batcher(limits)
        self.ready = False

    @asynccontextmanager
    async def running(self) -> "AsyncIterator[None]":
        """Keep the worker threads while the block runs; models are prepared while the first requests are answered."""
        async with self._batcher:
            warming = asyncio.create_task(self._warm_up())
            try:
                yield
            finally:
                warming.cancel()
                self._dictionaries.thread.shutdown(wait=False, cancel_futures=True)

    async def _warm_up(self) -> None:
        for model in self._models.values():
            for prepare in model.preparations():  # one by one, so that requests are answered in between
                await self._batcher.run(prepare)
            await asyncio.gather(*(self._complete(model, member, "", 1) for member in model.members))
            for way in model.first_directions():
                if not way.is_prepared:
                    await self._run_slowly(way.prepare)
        self.ready = True

    async def list_models(self) -> dict[str, Any]:
        """Describe all models."""
        for model in self._models.values():
            if "examples" not in vars(model):
                await self._batcher.run(partial(getattr, model, "examples"))
        return {"models": [_describe(model) for model in self._models.values()], "version": VERSION}

    async def translate(
        self, *, model: str | None, member: str | None, to: str | None, word: str, k: int, confidence: bool
    ) -> dict[str, Any]:
        """Translate one word."""
        direction, spelled = self._locate_word(model, member, to, word)
        (found,) = await self._translate(translate_words, direction, k, confidence, words=[spelled])
        return {**direction.describe(), "word": word, "looked_up": spelled, **found}

    async def translate_all(
        self, *, model: str | None, member: str | None, to: str | None, words: list[str], k: int, confidence: bool
    ) -> dict[str, Any]:
        """Translate several words of one member; unknown ones have null for translations."""
        if any(not 0 < len(word) <= self._limits.word_length for word in words):
            raise RequestError(400, f"Every word must have 1 to {self._limits.word_length} characters.")
        chosen = self._model(model)
        ways = {name: _spell_all(chosen.members[name], words) for name in _eligible(chosen, member, to)}
        found_in = max(ways, key=lambda name: sum(spelled is not None for spelled in ways[name]))
        direction = Direction(chosen, found_in, to or chosen.next_member(found_in))
        known = [spelled for spelled in dict.fromkeys(ways[found_in]) if spelled is not None]
        asked = (translate_words, direction, k, confidence)
        found = dict(zip(known, await self._translate(*asked, words=known), strict=True))
        nothing = {"translations": None, "confidence": None}
        results = [
            {"word": word, "looked_up": spelled, **(nothing if spelled is None else found[spelled])}
            for word, spelled in zip(words, ways[found_in], strict=True)
        ]
        return {**direction.describe(), "results": results}

    async def translate_everywhere(self, *, model: str | None, member: str | None, word: str, k: int) -> dict[str, Any]:
        """Translate one word into every other member, unless that would take too long now."""
        found, word = self._locate_word(model, member, None, word)
        others = [name for name in found.model.members if name != found.member]
        ways = [Direction(found.model, found.member, name) for name in others]
        translations = await asyncio.gather(*(self._glance(way, word, k) for way in ways))
        languages = [{"member": name, "translations": some} for name, some in zip(others, translations, strict=True)]
        return {"model": found.model.name, "member": found.member, "word": word, "languages": languages}

    async def _glance(self, direction: Direction, word: str, k: int) -> list[Any] | None:
        try:
            asked = (translate_words, direction, k, False)
            (found,) = await self._translate(*asked, words=[word], wait=self._limits.glance)
        except RequestError:  # can only mean that the server is busy
            return None
        return list(found["translations"])

    async def neighbors(self, *, model: str | None, member: str | None, word: str, k: int) -> dict[str, Any]:
        """List the neighbours of a word in its own language."""
        found, word = self._locate_word(model, member, None, word)
        asked = (found.model, found.member, k)
        (rounds,) = await self._ask(find_neighbors, *asked, words=[word], size=self._limits.pages)
        return {"model": found.model.name, "member": found.member, "word": word, "rounds": rounds}

    async def describe(
        self, *, model: str | None, member: str | None, to: str | None, word: str, k: int
    ) -> dict[str, Any]:
        """Return everything that the page shows for a word."""
        direction, spelled = self._locate_word(model, member, to, word)
        (page,) = await self._translate(describe_words, direction, k, words=[spelled], size=self._limits.pages)
        members = direction.model.members
        row = int(members[direction.member].embeddings.find_rows([spelled])[0])
        return {
            **direction.describe(),
            "word": word,
            "looked_up": spelled,
            "known_in": [name for name, index in members.items() if index.knows(spelled)],
            "place": row + 1 if row >= 0 else None,
            **page,
        }

    async def complete(self, *, model: str | None, member: str | None, prefix: str, limit: int) -> dict[str, Any]:
        """Complete a prefix from the vocabulary of one member, or of all in turn."""
        chosen = self._model(model)
        found = [
            (place, name, row)
            for name in _eligible(chosen, member, None)
            for place, row in enumerate(await self._complete(chosen, name, prefix, limit))
        ]
        found.sort(key=lambda entry: entry[0])  # stable: the best of each member first
        words = [
            {"word": chosen.members[name].vocabulary[row], "member": name, "place": row + 1}
            for _, name, row in found[:limit]
        ]
        return {"model": chosen.name, "prefix": prefix, "words": words}

    async def pairs(
        self, *, model: str | None, member: str | None, to: str | None, mutual: bool, wanted: Filter
    ) -> tuple[Direction, list[DictionaryPair]]:
        """Return the pairs of an induced dictionary that pass a filter."""
        direction = self._locate(model, member, to)
        entries = await self._run_slowly(partial(self._dictionaries.get, direction, mutual))
        return direction, await self._run_slowly(partial(wanted.apply, entries))

    @property
    def max_rank(self) -> int:
        """Most frequent words of each member that a dictionary is restricted to."""
        return self._dictionaries.max_rank

    async def _translate(
        self, function: Any, direction: Direction, *arguments: Any, wait: float | None = None, **settings: Any
    ) -> list[Any]:
        if not direction.is_prepared:
            try:
                async with asyncio.timeout(self._limits.answer if wait is None else wait):
                    await self._run_slowly(direction.prepare)
            except TimeoutError:
                pair = f"{direction.member} and {direction.to}"
                raise RequestError(503, f"The CSLS means of {pair} are being computed. Try again later.") from None
        return await self._ask(function, direction, *arguments, **settings)

    async def _ask(self, function: Any, *arguments: Any, words: list[str], size: int | None = None) -> list[Any]:
        try:
            async with asyncio.timeout(self._limits.answer):
                return await self._batcher.submit(function, *arguments, words=words, size=size)
        except (BusyError, TimeoutError):
            raise RequestError(503, "The server is busy. Try again in a second.") from None

    async def _run_slowly(self, function: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._dictionaries.thread, function)

    async def _complete(self, model: Model, member: str, prefix: str, limit: int) -> list[int]:
        index = model.members[member]
        if "completion" not in vars(index):  # sorting a large vocabulary takes a while; a sorted one answers at once
            await self._run_slowly(partial(getattr, index, "completion"))
        return index.completion.complete(prefix, limit)

    def _model(self, name: str | None) -> Model:
        if name is None:
            return self._first
        if name not in self._models:
            raise RequestError(404, f"There is no model {name!r}. /api/models lists them.")
        return self._models[name]

    def _locate(self, model: str | None, member: str | None, to: str | None) -> Direction:
        """Return the direction of a request without a word."""
        chosen = self._model(model)
        found = _eligible(chosen, member, to)[0]
        return Direction(chosen, found, to or chosen.next_member(found))

    def _locate_word(self, model: str | None, member: str | None, to: str | None, word: str) -> tuple[Direction, str]:
        """Return the direction of a request, and its word as spelled in the vocabulary."""
        chosen = self._model(model)
        names = _eligible(chosen, member, to)
        known = {name: chosen.members[name].spell(word) for name in names}
        found = next((name for name in names if known[name] == word), None)
        found = found or next((name for name in names if known[name] is not None), None)
        if found is None:
            raise RequestError(
                404,
                f"{word!r} is not in the vocabulary of {' or '.join(names)}.",
                suggestions=_suggest_words(chosen, names, word),
            )
        return Direction(chosen, found, to or chosen.next_member(found)), known[found] or word


def _spell_all(index: MemberIndex, words: list[str]) -> list[str | None]:
    return [index.spell(word) for word in words]


def _eligible(model: Model, member: str | None, to: str | None) -> list[str]:
    """Return the members that the word of a request may belong to."""
    for name in (member, to):
        if name is not None and name not in model.members:
            known = f"Its members are {', '.join(model.members)}."
            advice = suggest(name, list(model.members))
            raise RequestError(404, f"The model {model.name!r} has no member {name!r}. {known}{advice}")
    if member is not None and member == to:
        raise RequestError(400, f"member and to must be different members. Got {to!r} twice.")
    return [name for name in model.members if name == member or (member is None and name != to)]


def _suggest_words(model: Model, names: list[str], word: str) -> list[dict[str, str]]:
    """Return the words with the longest prefix in common with an unknown word."""
    indexes = {name: model.members[name] for name in names}
    close = {name: index.completion.suggest(word, 5) for name, index in indexes.items() if "completion" in vars(index)}
    longest = max((length for length, _ in close.values()), default=0)
    return [
        {"word": text, "member": name} for name, (length, some) in close.items() if length == longest for text in some
    ]


def _describe(model: Model) -> dict[str, Any]:
    about = model.alignment.provenance
    return {
        "name": model.name,
        "method": about.get("method"),
        "normalize": about.get("normalize"),
        "members": [
            {
                "name": name,
                "lang": index.embeddings.lang,
                "words": len(index.embeddings),
                "dim": index.embeddings.vector_size,
                "examples": model.examples[name],
            }
            for name, index in model.members.items()
        ],
        "calibrations": [
            {
                "member": way.member,
                "to": way.to,
                "words": known.n,
                "levels": [{"level": level, **asdict(rate)} for level, rate in known.rates.items() if rate is not None],
            }
            for way in model.directions()
            if (known := way.calibration) is not None
        ],
        "credits": [
            {
                "what": credit.what,
                "licence": credit.licence,
                "homepage": credit.homepage,
                "acknowledgement": credit.acknowledgement,
            }
            for credit in model.credits
        ],
    }
