"""How alike two spaces are in shape, before and after normalisation or alignment."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from isoalign._arrays import unit_rows
from isoalign._progress import Progress, ignore_progress
from isoalign._types import Matrix, RowPairs
from isoalign._validate import check_count
from isoalign.alignment import Alignment
from isoalign.errors import InvalidValueError, ParameterError
from isoalign.evaluation._conditions import Conditions, check_conditions
from isoalign.evaluation._eigenvalues import eigenvector_similarity
from isoalign.evaluation._gromov import bottleneck_distance
from isoalign.evaluation._modularity import graph_modularity
from isoalign.evaluation._relational import relational_similarity
from isoalign.lexicon import Lexicon
from isoalign.neighbors import Hubness, measure_hubness
from isoalign.normalization import make_normalizer
from isoalign.vectors import as_embeddings

__all__ = ["IsomorphismResult", "Shape", "evaluate_isomorphism", "one_to_one"]


@dataclass(frozen=True)
class Shape:
    """What is measured of one pair of spaces.

    Attributes
    ----------
    conditions
        Of a rotation: equal lengths, equal means.
    eigenvector
        `eigenvector_similarity`: 0 is isomorphic.
    relational
        `relational_similarity`: 1 is isomorphic; None without a dictionary.
    bottleneck
        `bottleneck_distance`: 0 is isomorphic.
    modularity
        `graph_modularity` of the union: about 0 is well aligned, 1 not at all; None where dimensions differ.
    hubness
        Of targets as neighbours of sources; None where dimensions differ.
    """

    conditions: Conditions
    eigenvector: float
    relational: float | None
    bottleneck: float
    modularity: float | None
    hubness: Hubness | None


@dataclass(frozen=True)
class IsomorphismResult:
    """The shapes of two spaces.

    Attributes
    ----------
    before, after
        As given, and after ``change``; ``after`` is None where nothing was changed.
    change
        The normalisation, or the alignment.
    n_words
        Words behind ``eigenvector``, ``relational`` and ``bottleneck``: translation pairs if a dictionary was given,
        else the most frequent words of either side.
    paired
        Whether they were translation pairs.
    max_rank
        Most frequent words of each side behind ``modularity`` and ``hubness``.
    """

    before: Shape
    after: Shape | None
    change: str | None
    n_words: int
    paired: bool
    max_rank: int

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return asdict(self)


def evaluate_isomorphism(
    source: Any,
    target: Any = None,
    lexicon: Lexicon | Iterable[tuple[str, str]] | None = None,
    *,
    normalize: str | None = "iternorm",
    n_words: int = 2000,
    max_rank: int = 10_000,
    k: int = 10,
    progress: Progress = ignore_progress,
) -> IsomorphismResult:
    """Measure how far two spaces are from having the same shape.

    Parameters
    ----------
    source, target
        Embeddings, which are measured as they are and after ``normalize``; or an `Alignment` and None, which is
        measured before and after its own normalisation and map.
    lexicon
        Word pairs. The first known translation of every source word is taken, each target once.
    normalize
        For embeddings: what to compare them with; None: nothing.
    n_words
        At most so many pairs or frequent words for the measures that cost n² memory or n³ time.
    max_rank
        So many frequent words of each side for modularity and hubness.
    k
        Neighbours of a word, for eigenvector similarity and hubness.
    progress
        Hears how far the searches have come.

    Returns
    -------
    IsomorphismResult
        Everything but the conditions looks at directions only: rows are scaled to length one first.
    """
    check_count(n_words, name="n_words", minimum=2)
    stages, change = _stages(source, target, normalize)
    pairs = None
    if lexicon is not None:
        asked = lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon)
        sides = (source.embeddings("source"), source.embeddings("target")) if target is None else (source, target)
        pairs = one_to_one(asked.row_pairs(*(as_embeddings(side) for side in sides)))[:n_words]
    size = min(n_words, *map(len, stages[0])) if pairs is None else len(pairs)
    if size < 2:
        raise InvalidValueError(f"The shape of a space needs at least 2 known words. Got {size}.")
    shapes = [_measure(X, Y, pairs, size, check_count(max_rank, name="max_rank"), k, progress) for X, Y in stages]
    return IsomorphismResult(
        before=shapes[0],
        after=shapes[1] if len(shapes) > 1 else None,
        change=change,
        n_words=size,
        paired=pairs is not None,
        max_rank=max_rank,
    )


def one_to_one(pairs: RowPairs) -> RowPairs:
    """Keep the first pair of every source row whose target row no earlier pair has taken."""
    sources: set[int] = set()
    targets: set[int] = set()
    kept = []
    for a, b in pairs.tolist():
        if a not in sources and b not in targets:
            sources.add(a)
            targets.add(b)
            kept.append((a, b))
    return np.array(kept, dtype=np.int64).reshape(-1, 2)


def _stages(source: Any, target: Any, normalize: str | None) -> tuple[list[tuple[Matrix, Matrix]], str | None]:
    """Return the pairs of spaces to measure, and what lies between them."""
    if isinstance(source, Alignment):
        if target is not None:
            raise ParameterError("An alignment has both sides. Pass target=None.")
        X, Y = (source.embeddings(side).vectors for side in ("source", "target"))
        mapped = (source.apply(X, side="source"), source.apply(Y, side="target"))
        return [(X, Y), mapped], str(source.provenance.get("method", "alignment"))
    if target is None:
        raise ParameterError("Pass two embeddings, or an alignment that holds both.")
    X, Y = as_embeddings(source, name="source").vectors, as_embeddings(target, name="target").vectors
    if normalize is None:
        return [(X, Y)], None
    normalized = [make_normalizer(normalize).fit_transform(matrix) for matrix in (X, Y)]
    return [(X, Y), (normalized[0], normalized[1])], normalize


def _measure(
    X: Matrix, Y: Matrix, pairs: RowPairs | None, size: int, max_rank: int, k: int, progress: Progress
) -> Shape:
    some_x, some_y = (X[:size], Y[:size]) if pairs is None else (X[pairs[:, 0]], Y[pairs[:, 1]])
    some_x, some_y = unit_rows(some_x), unit_rows(some_y)
    modularity = hubness = None
    if X.shape[1] == Y.shape[1]:
        frequent_x, frequent_y = unit_rows(X[:max_rank]), unit_rows(Y[:max_rank])
        modularity = _or_none(graph_modularity(frequent_x, frequent_y, progress=progress))
        hubness = measure_hubness(frequent_x, frequent_y, k=k, progress=progress)
    return Shape(
        conditions=check_conditions(X, Y),
        eigenvector=eigenvector_similarity(some_x, some_y, k=k, progress=progress),
        relational=None if pairs is None else _or_none(relational_similarity(some_x, some_y)),
        bottleneck=bottleneck_distance(some_x, some_y),
        modularity=modularity,
        hubness=hubness,
    )


def _or_none(value: float) -> float | None:
    """Return None for NaN, which JSON cannot hold."""
    return None if np.isnan(value) else value
