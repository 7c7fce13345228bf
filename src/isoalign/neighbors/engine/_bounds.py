"""Neighbourhood means of targets: cheap lower bounds that become exact where they are needed.

Any subset of the sources gives a lower bound, since the k best of a subset are no better than the k best of all. Three
kinds of subsets work well. *Hubs*, sources that are neighbours of very many targets, bound the means of all targets at
once. The sources in the *cells* around a target, found by comparing it with a few pivots, bound the mean of that target
alone, closely and at a few per cent of the cost of the exact mean. For a few queries there is no need for cells: the
sources *around the queries* are also those around the targets that the queries may choose.
"""

import numpy as np

from isoalign._core.arrays import row_blocks, row_lengths
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.spill import gather_rows
from isoalign._core.threads import map_threads, single_threaded_blas
from isoalign._core.types import FloatVector, IntVector, Matrix
from isoalign.neighbors.engine._choice import LazySettings
from isoalign.neighbors.engine._margins import error_margins, longest_row
from isoalign.neighbors.engine._top_rows import Best, TopRows, mean_best, search

__all__ = ["MeanBounds"]

_BLOCK = 1 << 17  # targets bounded at a time, so that their neighbours take little memory


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
    n_queries
        Number of queries that the bounds are for now. For a few, good bounds of all targets cost too much; these are
        prepared later if more queries come.
    progress
        Progress callback.

    Attributes
    ----------
    means
        Exact means or lower bounds, (m,).
    known
        Which means are exact, (m,).
    tight
        Which means are exact or bounded by the sources around them, (m,).
    """

    def __init__(
        self,
        Y: Matrix,
        X: Matrix,
        k: int,
        *,
        settings: LazySettings,
        n_queries: int = 0,
        progress: Progress = ignore_progress,
    ) -> None:
        self.Y, self.X, self.k, self.settings = Y, X, k, settings
        n, m = len(X), len(Y)
        self._rng = np.random.default_rng(0)
        self.x_longest = longest_row(row_lengths(X))
        self.means = np.full(m, -np.inf, dtype=np.float32)
        self.known, self.tight = np.zeros(m, dtype=bool), np.zeros(m, dtype=bool)
        self._n_sampled = _share(settings.sample_share, m, settings.most_sampled)
        self._n_hubs = max(k, settings.min_hubs, _share(settings.hub_share, n, settings.most_hubs))
        self._n_pivots = round(n**0.5)
        self._is_prepared = False
        self._n_learned = 0
        if not self.prepare_for(n_queries, progress):
            self._bound_all(min(settings.few_sampled, self._n_sampled), max(k, settings.few_hubs), progress)

    def prepare_for(self, n_queries: int, progress: Progress = ignore_progress) -> bool:
        """Prepare good bounds if that costs less than the exact means learned so far and those for more queries.

        Returns
        -------
        changed
            Whether the bounds have changed.
        """
        expected = self._n_learned + self.settings.means_per_query * n_queries
        if self._is_prepared or expected < self._n_sampled + self._n_hubs + self._n_pivots:
            return False
        self._bound_all(self._n_sampled, self._n_hubs, progress)
        self.tight = self.known.copy()
        self._make_cells()
        self._is_prepared = True
        return True

    def _bound_all(self, n_sampled: int, n_hubs: int, progress: Progress) -> None:
        """Bound all means by hubs, which are the sources nearest to many of some random targets."""
        sample = np.sort(self._rng.choice(len(self.Y), size=n_sampled, replace=False))
        scores, rows = self._nearest(self.Y[sample], self.X, progress)
        hubs = np.argsort(-np.bincount(rows.ravel(), minlength=len(self.X)), kind="stable")[:n_hubs]
        bounds = self._bound(self.Y, self.X[hubs], progress)
        np.maximum(self.means, bounds, out=self.means, where=~self.known)
        self.means[sample] = mean_best(scores)
        self.known[sample] = True

    def _nearest(
        self, targets: Matrix, sources: Matrix, progress: Progress = ignore_progress, *, exact: bool = True
    ) -> Best:
        return search(targets, sources, [TopRows(self.k, exact=exact)], longest=self.x_longest, progress=progress)[0]

    def _bound(self, targets: Matrix, sources: Matrix, progress: Progress = ignore_progress) -> FloatVector:
        """Return lower bounds of the means of some targets from some sources."""
        bounds = np.empty(len(targets), dtype=np.float32)
        for block in row_blocks(len(targets), _BLOCK):
            bounds[block] = mean_best(self._nearest(targets[block], sources, exact=False).scores)
            progress("search", block.stop, len(targets))
        return bounds

    def look_around(self, Q: Matrix) -> None:
        """Let the sources around a few queries bound means, unless good bounds are prepared."""
        if not self._is_prepared and len(Q):
            size = max(self.k, min(len(self.X), self.settings.around // len(Q)))
            near = search(Q, self.X, [TopRows(size, exact=False)], longest=self.x_longest)[0].rows
            self._around = self.X[np.unique(near)]
            self.tight = self.known.copy()

    def _make_cells(self) -> None:
        """Put every source into the cell of its nearest pivot."""
        self.pivots = self.X[self._rng.choice(len(self.X), size=self._n_pivots, replace=False)]
        cells = search(self.X, self.pivots, [TopRows(1, exact=False)])[0].rows[:, 0]
        order = np.argsort(cells, kind="stable")
        self.cell_rows = gather_rows(self.X, order)
        self.cell_starts = np.searchsorted(cells[order], np.arange(len(self.pivots) + 1))

    def tighten(self, rows: IntVector) -> None:
        """Raise the bounds of some targets to the means of the sources around them."""
        targets = self.Y[rows]
        bounds = self._bound_by_cells(targets) if self._is_prepared else self._bound(targets, self._around)
        self.means[rows] = np.maximum(self.means[rows], bounds)
        self.tight[rows] = True

    def _bound_by_cells(self, targets: Matrix) -> FloatVector:
        probes = search(targets, self.pivots, [TopRows(self.settings.probes, exact=False)])[0].rows
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
            map_threads(look, row_blocks(len(self.pivots), 4))
        best = best.reshape(len(targets), -1)
        best.partition(best.shape[1] - self.k, axis=1)
        margins = error_margins(row_lengths(targets), self.x_longest, targets.shape[1])
        bounds: FloatVector = mean_best(best[:, -self.k :]) - margins
        return bounds

    def learn(self, rows: IntVector, *, progress: Progress = ignore_progress) -> None:
        """Compute the exact means of some targets."""
        self.means[rows] = mean_best(self._nearest(self.Y[rows], self.X, progress).scores)
        self.known[rows] = self.tight[rows] = True
        self._n_learned += len(rows)


def _share(share: float, n: int, most: int) -> int:
    return min(max(1, round(share * n)), most)
