"""Word similarity: correlation of cosines with human judgments."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_lengths
from isoalign._core.display import Tabular
from isoalign._core.types import IntVector, PathName, RandomState, StoredMatrix
from isoalign._core.validate import check_same_dim
from isoalign.alignment import Alignment
from isoalign.errors import InvalidValueError
from isoalign.evaluation._correlation import CORRELATION_RESAMPLES, correlate
from isoalign.evaluation._results import Interval, interval_ends
from isoalign.io import EmbeddingsLike, SimilaritySet, given_embeddings, read_similarity

__all__ = ["SimilarityResult", "evaluate_similarity"]


@dataclass(frozen=True)
class SimilarityResult(Tabular):
    """Correlation of cosines with human similarity judgments.

    Attributes
    ----------
    name
        Name of the data set.
    cross_lingual
        Whether the two words of a pair were looked up in different vocabularies.
    spearman, spearman_ci95, pearson, pearson_ci95
        Correlations with 95 % bootstrap intervals over pairs.
    n, n_pairs
        Number of pairs with two known words, and of all pairs.
    coverage
        ``n / n_pairs``.
    """

    name: str
    cross_lingual: bool
    spearman: float
    spearman_ci95: Interval
    pearson: float
    pearson_ci95: Interval
    n: int
    n_pairs: int
    coverage: float

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per correlation, with its interval."""
        about = {"set": self.name, "n": self.n}
        return [
            {**about, "correlation": "spearman", "value": self.spearman, **interval_ends(self.spearman_ci95)},
            {**about, "correlation": "pearson", "value": self.pearson, **interval_ends(self.pearson_ci95)},
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return asdict(self)


def evaluate_similarity(
    vectors: Alignment | EmbeddingsLike,
    benchmark: SimilaritySet | PathName,
    *,
    target: EmbeddingsLike | None = None,
    n_resamples: int = CORRELATION_RESAMPLES,
    random_state: RandomState = 0,
) -> SimilarityResult:
    """Correlate cosines with human similarity scores over the pairs of known words.

    Parameters
    ----------
    vectors
        Embeddings of the first words; or an `Alignment` of two members, whose first then has the first word of a pair
        and whose second the other.
    benchmark
        Word pairs with scores, or a file of them; see `read_similarity`.
    target
        Embeddings of the second words, in the same space, for a cross-lingual data set. None uses ``vectors``.
    n_resamples, random_state
        Number of bootstrap resamples over pairs, and their seed.

    Returns
    -------
    SimilarityResult
        Spearman's correlation, with average ranks for ties, and Pearson's.

    Examples
    --------
    >>> import isoalign as ia
    >>> ia.evaluate_similarity(en, ia.read_similarity("EN_WS-353-ALL.txt")).spearman  # doctest: +SKIP
    0.502
    """
    if not isinstance(benchmark, SimilaritySet):
        benchmark = read_similarity(benchmark)
    if isinstance(vectors, Alignment):
        pair = vectors.pair()
        sides = [vectors.aligned(name) for name in pair.names]
    else:
        first = given_embeddings(vectors, name="vectors")
        sides = [first, first if target is None else given_embeddings(target, name="target")]
    rows = np.stack([side.find_rows(pair[i] for pair in benchmark.pairs) for i, side in enumerate(sides)], axis=1)
    known: NDArray[np.bool_] = np.all(rows >= 0, axis=1)
    human = np.asarray(benchmark.scores, dtype=np.float64)[known]
    check_same_dim(sides[0].vectors, sides[1].vectors, what="Both sides")
    cosines = _cosines(sides[0].vectors, sides[1].vectors, rows[known])
    if len(np.unique(human)) < 2 or len(np.unique(cosines)) < 2:
        raise InvalidValueError(
            f"{benchmark.name}: a correlation needs known pairs with different scores. "
            f"{int(known.sum())} of {len(known)} pairs are known. Is this data set in the same language?"
        )
    found = correlate(cosines, human, n_resamples=n_resamples, random_state=random_state)
    return SimilarityResult(
        name=benchmark.name,
        cross_lingual=sides[0] is not sides[1],
        **found._asdict(),
        n=len(human),
        n_pairs=len(known),
        coverage=len(human) / len(known),
    )


def _cosines(X: StoredMatrix, Y: StoredMatrix, rows: IntVector) -> NDArray[np.float64]:
    """Return the cosine of every pair of rows, (p,); 0 if one of them is a zero vector."""
    U, V = X[rows[:, 0]], Y[rows[:, 1]]
    scale = row_lengths(U) * row_lengths(V)
    products: NDArray[np.float64] = np.einsum("ij,ij->i", U, V, dtype=np.float64)
    scale[scale == 0] = 1
    return products / scale
