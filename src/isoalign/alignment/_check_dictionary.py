r"""Find pairs of a dictionary that look like mistakes.

Each pair is checked by maps that never saw its source word, and compared with random pairs of words: how close the two
words are, how many words are closer on either side, and how close the other translations of the same word are. A
logistic regression, fitted to the dictionary and to random pairs, weights these features.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.display import Tabular
from isoalign._core.logistic import fit_logistic
from isoalign._core.progress import Progress, ProgressLike, as_progress, ignore_progress
from isoalign._core.types import DoubleVector, IntVector, Matrix, RowPairs
from isoalign._core.validate import check_count, check_matrix
from isoalign.alignment._cross_fit import cross_fit
from isoalign.alignment._given import read_sides
from isoalign.alignment._problem import Problem
from isoalign.alignment._registry import as_aligner
from isoalign.errors import InvalidValueError
from isoalign.io import EmbeddingsLike, LexiconLike, given_lexicon
from isoalign.neighbors import CSLS
from isoalign.normalization import DEFAULT_NORMALIZATION
from isoalign.normalization import normalize as normalize_embeddings
from isoalign.vectors import Embeddings

__all__ = ["DictionaryCheck", "Suspect", "check_dictionary"]

_METHODS = ("geomm", "vecmap")
_N_SUGGESTIONS = 3


@dataclass(frozen=True)
class Suspect:
    """One pair of a dictionary, with features from maps that never saw its source word.

    Attributes
    ----------
    source, target
        The pair.
    suspicion
        From 0 to 1: how much the pair looks like two words drawn at random rather than like the rest of the
        dictionary.
    rank, reverse_rank
        Rank of the target among the candidates of the source, and of the source among those of the target.
    suggestions
        Translations suggested by the maps, best first.
    """

    source: str
    target: str
    suspicion: float
    rank: int
    reverse_rank: int
    suggestions: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class DictionaryCheck(Tabular):
    """All known pairs of a dictionary, the most suspicious first.

    Attributes
    ----------
    suspects
        Every pair with both words in the vocabularies.
    n_pairs
        Number of pairs of the dictionary, including unknown words.
    """

    suspects: tuple[Suspect, ...]
    n_pairs: int

    columns: ClassVar = ("source", "target", "suspicion", "rank", "reverse_rank", "suggestions")

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per known pair, by column."""
        return [{**vars(one), "suggestions": " ".join(one.suggestions)} for one in self.suspects]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return asdict(self)

    def __repr__(self) -> str:
        first = ", ".join(f"{one.source} – {one.target} {one.suspicion:.2f}" for one in self.suspects[:3])
        return f"DictionaryCheck({len(self.suspects):,} of {self.n_pairs:,} pairs known; most suspicious: {first})"


def check_dictionary(
    source: EmbeddingsLike,
    target: EmbeddingsLike,
    lexicon: LexiconLike,
    *,
    normalize: str = DEFAULT_NORMALIZATION,
    n_folds: int = 5,
    random_state: int = 0,
    progress: ProgressLike = ignore_progress,
) -> DictionaryCheck:
    """Rank the pairs of a dictionary by how much they look like mistakes.

    Parameters
    ----------
    source, target
        Embeddings of both languages, or files.
    lexicon
        The dictionary, or a file; about a hundred pairs or more are needed for meaningful maps.
    normalize
        As in `align`.
    n_folds
        Number of folds of the source words; each is checked by maps learned from the others.
    random_state
        Seed of the folds and of the random pairs.
    progress
        Progress callback; True draws a bar.

    Examples
    --------
    >>> found = check_dictionary(en, ja, lexicon)  # doctest: +SKIP
    >>> found.suspects[0]  # doctest: +SKIP
    """
    progress = as_progress(progress)
    sides, words = read_sides(source, target, progress), given_lexicon(lexicon)
    pairs = np.unique(words.row_pairs(*sides), axis=0)
    check_count(n_folds, name="n_folds", minimum=2)
    if len(np.unique(pairs[:, 0])) < 2 * n_folds:
        raise InvalidValueError(
            f"Checking a dictionary in {n_folds} parts needs at least {2 * n_folds} source words whose pairs are in "
            f"the vocabularies. Got {len(np.unique(pairs[:, 0]))}."
        )
    normalized = (normalize_embeddings(side, normalize, progress=progress) for side in sides)
    X, Y = (check_matrix(side.vectors, finite=False) for side in normalized)
    problem = Problem(X, Y, pairs, random_state=random_state)
    rng = np.random.default_rng(random_state)
    decoys = np.stack([pairs[:, 0], rng.integers(len(Y), size=len(pairs))], axis=1)
    looks = [_look(problem, decoys, method, n_folds, progress) for method in _METHODS]
    own, random = (
        np.column_stack([*features, _siblings(Y, pairs, some), _siblings(X, pairs[:, ::-1], some[:, ::-1])])
        for features, some in (
            ([look.own for look in looks], pairs),
            ([look.random for look in looks], decoys),
        )
    )
    suspicion = 1 - fit_logistic(own, random).probability(own)
    return DictionaryCheck(tuple(_describe(sides, pairs, suspicion, looks[-1])), len(words))


class _Look(NamedTuple):
    """Features of pairs under maps that never saw their source words.

    Attributes
    ----------
    own, random
        Cosine and logarithm of both ranks, of the pairs and of random pairs in their place, (p, 3).
    ranks
        Rank of the target for the source, and of the source for the target, (p, 2).
    suggested
        Rows of the best targets of every source, (p, k).
    """

    own: NDArray[np.float64]
    random: NDArray[np.float64]
    ranks: IntVector
    suggested: IntVector


def _look(problem: Problem, decoys: RowPairs, method: str, n_folds: int, progress: Progress) -> _Look:
    """Compute the features of all pairs and random pairs with the maps of one method, fold by fold."""
    pairs = problem.known_pairs
    n = len(pairs)
    look = _Look(np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 2), int), np.empty((n, _N_SUGGESTIONS + 1), int))
    for maps, held_out in cross_fit(problem, as_aligner(method, default=""), n_folds=n_folds, progress=progress):
        S, T = maps.spaces(problem.X, problem.Y)
        back, sources = maps.reverse().spaces(problem.Y, problem.X)
        forward, backward = CSLS().fit(T, S), CSLS().fit(sources, back)
        for features, some in ((look.random, decoys), (look.own, pairs)):
            a, b = some[held_out].T
            ranks = np.stack([forward.rank_targets(S[a], b), backward.rank_targets(back[b], a)], axis=1)
            features[held_out] = np.column_stack([np.einsum("ij,ij->i", S[a], T[b]), np.log(ranks)])
        look.ranks[held_out] = ranks
        look.suggested[held_out] = forward.kneighbors(S[a], look.suggested.shape[1])[1]
    return look


def _siblings(Y: Matrix, pairs: RowPairs, asked: RowPairs) -> NDArray[np.float64]:
    """Return the cosine of targets to the nearest other translation of their source, and whether there is one, (p, 2).

    Parameters
    ----------
    Y
        Target space.
    pairs
        The dictionary.
    asked
        The pairs to score, each in place of a pair of the dictionary, which is then ignored.
    """
    order = np.argsort(pairs[:, 0], kind="stable")
    starts, stops = (np.searchsorted(pairs[order, 0], asked[:, 0], side=side) for side in ("left", "right"))
    found = np.zeros((len(asked), 2))
    for row, (start, stop, target) in enumerate(zip(starts, stops, asked[:, 1], strict=True)):
        others = [pairs[place, 1] for place in order[start:stop] if place != row]
        if others:
            found[row] = (Y[others] @ Y[target]).max(), 1
    return found


def _describe(
    sides: tuple[Embeddings, Embeddings], pairs: RowPairs, suspicion: DoubleVector, look: _Look
) -> Iterable[Suspect]:
    sources, targets = (side.index_to_key for side in sides)
    order: IntVector = np.argsort(-suspicion, kind="stable")
    for row in order.tolist():
        rank, reverse_rank = look.ranks[row].tolist()
        others = [place for place in look.suggested[row].tolist() if place != pairs[row, 1]]
        yield Suspect(
            sources[pairs[row, 0]],
            targets[pairs[row, 1]],
            float(suspicion[row]),
            rank,
            reverse_rank,
            tuple(targets[place] for place in others[:_N_SUGGESTIONS]),
        )
