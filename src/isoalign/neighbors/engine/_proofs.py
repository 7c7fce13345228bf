r"""Choose from a list of near rows, and prove that no other row can be among the best.

Let every row outside a list score at most :math:`f` by the products that made the list, and let exact scores differ
from those by at most :math:`e`. Then no other row scores above :math:`f + e`. So if the k-th best exact score on the
list is above :math:`f + e`, the k best rows of all are on the list.
"""

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks
from isoalign._core.threads import map_threads
from isoalign._core.types import FloatVector, Matrix
from isoalign.neighbors.engine._kernels import empty_heaps, sort_heaps
from isoalign.neighbors.engine._near_lists import NearLists, choose_listed
from isoalign.neighbors.engine._top_rows import Best

__all__ = ["choose_proven"]

_BLOCK = 256  # queries that a thread takes at a time


def choose_proven(
    Q: Matrix,
    Y: Matrix,
    k: int,
    lists: NearLists,
    margins: FloatVector,
    *,
    scale: float = 1.0,
    bias: FloatVector | None = None,
) -> tuple[Best, NDArray[np.bool_]]:
    """Return the k best rows on every list, by exact scores, and whether they are the best of all rows.

    Parameters
    ----------
    Q, Y
        Queries (q, dim) and the listed rows (m, dim).
    k
        Number of rows to choose, at most m.
    lists
        Near rows of these queries; ``floors`` bounds the scores of all other rows.
    margins
        The largest amount by which a score can exceed the one that its list was made by, (q,).
    scale, bias
        Parameters of the score ``scale * inner product - bias``.
    """
    scores, rows = empty_heaps((len(Q), k))

    def choose(block: slice) -> None:
        choose_listed(Q[block], Y, lists.part(block), margins[block], scale, bias, scores[block], rows[block])

    map_threads(choose, row_blocks(len(Q), _BLOCK))
    sort_heaps(scores, rows)
    proven = scores.min(axis=1, initial=np.inf) > lists.floors + margins
    return Best(scores, rows.astype(np.int64)), proven
