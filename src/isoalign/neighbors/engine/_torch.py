r"""A backend on a PyTorch device: shortlists from the device, exact scores and the choice on the CPU.

The device multiplies in float32 and returns, for every row, a list a little longer than what is wanted, with the score
at which it ends. Products in float32 have a proven error, whatever the order of their sums (see `_margins`). A list
whose k-th best exact score lies above its end by more than that error contains the best rows (see `_proofs`). If that
cannot be shown, for example among very many near-ties, the row is searched on the CPU. So the answers are bitwise
identical to those of the CPU. Only the sums of the inverted softmax are computed on the device; they agree to six
digits.
"""

import logging
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_lengths
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, IntVector, Matrix
from isoalign.neighbors.engine._backend import CslsLists, SearchMemory
from isoalign.neighbors.engine._choice import SHORTLISTS, ShortlistSettings
from isoalign.neighbors.engine._coins import is_kept
from isoalign.neighbors.engine._counts import score_pairs
from isoalign.neighbors.engine._cpu import CpuBackend
from isoalign.neighbors.engine._margins import error_margins, longest_row, margins_both
from isoalign.neighbors.engine._near_lists import NearLists
from isoalign.neighbors.engine._proofs import choose_proven
from isoalign.neighbors.engine._stochastic import KeptSide
from isoalign.neighbors.engine._tiles import TILING, Tiling
from isoalign.neighbors.engine._top_rows import Best, TopRows
from isoalign.neighbors.engine._torch_device import Tensor, TorchDevice

__all__ = ["TorchBackend"]

logger = logging.getLogger("isoalign.neighbors")


class _Wanted(NamedTuple):
    """Lists in both directions, sorted by the product minus offsets of the listed rows."""

    forward: NearLists
    backward: NearLists
    y_offsets: FloatVector | None = None
    x_offsets: FloatVector | None = None


class TorchBackend:
    """Search on a device.

    Parameters
    ----------
    device
        A device by PyTorch's name for it.
    lists
        Sizes of blocks and lists.
    """

    def __init__(self, device: str, lists: ShortlistSettings = SHORTLISTS) -> None:
        self._lists = lists
        self._device = TorchDevice(device, values=lists.values)
        self._torch = self._device.torch
        self._cpu = CpuBackend()

    def top_rows(
        self,
        Q: Matrix,
        Y: Matrix,
        wanted: Sequence[TopRows],
        *,
        lengths: NDArray[np.float64],
        longest: float,
        tiling: Tiling = TILING,  # noqa: ARG002  (of the CPU)
        progress: Progress = ignore_progress,
    ) -> list[Best]:
        """Return the best rows of Y for every row of Q."""
        lists = [NearLists.empty(len(Q), min(top.k + self._lists.more, len(Y))) for top in wanted]
        biases = [None if top.bias is None else self._device.place(top.bias) for top in wanted]

        def visit(rows: slice, products: Tensor) -> None:
            for top, bias, own in zip(wanted, biases, lists, strict=True):
                scores = products if top.scale == 1 else products * float(top.scale)
                self._list(scores if bias is None else scores - bias, own.part(rows), products)

        self._device.walk(Q, Y, visit, progress=progress)
        return [self._choose(Q, Y, top, own, lengths, longest) for top, own in zip(wanted, lists, strict=True)]

    def top_both(
        self,
        X: Matrix,
        Y: Matrix,
        k: int,
        *,
        tiling: Tiling = TILING,  # noqa: ARG002
        what: str,
        progress: Progress,
    ) -> tuple[Best, Best]:
        """Return the k best rows in both directions."""
        margins_both(X, Y)
        near = self._wanted(X, Y, k + self._lists.more)
        self._list_both(X, Y, [near], what, progress)
        return self._choose_both(X, Y, k, near)

    def near_lists(self, Q: Matrix, Y: Matrix, length: int) -> NearLists:
        """Return a list of near rows of Y for every row of Q."""
        lists = NearLists.empty(len(Q), length)
        self._device.walk(Q, Y, lambda rows, products: self._list(products, lists.part(rows)))
        return lists

    def csls_lists(
        self,
        X: Matrix,
        Y: Matrix,
        k: int,
        *,
        n_sources: int,  # noqa: ARG002  (all rows have lists, which cost nothing here)
        n_targets: int,  # noqa: ARG002
        about: SearchMemory | None,  # noqa: ARG002
        progress: Progress,
    ) -> CslsLists:
        """Return the k best rows in both directions, and lists of near rows."""
        margins_both(X, Y)
        near = self._wanted(X, Y, max(self._lists.listed, k + self._lists.more))
        self._list_both(X, Y, [near], "neighbourhood means", progress)
        return CslsLists(self._choose_both(X, Y, k, near), near.forward, near.backward)

    def kept_lists(
        self, X: Matrix, Y: Matrix, k: int, *, forward: KeptSide, backward: KeptSide, progress: Progress
    ) -> tuple[Best, Best]:
        """Return the k best rows in both directions, and give both sides lists of kept rows."""
        margins_both(X, Y)
        near = self._wanted(X, Y, k + self._lists.more)
        length = max(self._lists.kept, min(self._lists.max_length, round(self._lists.kept / forward.keep)))
        kept = self._wanted(X, Y, length)._replace(y_offsets=forward.offsets, x_offsets=backward.offsets)
        self._list_both(X, Y, [near, kept], "dictionary", progress)
        for side, lists in ((forward, kept.forward), (backward, kept.backward)):
            side.lists = _drop(lists, is_kept(side.keys[:, None], lists.rows.astype(np.int64), side.keep))
        return self._choose_both(X, Y, k, near)

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
        counts = np.zeros(len(Q), dtype=np.int64)
        wide = np.zeros(len(Q), dtype=bool)
        biases, low, high = (
            self._device.place(bias),
            self._device.place(marks - margins),
            self._device.place(marks + margins),
        )

        def visit(block: slice, products: Tensor) -> None:
            scores = products * float(scale) - biases
            above = scores > high[block, None]
            near = ~above & (scores >= low[block, None])
            counts[block] = above.sum(dim=1).cpu().numpy()
            wide[block] = near.sum(dim=1).cpu().numpy() > self._lists.band
            near[self._torch.from_numpy(wide[block]).to(self._device.name)] = False
            queries, others = near.nonzero().cpu().numpy().T
            queries = queries + block.start
            exact = score_pairs(Q, Y, queries, others, scale=scale, bias=bias)
            before = (exact > marks[queries]) | ((exact == marks[queries]) & (others < rows[queries]))
            np.add.at(counts, queries[before], 1)

        self._device.walk(Q, Y, visit, "ranks", progress)
        if wide.any():
            counts[wide] = self._cpu.count_better(
                Q[wide], Y, rows[wide], marks[wide], margins[wide], scale=scale, bias=bias, progress=progress
            )
        return counts

    def log_partition(self, Y: Matrix, X: Matrix, beta: float, *, progress: Progress) -> FloatVector:
        """Return the logarithm of the sum of ``exp(beta * inner product)`` over all rows of X."""
        logs = np.empty(len(Y), dtype=np.float32)

        def visit(rows: slice, products: Tensor) -> None:
            logs[rows] = self._torch.logsumexp(products * float(beta), dim=1).cpu().numpy()

        self._device.walk(Y, X, visit, "inverted softmax", progress)
        return logs

    def _choose(
        self, Q: Matrix, Y: Matrix, top: TopRows, lists: NearLists, lengths: NDArray[np.float64], longest: float
    ) -> Best:
        """Choose from lists, and search on the CPU for the queries that these do not settle."""
        margins = error_margins(lengths, longest, Q.shape[1], scale=top.scale, bias=top.bias)
        best, proven = choose_proven(Q, Y, min(top.k, len(Y)), lists, margins, scale=float(top.scale), bias=top.bias)
        unsure = np.flatnonzero(~proven)
        if len(unsure):
            logger.debug("%d of %d queries have too many near-ties for a shortlist", len(unsure), len(Q))
            best.scores[unsure], best.rows[unsure] = self._cpu.top_rows(
                Q[unsure], Y, [top], lengths=lengths[unsure], longest=longest, tiling=TILING, progress=ignore_progress
            )[0]
        return best

    def _choose_both(self, X: Matrix, Y: Matrix, k: int, near: _Wanted) -> tuple[Best, Best]:
        x_lengths, y_lengths = row_lengths(X), row_lengths(Y)
        return (
            self._choose(X, Y, TopRows(k), near.forward, x_lengths, longest_row(y_lengths)),
            self._choose(Y, X, TopRows(k), near.backward, y_lengths, longest_row(x_lengths)),
        )

    def _wanted(self, X: Matrix, Y: Matrix, length: int) -> _Wanted:
        return _Wanted(NearLists.empty(len(X), min(length, len(Y))), NearLists.empty(len(Y), min(length, len(X))))

    def _list_both(self, X: Matrix, Y: Matrix, wanted: Sequence[_Wanted], what: str, progress: Progress) -> None:
        """Fill lists in both directions from one product; those of columns grow from block to block."""
        offsets = [tuple(None if one is None else self._device.place(one) for one in lists[2:]) for lists in wanted]
        columns: list[tuple[Tensor, Tensor] | None] = [None] * len(wanted)

        def visit(rows: slice, products: Tensor) -> None:
            for place, (lists, (y_offsets, x_offsets)) in enumerate(zip(wanted, offsets, strict=True)):
                self._list(products if y_offsets is None else products - y_offsets, lists.forward.part(rows))
                scores = products if x_offsets is None else products - x_offsets[rows, None]
                length = lists.backward.rows.shape[1]
                values, found = self._torch.topk(scores, min(length, len(scores)), dim=0)
                found += rows.start
                if (before := columns[place]) is not None:
                    values, found = self._torch.cat([before[0], values]), self._torch.cat([before[1], found])
                    values, order = self._torch.topk(values, min(length, len(values)), dim=0)
                    found = found.gather(0, order)
                columns[place] = values, found

        self._device.walk(X, Y, visit, what, progress)
        for lists, best in zip(wanted, columns, strict=True):
            if best is not None:
                _fill(lists.backward, best[0].T, best[1].T, complete=len(best[0]) == len(X))

    def _list(self, scores: Tensor, lists: NearLists, products: Tensor = None) -> None:
        """Fill lists with the rows of the best scores, and with their products where these are something else."""
        length = min(lists.rows.shape[1], scores.shape[1])
        values, found = self._torch.topk(scores, length, dim=1)
        _fill(lists, values, found, complete=length == scores.shape[1])
        if products is not None:
            lists.scores[:, :length] = products.gather(1, found).cpu().numpy()


def _fill(lists: NearLists, values: Tensor, found: Tensor, *, complete: bool) -> None:
    """Copy lists from the device, best first; complete ones leave no row out."""
    length = values.shape[1]
    lists.scores[:, :length], lists.rows[:, :length] = values.cpu().numpy(), found.cpu().numpy()
    lists.counts[:] = length
    lists.floors[:] = -np.inf if complete else lists.scores[:, length - 1]


def _drop(lists: NearLists, kept: NDArray[np.bool_]) -> NearLists:
    """Return lists of the kept rows only; the floors stay, since they bound all rows that were not listed."""
    order = np.argsort(~kept, axis=1, kind="stable")
    scores = np.take_along_axis(lists.scores, order, axis=1)
    rows = np.take_along_axis(lists.rows, order, axis=1)
    return NearLists(rows, scores, kept.sum(axis=1).astype(np.int32), lists.floors)
