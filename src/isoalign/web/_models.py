"""The alignments that the server answers from."""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from isoalign._progress import Progress, ignore_progress
from isoalign._types import IntVector, Matrix, PathName
from isoalign.alignment import Alignment, align
from isoalign.datasets import Credit, load_sample
from isoalign.errors import ParameterError
from isoalign.translation import Translator
from isoalign.vectors import Embeddings
from isoalign.web._completion import CompletionIndex
from isoalign.web._rounds import Neighbors, Rounds

__all__ = ["OTHER_SIDE", "SIDES", "Model", "Side", "open_models", "open_sample"]

SIDES = ("source", "target")
OTHER_SIDE = {"source": "target", "target": "source"}

CSLS_K = 10
_EXAMPLES = 4
_CANDIDATES = 32
_FREQUENT = slice(200, 2000)


class Side:
    """One language of a model.

    Parameters
    ----------
    embeddings
        Before normalisation.
    normalizer
        What the alignment did to them.
    """

    def __init__(self, embeddings: Embeddings, normalizer: Any) -> None:
        self.embeddings = embeddings
        self.normalizer = normalizer

    @cached_property
    def completion(self) -> CompletionIndex:
        """The vocabulary, sorted."""
        return CompletionIndex(self.embeddings.vocabulary)

    @cached_property
    def _rounds(self) -> Rounds:
        return Rounds(np.ascontiguousarray(self.embeddings.vectors, dtype=np.float32), self.normalizer)

    def knows(self, word: str) -> bool:
        """Tell whether a word has a vector, be it made of subwords."""
        subwords = self.embeddings.subwords
        return word in self.embeddings or (subwords is not None and subwords.vector(word) is not None)

    def nearest(self, words: Sequence[str], k: int) -> list[list[Neighbors]]:
        """Return the neighbours of known words before normalisation and after each of its rounds."""
        rows: IntVector = self.embeddings.find_rows(words)
        Q: Matrix = np.stack([self.embeddings.get_vector(word) for word in words]).astype(np.float32)
        return self._rounds.nearest(Q, k, own_rows=rows)


class Model:
    """An alignment under the name by which requests ask for it.

    Parameters
    ----------
    name
        Shown to people; never a path.
    alignment
        With the vectors of both sides and with CSLS means.
    credits_
        Whose work the data is, to be acknowledged wherever it is shown.
    """

    def __init__(self, name: str, alignment: Alignment, *, credits_: Sequence[Credit] = ()) -> None:
        if alignment.means is None or alignment.means.k != CSLS_K:
            raise ParameterError(f"A served alignment must have CSLS means of k={CSLS_K}. Call compute_means first.")
        self.name = name
        self.alignment = alignment
        self.credits = tuple(credits_)
        self.translator = Translator(alignment)
        self.sides = {
            side: Side(alignment.embeddings(side), normalizer)
            for side, normalizer in zip(SIDES, alignment.normalizers, strict=True)
        }

    @cached_property
    def examples(self) -> dict[str, list[str]]:
        """A few words of each side to begin with: neither the very most frequent nor rare, clearly translated."""
        return {side: self._examples(side) for side in SIDES}

    def _examples(self, side: str) -> list[str]:
        vocabulary = self.alignment.embeddings(side).vocabulary
        words = list(vocabulary[_FREQUENT] if len(vocabulary) > _FREQUENT.stop else vocabulary)
        words = [word for word in words if word.isalpha() and len(word) > 1] or words
        words = words[:: max(1, len(words) // _CANDIDATES)]
        found = self.translator.translate(words, k=1, reverse=side == "target")
        clear = sorted(zip(words, found, strict=True), key=lambda pair: -pair[1][0].score)
        return [word for word, _ in clear[:_EXAMPLES]]

    def preparations(self) -> list[Callable[[], object]]:
        """Return, in parts, what the first requests would otherwise wait for."""
        words = {side: [self.alignment.embeddings(side).vocabulary[0]] for side in SIDES}
        return [
            *(partial(self.translator.translate, words[side], k=1, reverse=side == "target") for side in SIDES),
            partial(getattr, self, "examples"),
            *(partial(self.sides[side].nearest, words[side], 1) for side in SIDES),
        ]


def open_models(
    paths: Sequence[PathName],
    *,
    tell: Callable[[str], None] = lambda _message: None,
    progress: Progress = ignore_progress,
) -> list[Model]:
    """Open kept alignments by memory map, each under the name of its folder.

    Parameters
    ----------
    paths
        Folders that `Alignment.save` wrote with vectors.
    tell
        Hears, as a sentence, what takes long.
    progress
        Hears how far the CSLS means have come, where an alignment was kept without them.
    """
    models: list[Model] = []
    for path in paths:
        alignment = Alignment.load(path)
        for side in SIDES:
            alignment.embeddings(side)  # says what to do where it was kept without vectors
        if alignment.means is None or alignment.means.k != CSLS_K:
            tell(f"{path}: computing the CSLS means, once for this start; isoalign align --precompute keeps them.")
            alignment.compute_means(CSLS_K, progress=progress)
        models.append(Model(_free_name(Path(path).resolve().name, models), alignment))
    return models


def open_sample(*, progress: Progress = ignore_progress) -> Model:
    """Align the embedded sample: Iterative Normalization and a rotation, a second or two."""
    sample = load_sample()
    alignment = align(sample.source, sample.target, sample.train, method="iternorm-procrustes", progress=progress)
    alignment.compute_means(CSLS_K, progress=progress)
    return Model("sample", alignment, credits_=sample.about)


def _free_name(name: str, models: Sequence[Model]) -> str:
    taken = {model.name for model in models}
    candidates = (name if number == 1 else f"{name}-{number}" for number in range(1, len(models) + 2))
    return next(candidate for candidate in candidates if candidate not in taken)
