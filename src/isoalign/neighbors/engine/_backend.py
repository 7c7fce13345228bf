"""Backends: where the products of a search are computed.

A backend computes products and says which rows could be among the best; the choice is always made by exact inner
products, summed in float64 on the CPU. So the answers are bitwise identical on every backend.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from isoalign._core.progress import Progress
from isoalign._core.types import FloatVector, IntVector, Matrix
from isoalign.neighbors.engine._near_lists import NearLists
from isoalign.neighbors.engine._tiles import Tiling

if TYPE_CHECKING:
    from isoalign.neighbors.engine._stochastic import KeptSide
    from isoalign.neighbors.engine._top_rows import Best, TopRows

__all__ = ["CslsLists", "SearchBackend", "SearchMemory", "current_backend", "use_backend"]


class SearchMemory(NamedTuple):
    """What a search found for sources and targets; it speeds up a search in similar spaces of the same sizes.

    Attributes
    ----------
    nearest
        Rows of the k nearest words of the other side, (n, k) and (m, k).
    floors
        Products that the lists of sources and targets exceeded, (n,) and (m,).
    """

    nearest: tuple[IntVector, IntVector]
    floors: tuple[FloatVector, FloatVector]


class CslsLists(NamedTuple):
    """Results of a product that CSLS in both directions needs.

    Attributes
    ----------
    nearest
        The k best rows of every source and of every target.
    forward, backward
        Lists of near rows for the sources and targets that choose.
    """

    nearest: "tuple[Best, Best]"
    forward: NearLists
    backward: NearLists


class SearchBackend(Protocol):
    """The calls that perform nearly all operations of a search.

    Matrices are C-contiguous float32, have the same number of columns, and their products fit in float32. Scores are
    ``scale * inner product - bias``, ties go to the lower row, and ``progress`` is called with the name of the stage.
    """

    def top_rows(
        self,
        Q: Matrix,
        Y: Matrix,
        wanted: "Sequence[TopRows]",
        *,
        lengths: NDArray[np.float64],
        longest: float,
        tiling: Tiling,
        progress: Progress,
    ) -> "list[Best]":
        """Return the best rows of Y for every row of Q, by each of the scores that are wanted.

        ``lengths`` are those of the rows of Q, and no row of Y is longer than ``longest``.
        """

    def top_both(
        self, X: Matrix, Y: Matrix, k: int, *, tiling: Tiling, what: str, progress: Progress
    ) -> "tuple[Best, Best]":
        """Return the k best rows of Y for every row of X, and of X for every row of Y."""

    def near_lists(self, Q: Matrix, Y: Matrix, length: int) -> NearLists:
        """Return a list of near rows of Y for every row of Q, best first, with room for ``length`` rows."""

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
        """Return the k best rows in both directions, and lists for the first sources and targets.

        ``about`` is what an earlier search in similar spaces found; a backend may use it.
        """

    def kept_lists(
        self, X: Matrix, Y: Matrix, k: int, *, forward: "KeptSide", backward: "KeptSide", progress: Progress
    ) -> "tuple[Best, Best]":
        """Return the k best rows in both directions, and fill the lists of kept rows of both sides."""

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
        """Count the rows of Y that come before the given one of every query, whose exact score is its mark."""

    def log_partition(self, Y: Matrix, X: Matrix, beta: float, *, progress: Progress) -> FloatVector:
        """Return the logarithm of the sum of ``exp(beta * inner product)`` over all rows of X, for every row of Y."""


_in_use: list[SearchBackend] = []


def current_backend() -> SearchBackend:
    """Return the backend of this process: the CPU, unless :func:`use_backend` says otherwise."""
    if not _in_use:
        from isoalign.neighbors.engine._cpu import CpuBackend  # here, because it imports this module

        _in_use.append(CpuBackend())
    return _in_use[-1]


@contextmanager
def use_backend(backend: SearchBackend) -> Iterator[None]:
    """Search with a backend inside the block, on all threads of the process."""
    current_backend()  # so that the CPU is the backend below
    _in_use.append(backend)
    try:
        yield
    finally:
        _in_use.remove(backend)
