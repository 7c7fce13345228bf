"""Distribute searches among workers."""

from collections.abc import Iterator
from contextlib import contextmanager

from isoalign._core.executor import Executor
from isoalign.neighbors.engine import SHARING, SharedBackend, SharingSettings, use_backend

__all__ = ["use_workers"]


@contextmanager
def use_workers(executor: Executor | None, *, sharing: SharingSettings = SHARING) -> Iterator[None]:
    """Distribute large searches inside the block among the workers of an executor; None searches in this process.

    The answers are bitwise identical to those of one machine if the workers have the same kind of processor. Rows in a
    file are opened by path, on a disk that all workers can access; other rows are sent.

    Parameters
    ----------
    executor
        Such as `isoalign.experiments.Dask`, preferably in a ``with`` block, which keeps the connection.
    sharing
        Which searches are large, and into how many parts they are split.
    """
    if executor is None:
        yield
        return
    with use_backend(SharedBackend(executor, sharing)):
        yield
