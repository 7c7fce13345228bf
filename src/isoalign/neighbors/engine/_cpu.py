"""The engine's own backend: tiles of the product by BLAS, scanned while they are in the cache."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks
from isoalign._core.progress import Progress
from isoalign._core.threads import map_threads
from isoalign._core.types import FloatVector, IntVector, Matrix
from isoalign.neighbors.engine._backend import CslsLists, SearchMemory
from isoalign.neighbors.engine._counts import count_in_tile
from isoalign.neighbors.engine._csls_lists import ListingWalk
from isoalign.neighbors.engine._near_lists import NearLists, list_rows, sort_lists
from isoalign.neighbors.engine._stochastic import KeptSide, list_kept
from isoalign.neighbors.engine._tiles import Tile, Tiling, multiply_tiles, plan_parts, plan_rounds, walk_tiles
from isoalign.neighbors.engine._top_both import TopRowsBoth
from isoalign.neighbors.engine._top_rows import Best, TopRows

__all__ = ["CpuBackend"]

_BLOCK = 256  # lists that a thread sorts at a time


class CpuBackend:
    """Walk over the product tile by tile, on all cores."""

    def top_rows(
        self,
        Q: Matrix,
        Y: Matrix,
        wanted: Sequence[TopRows],
        *,
        lengths: NDArray[np.float64],
        longest: float,
        tiling: Tiling,
        progress: Progress,
    ) -> list[Best]:
        """Return the best rows of Y for every row of Q."""
        strips = plan_parts(len(Q), len(Y), tiling) if len(Q) and len(Y) else []
        for top in wanted:
            top.begin(Q, Y, strips, lengths, longest)

        def visit(tile: Tile) -> None:
            for top in wanted:
                top.visit(tile)

        walk_tiles(strips, multiply_tiles(Q, Y), visit, progress=progress)
        return [top.result() for top in wanted]

    def top_both(
        self, X: Matrix, Y: Matrix, k: int, *, tiling: Tiling, what: str, progress: Progress
    ) -> tuple[Best, Best]:
        """Return the k best rows in both directions."""
        top = TopRowsBoth(X, Y, k, tiling)
        if len(X) and len(Y):
            plan = plan_rounds(len(X), len(Y), tiling)
            walk_tiles(plan, multiply_tiles(X, Y), top.visit, what=what, progress=progress)
        return top.result()

    def near_lists(self, Q: Matrix, Y: Matrix, length: int) -> NearLists:
        """Return a list of near rows of Y for every row of Q."""
        lists = NearLists.empty(len(Q), length)
        zeros = np.zeros(len(Y), dtype=np.float32)

        def visit(tile: Tile) -> None:
            list_rows(tile.values, tile.columns.start, lists.part(tile.rows), zeros[tile.columns])

        walk_tiles(plan_rounds(len(Q), len(Y)), multiply_tiles(Q, Y), visit)
        map_threads(lambda block: sort_lists(lists.part(block)), row_blocks(len(Q), _BLOCK))
        return lists

    def csls_lists(
        self,
        X: Matrix,
        Y: Matrix,
        k: int,
        *,
        n_sources: int,
        n_targets: int,
        about: SearchMemory | None,
        progress: Progress,
    ) -> CslsLists:
        """Return the k best rows in both directions, and lists for the first sources and targets."""
        near = TopRowsBoth(X, Y, k, known=(None, None) if about is None else about.nearest)
        plan = plan_rounds(len(X), len(Y))
        walk = ListingWalk(near, plan, n_sources, n_targets, floors=None if about is None else about.floors)
        walk_tiles(plan, multiply_tiles(X, Y), walk.visit, what="neighbourhood means", progress=progress)
        return CslsLists(near.result(), walk.forward, walk.backward)

    def kept_lists(
        self, X: Matrix, Y: Matrix, k: int, *, forward: KeptSide, backward: KeptSide, progress: Progress
    ) -> tuple[Best, Best]:
        """Return the k best rows in both directions, and fill the lists of kept rows of both sides."""
        near = TopRowsBoth(X, Y, k, known=(forward.known, backward.known))

        def visit(tile: Tile) -> None:
            with near.lock(tile):
                near.scan(tile)
                list_kept(tile, forward, backward)

        walk_tiles(plan_rounds(len(X), len(Y)), multiply_tiles(X, Y), visit, what="dictionary", progress=progress)
        return near.result()

    def count_better(
        self,
        Q: Matrix,
        Y: Matrix,
        rows: IntVector,
        marks: FloatVector,
        margins: FloatVector,
        *,
        scale: float,
        bias: FloatVector,
        progress: Progress,
    ) -> IntVector:
        """Count the rows of Y that come before the given one of every query."""
        strips = plan_parts(len(Q), len(Y))
        counts = np.zeros((1 + max(strip.part for strip in strips), len(Q)), dtype=np.int64)

        def visit(tile: Tile) -> None:
            r, c = tile.rows, tile.columns
            count_in_tile(
                tile.values,
                Q[r],
                Y[c],
                c.start,
                float(scale),
                bias[c],
                margins[r],
                marks[r],
                rows[r],
                counts[tile.part, r],
            )

        walk_tiles(strips, multiply_tiles(Q, Y), visit, what="ranks", progress=progress)
        better: IntVector = counts.sum(axis=0)
        return better

    def log_partition(self, Y: Matrix, X: Matrix, beta: float, *, progress: Progress) -> FloatVector:
        """Return the logarithm of the sum of ``exp(beta * inner product)`` over all rows of X."""
        strips = plan_parts(len(Y), len(X))
        logs: NDArray[np.float64] = np.full((1 + max(strip.part for strip in strips), len(Y)), -np.inf)

        def visit(tile: Tile) -> None:
            exponents = np.multiply(tile.values, np.float32(beta), out=tile.values)
            largest = exponents.max(axis=1)
            np.exp(np.subtract(exponents, largest[:, None], out=exponents), out=exponents)
            here = largest + np.log(exponents.sum(axis=1, dtype=np.float64))
            logs[tile.part, tile.rows] = np.logaddexp(logs[tile.part, tile.rows], here)

        walk_tiles(strips, multiply_tiles(Y, X), visit, what="inverted softmax", progress=progress)
        total: FloatVector = np.logaddexp.reduce(logs, axis=0).astype(np.float32)
        return total
