"""Neighbourhood means of targets: cheap lower bounds that become exact where they are needed.

Any subset of the sources gives a lower bound, since the k best of a subset are no better than the k best of all. Two
kinds of subsets work well. *Hubs*, sources that are neighbours of very many targets, bound the means of all targets at
once. The sources in the *cells* around a target, found by comparing it with a few pivots, bound the mean of that target
alone, closely and at a few per cent of the cost of the exact mean.
"""

import numpy as np

from isoalign._core.arrays import row_blocks, row_lengths
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.spill import gather_rows
from isoalign._core.threads import map_threads, single_threaded_blas
from isoalign._core.types import IntVector, Matrix
from isoalign.neighbors.engine._choice import LazySettings
from isoalign.neighbors.engine._margins import error_margins, longest_row
from isoalign.neighbors.engine._top_rows import Best, TopRows, mean_best, search

__all__ = ["MeanBounds"]


class MeanBounds:
    """Lower bounds of the mean similarity of every target to its k nearest sources.

    Parameters
    ----------
    Y, X
        Targets (m, dim) and all sources (n, dim): C-contiguous, float32.
    k
        Number of neighbours in a mean.
    settings
        How many hubs and cells to use: shares of the rows up to a few thousand.
    progress
        Progress callback.

    Attributes
    ----------
    means
        Exact means or lower bounds, (m,).
    known
        Which means are exact, (m,).
    tight
        Which means are exact or bounded by their own cells, (m,).
    """

    def __init__(
        self, Y: Matrix, X: Matrix, k: int, *, settings: LazySettings, progress: Progress = ignore_progress
    ) -> None:
        self.Y, self.X, self.k, self.settings = Y, X, k, settings
        n, m = len(X), len(Y)
        rng = np.random.default_rng(0)
        self.x_longest = longest_row(row_lengths(X))
        sample = np.sort(rng.choice(m, size=_share(settings.sample_share, m, settings.most_sampled), replace=False))
        scores, rows = self._nearest(Y[sample], X, progress)
        counts = np.bincount(rows.ravel(), minlength=n)
        n_hubs = max(k, settings.min_hubs, _share(settings.hub_share, n, settings.most_hubs))
        hubs = np.argsort(-counts, kind="stable")[:n_hubs]
        self.means = mean_best(self._nearest(Y, X[hubs], progress).scores)
        self.means[sample] = mean_best(scores)
        self.known = np.zeros(m, dtype=bool)
        self.known[sample] = True
        self.tight = self.known.copy()
        self._make_cells(rng)

    def _nearest(self, targets: Matrix, sources: Matrix, progress: Progress) -> Best:
        return search(targets, sources, [TopRows(self.k)], longest=self.x_longest, progress=progress)[0]

    def _make_cells(self, rng: np.random.Generator) -> None:
        """Put every source into the cell of its nearest pivot."""
        n = len(self.X)
        self.pivots = self.X[rng.choice(n, size=round(n**0.5), replace=False)]
        cells = search(self.X, self.pivots, [TopRows(1)])[0].rows[:, 0]
        order = np.argsort(cells, kind="stable")
        self.cell_rows = gather_rows(self.X, order)
        self.cell_starts = np.searchsorted(cells[order], np.arange(len(self.pivots) + 1))

    def tighten(self, rows: IntVector) -> None:
        """Raise the bounds of some targets to the means of the sources in the cells around them."""
        targets = self.Y[rows]
        probes = search(targets, self.pivots, [TopRows(self.settings.probes)])[0].rows
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
        margins = error_margins(row_lengths(targets), self.x_longest, targets.shape[1])
        self.means[rows] = np.maximum(self.means[rows], mean_best(best[:, -self.k :]) - margins)
        self.tight[rows] = True

    def learn(self, rows: IntVector, *, progress: Progress = ignore_progress) -> None:
        """Compute the exact means of some targets."""
        self.means[rows] = mean_best(self._nearest(self.Y[rows], self.X, progress).scores)
        self.known[rows] = self.tight[rows] = True


def _share(share: float, n: int, most: int) -> int:
    return min(max(1, round(share * n)), most)
