"""Say who else searches."""

from collections.abc import Iterator
from contextlib import contextmanager

from isoalign._core.executor import Executor
from isoalign.neighbors.engine import SharedBackend, use_backend

__all__ = ["use_workers"]


@contextmanager
def use_workers(executor: Executor | None) -> Iterator[None]:
    """Share large searches inside the block out to the workers of an executor; None searches here.

    The answers are those of one machine, to the bit, if the workers have the same kind of processor. Rows that lie in a
    file are opened by name, on a disk that all workers see; others travel.

    Parameters
    ----------
    executor
        Such as `isoalign.experiments.Dask`, best in a ``with`` block of its own, which keeps the connection.
    """
    if executor is None:
        yield
        return
    with use_backend(SharedBackend(executor)):
        yield
