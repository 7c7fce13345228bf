"""The best words by CSLS in both directions from one product, as a round of refinement needs them."""

from typing import NamedTuple

import numpy as np

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, Matrix
from isoalign._core.validate import check_count
from isoalign.errors import ParameterError
from isoalign.neighbors.engine import (
    FEWEST_LISTED,
    Best,
    SearchMemory,
    as_rows,
    choose_by_csls,
    current_backend,
    mean_best,
)

__all__ = ["CslsBest", "csls_best"]


class CslsBest(NamedTuple):
    """The best translations by CSLS, the neighbourhood means, and what speeds up a similar search, if anything."""

    forward: Best
    backward: Best
    source_means: FloatVector
    target_means: FloatVector
    memory: SearchMemory | None = None


def csls_best(
    X: Matrix,
    Y: Matrix,
    n_best: int = 2,
    *,
    k: int = 10,
    max_rank: int | tuple[int | None, int | None] | None = None,
    about: SearchMemory | None = None,
    progress: Progress = ignore_progress,
) -> CslsBest:
    r"""Find the best targets of the first sources and the best sources of the first targets by CSLS.

    .. math:: \mathrm{CSLS}(x, y) = 2\, x \cdot y - r_T(x) - r_S(y)

    The means :math:`r_T` and :math:`r_S` are those among all words. They are only known at the end of the product, so a
    list of the nearest words is kept for every word that chooses. Other words are compared again if their mean is small
    enough to make up for their distance.

    Parameters
    ----------
    X, Y
        Finite matrices (n, dim) and (m, dim). For cosines, rows must have unit length.
    n_best
        Number of words to choose. The second best shows how clear the best choice is.
    k
        Number of neighbours in a mean.
    max_rank
        Choose for the first ``max_rank`` rows of each side, among all rows of the other. A pair gives the counts for
        sources and targets; 0 if a side does not choose. None: choose for all rows.
    about
        Memory of a search in similar spaces of the same sizes, such as that of the previous round. It affects the
        speed, never the result.
    progress
        Progress callback.

    Returns
    -------
    CslsBest
        Scores and rows, best first: forward (min(max_rank, n), n_best) and backward (min(max_rank, m), n_best); the
        means of all words.
    """
    n_best, k = check_count(n_best, name="n_best"), check_count(k, name="k")
    X, Y = as_rows(X), as_rows(Y)
    n_sources, n_targets = _count_choosing(max_rank, len(X), len(Y))
    if about is not None and [len(side) for side in about.floors] != [len(X), len(Y)]:
        raise ParameterError("about must be the memory of a search in spaces of the same sizes.")
    lists = current_backend().csls_lists(
        X, Y, k, n_sources=n_sources, n_targets=n_targets, about=about, progress=progress
    )
    source_means, target_means = (mean_best(best.scores) for best in lists.nearest)
    forward = choose_by_csls(X[:n_sources], Y, n_best, lists.forward, target_means)
    backward = choose_by_csls(Y[:n_targets], X, n_best, lists.backward, source_means)
    # The mean of the chooser changes no order, only the score.
    np.subtract(forward.scores, source_means[:n_sources, None], out=forward.scores)
    np.subtract(backward.scores, target_means[:n_targets, None], out=backward.scores)
    floors = lists.forward.next_floors(FEWEST_LISTED), lists.backward.next_floors(FEWEST_LISTED)
    memory = SearchMemory((lists.nearest[0].rows, lists.nearest[1].rows), floors)
    return CslsBest(forward, backward, source_means, target_means, memory)


def _count_choosing(max_rank: int | tuple[int | None, int | None] | None, n: int, m: int) -> tuple[int, int]:
    """Return the number of sources and of targets that choose."""
    if not isinstance(max_rank, tuple):
        limit = max(n, m) if max_rank is None else check_count(max_rank, name="max_rank")
        return min(limit, n), min(limit, m)
    if len(max_rank) != 2:
        raise ParameterError(f"max_rank must be a count or a pair (sources, targets). Got {max_rank!r}.")
    sources, targets = (
        size if limit is None else min(size, check_count(limit, name="max_rank", minimum=0))
        for limit, size in zip(max_rank, (n, m), strict=True)
    )
    return sources, targets
