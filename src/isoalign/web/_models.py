"""The alignments that the server uses."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import permutations
from pathlib import Path

import numpy as np

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import Matrix, PathName
from isoalign.alignment import Alignment, Member, Pair, align
from isoalign.datasets import Credit, load_sample
from isoalign.errors import ParameterError
from isoalign.normalization import NearestRows, RoundSearch
from isoalign.translation import Calibration, Translator, read_calibration
from isoalign.web._completion import CompletionIndex

__all__ = ["Direction", "MemberIndex", "Model", "open_models", "open_sample"]

CSLS_K = 10
MOST_PRODUCTS = 5 * 10**8
"""Largest product of two vocabularies whose CSLS means are all computed, which takes a few seconds."""
_EXAMPLES = 4
_CANDIDATES = 32
_FREQUENT = slice(200, 2000)


class MemberIndex:
    """Index for looking up words of one member of an alignment.

    Parameters
    ----------
    member
        With vectors of words.
    """

    def __init__(self, member: Member) -> None:
        self.embeddings = member.raw
        self.vocabulary = member.raw.vocabulary
        self._normalizer = member.normalizer

    @cached_property
    def completion(self) -> CompletionIndex:
        """The vocabulary, sorted."""
        return CompletionIndex(self.vocabulary)

    @cached_property
    def _rounds(self) -> RoundSearch:
        return RoundSearch(np.ascontiguousarray(self.embeddings.vectors, dtype=np.float32), self._normalizer)

    def knows(self, word: str) -> bool:
        """Return whether a word has a vector, in the vocabulary or from subwords."""
        subwords = self.embeddings.subwords
        return word in self.embeddings or (subwords is not None and subwords.vector(word) is not None)

    def spell(self, word: str) -> str | None:
        """Return a word as the vocabulary spells it, which may be in another case; None if it is unknown."""
        spelled = str(self.embeddings.find_spelling(word))
        return spelled if self.knows(spelled) else None

    def nearest(self, words: Sequence[str], k: int) -> list[list[NearestRows]]:
        """Return the neighbours of known words before normalisation and after each of its rounds."""
        Q: Matrix = np.stack([self.embeddings.get_vector(word) for word in words]).astype(np.float32)
        return self._rounds.nearest(Q, k, own_rows=self.embeddings.find_rows(words))

    def frequent_words(self) -> list[str]:
        """Return some words that are neither among the most frequent nor rare."""
        words = list(self.vocabulary[_FREQUENT] if len(self.vocabulary) > _FREQUENT.stop else self.vocabulary)
        words = [word for word in words if word.isalpha() and len(word) > 1] or words
        return words[:: max(1, len(words) // _CANDIDATES)]


class Model:
    """An alignment with the name that requests use.

    Parameters
    ----------
    name
        Shown to people; never a path.
    alignment
        Two or more members with their vectors, and the CSLS means of the first two unless these are large. Means of
        other pairs are computed when they are first needed.
    credits_
        Authors of the data, to be acknowledged wherever it is shown.
    most_products
        Largest number of word pairs of two members for which all means are computed. In larger ones, each search
        computes those that it needs: the same answers, and the server opens at once.
    """

    def __init__(
        self,
        name: str,
        alignment: Alignment,
        *,
        credits_: Sequence[Credit] = (),
        most_products: int = MOST_PRODUCTS,
    ) -> None:
        self.name = name
        self.alignment = alignment
        self.credits = tuple(credits_)
        self.most_products = most_products
        self.begun: set[tuple[str, str]] = set()
        self.members = {member.name: MemberIndex(member) for member in alignment.members}
        self._translators: dict[tuple[str, str], Translator] = {}
        if not all(direction.is_prepared or direction.is_large for direction in self.first_directions()):
            raise ParameterError(f"A served alignment must have CSLS means of k={CSLS_K}. Call compute_means first.")

    def next_member(self, name: str) -> str:
        """Return the member after this one; after the last comes the first."""
        names = self.alignment.names
        return names[(names.index(name) + 1) % len(names)]

    def directions(self) -> list["Direction"]:
        """Return all directions, in the order of the members."""
        return [Direction(self, member, to) for member, to in permutations(self.members, 2)]

    def first_directions(self) -> list["Direction"]:
        """Return the directions between the first two members."""
        first, second = self.alignment.names[:2]
        return [Direction(self, first, second), Direction(self, second, first)]

    def translator(self, member: str, to: str) -> Translator:
        """Return the translator from one member into another; the same one at every call."""
        if (member, to) not in self._translators:
            self._translators[member, to] = Translator(self.alignment, source=member, target=to)
        return self._translators[member, to]

    @cached_property
    def examples(self) -> dict[str, list[str]]:
        """A few words of each member to start with, those with the clearest translations."""
        return {name: self._choose_examples(name) for name in self.members}

    def _choose_examples(self, name: str) -> list[str]:
        words, direction = self.members[name].frequent_words(), Direction(self, name, self.next_member(name))
        retrieval = "csls" if direction.is_prepared else "nn"  # do not compute means for minutes just for examples
        found = direction.translator.translate(words, k=1, retrieval=retrieval)
        clear = sorted(zip(words, found, strict=True), key=lambda pair: -pair[1][0].score)
        return [word for word, _ in clear[:_EXAMPLES]]

    def preparations(self) -> list[Callable[[], object]]:
        """Return, in parts, the work that the first requests would otherwise wait for."""
        firsts = {name: [index.vocabulary[0]] for name, index in self.members.items()}
        return [
            *(
                partial(way.translator.translate, firsts[way.member], k=1)
                for way in self.first_directions()
                if way.is_prepared
            ),
            partial(getattr, self, "examples"),
            *(partial(index.nearest, firsts[name], 1) for name, index in self.members.items()),
        ]


@dataclass(frozen=True)
class Direction:
    """A member of a model and the member that its words are translated into.

    Attributes
    ----------
    model
        The model.
    member, to
        Names of two of its members.
    """

    model: Model
    member: str
    to: str

    @property
    def pair(self) -> Pair:
        """The two members as source and target."""
        return self.model.alignment.pair(self.member, self.to)

    @property
    def translator(self) -> Translator:
        """The translator of this direction."""
        return self.model.translator(self.member, self.to)

    @property
    def calibration(self) -> Calibration | None:
        """Calibration of its translations, if available."""
        return read_calibration(self.pair)

    def reverse(self) -> "Direction":
        """Return the reverse direction."""
        return Direction(self.model, self.to, self.member)

    @property
    def is_large(self) -> bool:
        """Whether its words are too many for all CSLS means to be computed here."""
        return _count_products(self.pair) > self.model.most_products

    @property
    def has_means(self) -> bool:
        """Whether all CSLS means of this direction are known."""
        return self.pair.means(CSLS_K) is not None

    @property
    def is_prepared(self) -> bool:
        """Whether the CSLS means of this direction are known, or are bounded so that a search computes few of them."""
        return self.has_means or (self.member, self.to) in self.model.begun

    def prepare(self) -> None:
        """Compute the CSLS means of both directions, or for large ones their bounds, unless they are known."""
        if not self.is_large:
            self.model.alignment.compute_means(self.member, self.to, k=CSLS_K)
            return
        for way in (self, self.reverse()):
            if not way.is_prepared:
                way.translator.translate(way.model.members[way.member].vocabulary[0], k=1)  # the bounds are kept
                way.model.begun.add((way.member, way.to))

    def describe(self) -> dict[str, str]:
        """Return the names as JSON values."""
        return {"model": self.model.name, "member": self.member, "to": self.to}


def open_models(
    paths: Sequence[PathName],
    *,
    tell: Callable[[str], None] = lambda _message: None,
    progress: Progress = ignore_progress,
) -> list[Model]:
    """Open saved alignments, memory-mapped and named after their folders.

    Parameters
    ----------
    paths
        Folders written by `Alignment.save`, with vectors.
    tell
        Called with a sentence before a slow step.
    progress
        Progress callback.
    """
    models: list[Model] = []
    for path in paths:
        alignment = Alignment.load(path)
        for name in alignment:
            alignment.raw(name)  # raises an error if the alignment was saved without vectors
        pair = alignment.pair(*alignment.names[:2])
        is_small = _count_products(pair) <= MOST_PRODUCTS
        if is_small and any(way.means(CSLS_K) is None for way in (pair, pair.reverse())):
            tell(f"{path}: computing the CSLS means; isoalign align --precompute saves them.")
            alignment.compute_means(*pair.names, k=CSLS_K, progress=progress)
        models.append(Model(_free_name(Path(path).resolve().name, models), alignment))
    return models


def open_sample(*, progress: Progress = ignore_progress) -> Model:
    """Align the embedded sample: Iterative Normalization and a rotation, a few seconds with the calibration."""
    from isoalign.evaluation import calibrate  # nothing else that is served needs it

    sample = load_sample()
    alignment = align(sample.source, sample.target, sample.train, method="iternorm-procrustes", progress=progress)
    calibrate(alignment, sample.train, progress=progress)
    alignment.compute_means(k=CSLS_K, progress=progress)
    return Model("sample", alignment, credits_=sample.about)


def _count_products(pair: Pair) -> int:
    return len(pair.source.raw) * len(pair.target.raw)


def _free_name(name: str, models: Sequence[Model]) -> str:
    taken = {model.name for model in models}
    candidates = (name if number == 1 else f"{name}-{number}" for number in range(1, len(models) + 2))
    return next(candidate for candidate in candidates if candidate not in taken)
