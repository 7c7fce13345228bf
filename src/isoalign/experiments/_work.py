r"""Cost of large computations: operations, bytes read and written, bytes shuffled between machines.

For n words in d columns, in P parts, with R rounds of Iterative Normalization:

* *normalize* passes over the rows R + 1 times, for their second moment, and for the result: :math:`4 n d (R + 3)` bytes
  are read; means and sums are sent.
* *apply* reads every row once; the map is sent to every part.
* *a search* of q queries among m rows takes :math:`2 q m d` operations. The longer side is split into parts; every task
  opens one of them and the whole other side, and returns the best k. Rows that are not in a file are sent too.
* *evaluate* searches for the test words, and for the words whose CSLS means it needs.
* *induce* compares all words once; lists of near words are sent for both sides.
"""

from dataclasses import astuple, dataclass

from isoalign.alignment import Sizes
from isoalign.neighbors import SHARING, SharingSettings, shared_parts

__all__ = ["Work", "apply_work", "evaluate_work", "induce_work", "normalize_work", "search_work"]

_VALUE, _DOUBLE = 4, 8
_FOUND = 8  # bytes of a score and a row number


@dataclass(frozen=True)
class Work:
    """Cost of a computation.

    Attributes
    ----------
    operations
        Multiplications and additions.
    read, written
        Bytes from and to disks.
    shuffled
        Bytes sent between the calling process and the workers, if any.
    """

    operations: float
    read: float
    written: float = 0.0
    shuffled: float = 0.0

    def __add__(self, other: "Work") -> "Work":
        return Work(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    def seconds(self, rate: float) -> float:
        """Return the time of the operations at a rate per second."""
        return self.operations / rate


def normalize_work(n: int, dim: int, *, rounds: int = 5, parts: int = 1) -> Work:
    """Return the cost of Iterative Normalization."""
    table = float(_VALUE * n * dim)
    sums = _DOUBLE * parts * dim * (rounds + 1 + dim)
    means = _DOUBLE * parts * dim * (rounds * (rounds + 1) / 2 + 2 * rounds)
    return Work(2.0 * n * dim * dim + 4.0 * n * dim * (rounds + 1), table * (rounds + 3), table, sums + means)


def apply_work(n: int, dim: int, *, parts: int = 1) -> Work:
    """Return the cost of applying a square map to rows."""
    table = float(_VALUE * n * dim)
    return Work(2.0 * n * dim * dim, table, table, float(_DOUBLE * parts * dim * dim))


def search_work(
    queries: int, rows: int, dim: int, *, k: int, in_file: bool = True, sharing: SharingSettings = SHARING
) -> Work:
    """Return the cost of finding the k best rows of every query.

    Parameters
    ----------
    queries, rows, dim
        Sizes.
    k
        Number of rows to find.
    in_file
        Whether the shorter side is in a file, or must be sent to every part of the longer one.
    sharing
        Into how many parts the longer side is split.
    """
    long, short = max(queries, rows), min(queries, rows)
    parts = shared_parts(long, sharing)
    found = _FOUND * k * (queries if queries > rows else queries * parts)
    sent = 0 if in_file else _VALUE * dim * parts * short
    read = _VALUE * dim * (long + (parts * short if in_file else 0))
    return Work(2.0 * queries * rows * dim, float(read), 0.0, float(found + sent))


def evaluate_work(sizes: Sizes, *, best: int = 10, k: int = 10) -> Work:
    """Return the cost of ranking the test words by CSLS."""
    asked = search_work(sizes.test[0], sizes.m, sizes.dim, k=best + k, in_file=False)
    means = search_work(min(round(sizes.lazy_means(best)), sizes.m), sizes.n, sizes.dim, k=k, in_file=False)
    both = asked + means
    return Work(sizes.csls(best), both.read, 0.0, both.shuffled)


def induce_work(n: int, m: int, dim: int, *, sharing: SharingSettings = SHARING) -> Work:
    """Return the cost of a dictionary in which words of both sides choose among all words of the other side."""
    parts = shared_parts(n, sharing)
    return Work(
        2.0 * n * m * dim, float(_VALUE * dim * (n + parts * m)), 0.0, float(_FOUND * sharing.listed * (n + parts * m))
    )
