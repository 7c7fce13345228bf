"""Neighbourhood means of targets that begin as cheap lower bounds and become exact where somebody needs them.

Any subset of the source words gives a lower bound: the k best of a part are no better than the k best of all. Two
subsets are good. *Hubs*, source words that are neighbours of very many targets, serve all targets at once. The words
in the *cells* around a target, found by comparing it with a few pivots, serve that target alone and come close to its
exact mean at a few per cent of the price.
"""

import numpy as np

from isoalign._arrays import row_blocks, row_lengths
from isoalign._progress import Progress, ignore_progress
from isoalign._threads import map_threads, single_threaded_blas
from isoalign._types import IntVector, Matrix
from isoalign.neighbors._search import error_margins, mean_best, top_k

__all__ = ["MeanBounds"]

# Shares of the rows, so that the bounds cost the same share of the full computation at every size. All measured.
_SAMPLE = 1 / 200  # targets whose exact neighbours show which source words are hubs
_HUBS = 1 / 100
_PROBES = 6  # cells looked at for one target, of about sqrt(n) cells


class MeanBounds:
    """Lower bounds of the mean similarity of every target to its k nearest sources.

    Parameters
    ----------
    Y, X
        Targets (m, dim) and all source words (n, dim): finite, C-contiguous, float32.
    k
        Neighbours in a mean.
    progress
        Hears how far the first bounds have come.

    Attributes
    ----------
    means
        Exact means or lower bounds of them, (m,).
    known
        Which means are exact, (m,).
    tight
        Which are exact or bounded by their own cells, (m,).
    """

    def __init__(self, Y: Matrix, X: Matrix, k: int, *, progress: Progress = ignore_progress) -> None:
        self.Y, self.X, self.k = Y, X, k
        n, m = len(X), len(Y)
        rng = np.random.default_rng(0)
        self.x_longest = float(row_lengths(X).max())
        sample = np.sort(rng.choice(m, size=max(1, round(_SAMPLE * m)), replace=False))
        scores, rows = top_k(Y[sample], X, k, longest=self.x_longest, progress=progress)
        counts = np.bincount(rows.ravel(), minlength=n)
        hubs = np.argsort(-counts, kind="stable")[: max(k, round(_HUBS * n))]
        self.means = mean_best(top_k(Y, X[hubs], k, longest=self.x_longest, progress=progress)[0])
        self.means[sample] = mean_best(scores)
        self.known = np.zeros(m, dtype=bool)
        self.known[sample] = True
        self.tight = self.known.copy()
        self._make_cells(rng)

    def _make_cells(self, rng: np.random.Generator) -> None:
        """Put every source word into the cell of its nearest pivot."""
        n = len(self.X)
        self.pivots = self.X[rng.choice(n, size=round(n**0.5), replace=False)]
        cells = top_k(self.X, self.pivots, 1)[1][:, 0]
        order = np.argsort(cells, kind="stable")
        self.cell_rows = self.X[order]
        self.cell_starts = np.searchsorted(cells[order], np.arange(len(self.pivots) + 1))

    def tighten(self, rows: IntVector) -> None:
        """Raise the bounds of some targets by the source words in the cells around them."""
        targets = self.Y[rows]
        probes = top_k(targets, self.pivots, _PROBES)[1]
        best = np.full((*probes.shape, self.k), -np.inf, dtype=np.float32)
        order = np.argsort(probes, axis=None, kind="stable")
        cuts = np.searchsorted(probes.ravel()[order], np.arange(len(self.pivots) + 1))

        def look(cells: slice) -> None:
            for cell in range(cells.start, cells.stop):
                sources = self.cell_rows[self.cell_starts[cell] : self.cell_starts[cell + 1]]
                where, probe = np.divmod(order[cuts[cell] : cuts[cell + 1]], probes.shape[1])
                found = min(self.k, len(sources))
                if found and len(where):
                    values = targets[where] @ sources.T
                    values.partition(len(sources) - found, axis=1)
                    best[where, probe, :found] = values[:, len(sources) - found :]

        with single_threaded_blas():
            map_threads(look, row_blocks(len(self.pivots), 16))
        best = best.reshape(len(rows), -1)
        best.partition(best.shape[1] - self.k, axis=1)
        margins = error_margins(row_lengths(targets).astype(np.float32), self.x_longest, targets.shape[1])
        self.means[rows] = np.maximum(self.means[rows], mean_best(best[:, -self.k :]) - margins)
        self.tight[rows] = True

    def learn(self, rows: IntVector, *, progress: Progress = ignore_progress) -> None:
        """Compute the exact means of some targets."""
        scores, _ = top_k(self.Y[rows], self.X, self.k, longest=self.x_longest, progress=progress)
        self.means[rows] = mean_best(scores)
        self.known[rows] = self.tight[rows] = True
