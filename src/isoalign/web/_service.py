"""Answer requests whose parameters are checked: find model and language, gather batches, shape the JSON."""

import asyncio
from collections.abc import Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from isoalign import __version__
from isoalign.web._batching import Batcher, BusyError
from isoalign.web._dictionaries import DictionaryStore, Entry, Filter
from isoalign.web._limits import LIMITS, Limits
from isoalign.web._lookup import describe_words, find_neighbors, translate_words
from isoalign.web._models import SIDES, Model
from isoalign.web._parameters import RequestError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

__all__ = ["Service"]


class Service:
    """The models and what answers from them.

    Parameters
    ----------
    models
        The first is the one meant by a request that names none.
    max_rank
        Words of each side in an induced dictionary.
    limits
        What requests may ask for.
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
        """Keep the worker threads while the block runs; the models warm up behind the first requests."""
        async with self._batcher:
            warming = asyncio.create_task(self._warm_up())
            try:
                yield
            finally:
                warming.cancel()
                self._dictionaries.thread.shutdown(wait=False, cancel_futures=True)

    async def _warm_up(self) -> None:
        for model in self._models.values():
            for prepare in model.preparations():  # one by one, so that requests come in between
                await self._batcher.run(prepare)
            await asyncio.gather(*(self._complete(model, side, "", 1) for side in SIDES))
        self.ready = True

    async def list_models(self) -> dict[str, Any]:
        """Describe all models."""
        for model in self._models.values():
            if "examples" not in vars(model):
                await self._batcher.run(partial(getattr, model, "examples"))
        return {"models": [_describe(model) for model in self._models.values()], "version": __version__}

    async def translate(self, *, model: str | None, side: str | None, word: str, k: int) -> dict[str, Any]:
        """Translate one word."""
        chosen, where = self._locate(model, side, word)
        (found,) = await self._ask(translate_words, chosen, where, k, words=[word])
        return {"model": chosen.name, "side": where, "word": word, "translations": found}

    async def translate_all(self, *, model: str | None, side: str | None, words: list[str], k: int) -> dict[str, Any]:
        """Translate many words; those that are not known have null for translations."""
        if any(not 0 < len(word) <= self._limits.word_length for word in words):
            raise RequestError(400, f"Every word must have 1 to {self._limits.word_length} characters.")
        chosen, where = self._model(model), side or "source"
        known = [word for word in dict.fromkeys(words) if chosen.sides[where].knows(word)]
        found = dict(zip(known, await self._ask(translate_words, chosen, where, k, words=known), strict=True))
        results = [{"word": word, "translations": found.get(word)} for word in words]
        return {"model": chosen.name, "side": where, "results": results}

    async def neighbors(self, *, model: str | None, side: str | None, word: str, k: int) -> dict[str, Any]:
        """List the neighbours of a word in its own language."""
        chosen, where = self._locate(model, side, word)
        (rounds,) = await self._ask(find_neighbors, chosen, where, k, words=[word], size=self._limits.pages)
        return {"model": chosen.name, "side": where, "word": word, "rounds": rounds}

    async def describe(self, *, model: str | None, side: str | None, word: str, k: int) -> dict[str, Any]:
        """Return all that the page shows of a word."""
        chosen, where = self._locate(model, side, word)
        (page,) = await self._ask(describe_words, chosen, where, k, words=[word], size=self._limits.pages)
        known = [name for name in SIDES if chosen.sides[name].knows(word)]
        row = int(chosen.sides[where].embeddings.find_rows([word])[0])
        return {
            "model": chosen.name,
            "side": where,
            "word": word,
            "known_in": known,
            "place": row + 1 if row >= 0 else None,
            **page,
        }

    async def complete(self, *, model: str | None, side: str | None, prefix: str, limit: int) -> dict[str, Any]:
        """Complete a prefix from one vocabulary, or from both."""
        chosen = self._model(model)
        sides = SIDES if side is None else (side,)
        found = [(row, name) for name in sides for row in await self._complete(chosen, name, prefix, limit)]
        if side is None:
            found = _interleave([[entry for entry in found if entry[1] == name] for name in sides])
        words = [
            {"word": chosen.sides[name].embeddings.vocabulary[row], "side": name, "place": row + 1}
            for row, name in found[:limit]
        ]
        return {"model": chosen.name, "prefix": prefix, "words": words}

    async def pairs(self, *, model: str | None, mutual: bool, wanted: Filter) -> tuple[Model, list[Entry]]:
        """Return the pairs of a model's dictionary that pass a filter."""
        chosen, thread = self._model(model), self._dictionaries.thread
        loop = asyncio.get_running_loop()
        entries = await loop.run_in_executor(thread, partial(self._dictionaries.get, chosen, mutual))
        return chosen, await loop.run_in_executor(thread, wanted.apply, entries)

    @property
    def max_rank(self) -> int:
        """Words of each side in a dictionary."""
        return self._dictionaries.max_rank

    async def _ask(self, function: Any, *arguments: Any, words: list[str], size: int | None = None) -> list[Any]:
        try:
            async with asyncio.timeout(self._limits.answer):
                return await self._batcher.submit(function, *arguments, words=words, size=size)
        except (BusyError, TimeoutError):
            raise RequestError(503, "The server is busy. Come back in a second.") from None

    async def _complete(self, model: Model, side: str, prefix: str, limit: int) -> list[int]:
        owner = model.sides[side]
        if "completion" not in vars(owner):  # sorting a large vocabulary takes a while; a sorted one answers at once
            await asyncio.get_running_loop().run_in_executor(self._dictionaries.thread, lambda: owner.completion)
        return owner.completion.complete(prefix, limit)

    def _model(self, name: str | None) -> Model:
        if name is None:
            return self._first
        if name not in self._models:
            raise RequestError(404, f"There is no model {name!r}. /api/models lists those there are.")
        return self._models[name]

    def _locate(self, name: str | None, side: str | None, word: str) -> tuple[Model, str]:
        """Return the model and the language of a word; without a side, the first that knows the word."""
        model = self._model(name)
        sides = SIDES if side is None else (side,)
        found = next((where for where in sides if model.sides[where].knows(word)), None)
        if found is not None:
            return model, found
        close = {
            where: model.sides[where].completion.suggest(word, 5)
            for where in sides
            if "completion" in vars(model.sides[where])
        }
        longest = max((length for length, _ in close.values()), default=0)
        suggestions = [
            {"word": text, "side": where}
            for where, (length, some) in close.items()
            if length == longest
            for text in some
        ]
        raise RequestError(404, f"{word!r} is not in the vocabulary.", suggestions=suggestions)


def _describe(model: Model) -> dict[str, Any]:
    about = model.alignment.provenance
    return {
        "name": model.name,
        "method": about.get("method"),
        "normalize": about.get("normalize"),
        **{
            name: {
                "lang": side.embeddings.lang,
                "words": len(side.embeddings),
                "dim": side.embeddings.vector_size,
                "examples": model.examples[name],
            }
            for name, side in model.sides.items()
        },
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


def _interleave(lists: list[list[tuple[int, str]]]) -> list[tuple[int, str]]:
    """Put the lists into one by the place of their entries, so that both languages are to be seen."""
    numbered = [(place, entry) for some in lists for place, entry in enumerate(some)]
    return [entry for _, entry in sorted(numbered, key=lambda item: item[0])]
