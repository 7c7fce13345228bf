"""Word similarity: whether cosines order word pairs as people do."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._arrays import row_lengths
from isoalign._types import IntVector, Matrix, RandomState
from isoalign._validate import check_count, check_same_dim
from isoalign.alignment import Alignment
from isoalign.errors import InvalidValueError
from isoalign.evaluation._correlation import correlations
from isoalign.evaluation._results import SimilarityResult
from isoalign.evaluation._statistics import percentile_interval, resample_counts
from isoalign.io import SimilaritySet
from isoalign.vectors import as_embeddings

__all__ = ["evaluate_similarity"]

_N_RESAMPLES = 2_000  # a resample costs ten passes over the pairs here, so fewer than for right and wrong answers


def evaluate_similarity(
    vectors: Any,
    benchmark: SimilaritySet,
    *,
    target: Any = None,
    n_resamples: int = _N_RESAMPLES,
    random_state: RandomState = 0,
) -> SimilarityResult:
    """Correlate cosines with human scores over the pairs whose two words are known.

    Parameters
    ----------
    vectors
        Embeddings of the first words; or an `Alignment`, whose source side then has the first word of a pair and
        whose target side the second.
    benchmark
        Word pairs with scores, see `read_similarity`.
    target
        Embeddings of the second words, in the same space, for a cross-lingual set. None: the same as the first.
    n_resamples, random_state
        Bootstrap draws over pairs, behind the intervals, and their seed.

    Returns
    -------
    SimilarityResult
        Spearman's correlation of average ranks, and Pearson's.

    Examples
    --------
    >>> import isoalign as ia
    >>> ia.evaluate_similarity(en, ia.read_similarity("EN_WS-353-ALL.txt")).spearman  # doctest: +SKIP
    0.502
    """
    if isinstance(vectors, Alignment):
        sides = [vectors.embeddings(side).with_vectors(vectors.space(side)) for side in ("source", "target")]
    else:
        first = as_embeddings(vectors, name="vectors")
        sides = [first, first if target is None else as_embeddings(target, name="target")]
    rows = np.stack([side.find_rows(pair[i] for pair in benchmark.pairs) for i, side in enumerate(sides)], axis=1)
    known: NDArray[np.bool_] = np.all(rows >= 0, axis=1)
    human = np.asarray(benchmark.scores, dtype=np.float64)[known]
    check_same_dim(sides[0].vectors, sides[1].vectors, what="Both sides")
    cosines = _cosines(sides[0].vectors, sides[1].vectors, rows[known])
    if len(np.unique(human)) < 2 or len(np.unique(cosines)) < 2:
        raise InvalidValueError(
            f"{benchmark.name}: a correlation needs known pairs of different scores. "
            f"{int(known.sum())} of {len(known)} pairs are known. Is this a set of the same language?"
        )
    pearson, spearman = correlations(cosines, human, np.ones((1, len(human))))[0].tolist()
    check_count(n_resamples, name="n_resamples")
    samples = [
        correlations(cosines, human, counts) for counts in resample_counts(len(human), n_resamples, random_state)
    ]
    (low_p, low_s), (high_p, high_s) = (end.tolist() for end in percentile_interval(np.concatenate(samples)))
    return SimilarityResult(
        name=benchmark.name,
        cross_lingual=sides[0] is not sides[1],
        spearman=spearman,
        spearman_ci95=(low_s, high_s),
        pearson=pearson,
        pearson_ci95=(low_p, high_p),
        n=len(human),
        n_pairs=len(known),
        coverage=len(human) / len(known),
    )


def _cosines(X: Matrix, Y: Matrix, rows: IntVector) -> NDArray[np.float64]:
    """Return the cosine of every pair of rows, (p,); a zero vector is similar to nothing."""
    U, V = X[rows[:, 0]], Y[rows[:, 1]]
    scale = row_lengths(U) * row_lengths(V)
    products: NDArray[np.float64] = np.einsum("ij,ij->i", U, V, dtype=np.float64)
    scale[scale == 0] = 1
    return products / scale
