"""How close two spaces are to being isomorphic, before and after normalisation or alignment."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign._core.display import Tabular
from isoalign._core.progress import Progress, ProgressLike, as_progress, ignore_progress
from isoalign._core.types import RowPairs, StoredMatrix
from isoalign._core.validate import check_count
from isoalign.alignment import Alignment
from isoalign.errors import InvalidValueError, ParameterError
from isoalign.evaluation._conditions import Conditions, check_conditions
from isoalign.evaluation._eigenvalues import eigenvector_similarity
from isoalign.evaluation._gromov import bottleneck_distance
from isoalign.evaluation._modularity import graph_modularity
from isoalign.evaluation._relational import relational_similarity
from isoalign.io import EmbeddingsLike, LexiconLike, given_embeddings, given_lexicon
from isoalign.neighbors import Hubness, measure_hubness
from isoalign.normalization import DEFAULT_NORMALIZATION, make_normalizer
from isoalign.vectors import Embeddings

__all__ = ["IsomorphismResult", "Shape", "evaluate_isomorphism", "one_to_one"]


@dataclass(frozen=True)
class Shape:
    """Isomorphism measures of one pair of spaces.

    Attributes
    ----------
    conditions
        Conditions for a rotation: equal lengths, equal means.
    eigenvector
        `eigenvector_similarity`; 0 for isomorphic spaces.
    relational
        `relational_similarity`; 1 for isomorphic spaces, None without a dictionary.
    bottleneck
        `bottleneck_distance`; 0 for isomorphic spaces.
    modularity
        `graph_modularity` of both languages together; about 0 if well aligned, 1 if not at all, None if the
        dimensions differ.
    hubness
        Hubness of target words among the neighbours of source words; None if the dimensions differ.
    """

    conditions: Conditions
    eigenvector: float
    relational: float | None
    bottleneck: float
    modularity: float | None
    hubness: Hubness | None


@dataclass(frozen=True, repr=False)
class IsomorphismResult(Tabular):
    """Isomorphism measures before and after a change.

    Attributes
    ----------
    before, after
        Measures of the spaces as given, and after ``change``; ``after`` is None if nothing was changed.
    change
        Name of the normalisation or of the alignment method.
    n_words
        Number of words used for ``eigenvector``, ``relational`` and ``bottleneck``: translation pairs if a dictionary
        was given, otherwise the most frequent words of each side.
    paired
        Whether these words were translation pairs.
    max_rank
        Number of most frequent words of each side used for ``modularity`` and ``hubness``.
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

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per measure, before and after."""
        shapes = [shape for shape in (self.before, self.after) if shape is not None]
        values = [
            {name: getattr(shape, name) for name in ("eigenvector", "relational", "bottleneck", "modularity")}
            | {"mean difference": shape.conditions.mean_difference}
            | {"hubness (skewness)": None if shape.hubness is None else shape.hubness.skewness}
            for shape in shapes
        ]
        titles = ("before", self.change or "after")
        return [
            {"measure": name, **{title: some[name] for title, some in zip(titles, values, strict=False)}}
            for name in values[0]
        ]

    def __repr__(self) -> str:
        found = ", ".join(
            f"{name} {' → '.join('–' if value is None else f'{value:.3g}' for value in values)}"
            for name, *values in (row.values() for row in self.to_records())
        )
        return f"IsomorphismResult({self.change or 'unchanged'}: {found})"


def evaluate_isomorphism(
    source: Alignment | EmbeddingsLike,
    target: EmbeddingsLike | None = None,
    lexicon: LexiconLike | None = None,
    *,
    normalize: str | None = DEFAULT_NORMALIZATION,
    n_words: int = 2000,
    max_rank: int = 10_000,
    k: int = 10,
    progress: ProgressLike = ignore_progress,
) -> IsomorphismResult:
    """Measure how close two spaces are to being isomorphic.

    Parameters
    ----------
    source, target
        Two embeddings, measured as given and after ``normalize``; or an `Alignment` and None, measured before and
        after its normalisation and map.
    lexicon
        Word pairs. The first known translation of every source word is used, and each target word once.
    normalize
        Normalisation to measure embeddings after; None measures them as given only.
    n_words
        Maximum number of pairs or frequent words for the measures that need n² memory or n³ time.
    max_rank
        Restrict modularity and hubness to the ``max_rank`` most frequent words on each side.
    k
        Number of neighbours of each word, for eigenvector similarity and hubness.
    progress
        Progress callback; True draws a bar.

    Returns
    -------
    IsomorphismResult
        All measures except the conditions are computed on unit rows.
    """
    progress = as_progress(progress)
    check_count(n_words, name="n_words", minimum=2)
    if target is not None and not isinstance(source, Alignment):
        source, target = given_embeddings(source, name="source"), given_embeddings(target, name="target")
    stages, change = _stages(source, target, normalize)
    pairs = None
    if lexicon is not None:
        asked = given_lexicon(lexicon)
        pairs = one_to_one(asked.row_pairs(*_sides(source, target)))[:n_words]
    size = min(n_words, *map(len, stages[0])) if pairs is None else len(pairs)
    if size < 2:
        raise InvalidValueError(f"Isomorphism measures need at least 2 known words. Got {size}.")
    shapes = [_measure(X, Y, pairs, size, check_count(max_rank, name="max_rank"), k, progress) for X, Y in stages]
    return IsomorphismResult(
        before=shapes[0],
        after=shapes[1] if len(shapes) > 1 else None,
        change=change,
        n_words=size,
        paired=pairs is not None,
        max_rank=max_rank,
    )


def _sides(source: Any, target: Any) -> tuple[Embeddings, Embeddings]:
    if isinstance(source, Alignment):
        first, second = source.pair().names
        return source.raw(first), source.raw(second)
    return source, target


def one_to_one(pairs: RowPairs) -> RowPairs:
    """Keep the first pair of every source row whose target row is not in an earlier pair."""
    sources: set[int] = set()
    targets: set[int] = set()
    kept = []
    for a, b in pairs.tolist():
        if a not in sources and b not in targets:
            sources.add(a)
            targets.add(b)
            kept.append((a, b))
    return np.array(kept, dtype=np.int64).reshape(-1, 2)


def _stages(
    source: Any, target: Any, normalize: str | None
) -> tuple[list[tuple[StoredMatrix, StoredMatrix]], str | None]:
    """Return the pairs of spaces to measure, and the name of the change between them."""
    if isinstance(source, Alignment):
        if target is not None:
            raise ParameterError("An alignment contains both sides. Pass target=None.")
        names = source.pair().names
        X, Y = (source.raw(name).vectors for name in names)
        mapped = (source.apply(X, names[0]), source.apply(Y, names[1]))
        return [(X, Y), mapped], str(source.provenance.get("method", "alignment"))
    if target is None:
        raise ParameterError("Pass two embeddings, or an alignment that contains both.")
    X, Y = source.vectors, target.vectors
    if normalize is None:
        return [(X, Y)], None
    normalized = [make_normalizer(normalize).fit_transform(matrix) for matrix in (X, Y)]
    return [(X, Y), (normalized[0], normalized[1])], normalize


def _measure(
    X: StoredMatrix, Y: StoredMatrix, pairs: RowPairs | None, size: int, max_rank: int, k: int, progress: Progress
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
    """Return None for NaN, which JSON cannot represent."""
    return None if np.isnan(value) else value
