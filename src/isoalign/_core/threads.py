"""Choose the number of threads, and run work on them without changing global settings permanently."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import cache
from threading import Event, Lock
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

__all__ = ["blas_libraries", "limit_threads", "map_threads", "single_threaded_blas", "thread_count"]

T = TypeVar("T")
R = TypeVar("R")


@cache
def _blas() -> ThreadpoolController:
    import numpy  # noqa: F401  (its BLAS must be loaded before the controller looks for it)

    return ThreadpoolController().select(user_api="blas")


def thread_count() -> int:
    """Return how many threads numeric work may use.

    The number is the one BLAS would use, so ``OMP_NUM_THREADS``, ``OPENBLAS_NUM_THREADS`` and
    ``threadpoolctl.threadpool_limits`` all apply, but never more than the cores this process may run on.
    """
    if _single.depth:
        return _single.threads_before
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    blas = [int(library["num_threads"]) for library in blas_libraries()]
    return max(1, min([available, *blas]))


def blas_libraries() -> list[dict[str, Any]]:
    """Return threadpoolctl's description of the BLAS libraries in this process."""
    libraries: list[dict[str, Any]] = _blas().info()
    return libraries


@contextmanager
def limit_threads(threads: int | None) -> Iterator[None]:
    """Limit the threads of numeric work inside the block; None changes nothing."""
    if threads is None:
        yield
        return
    with _blas().limit(limits=threads):
        yield


class _SingleThreaded:
    """Count the callers that limit BLAS to one thread, so that the last one restores it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.depth = 0
        self.threads_before = 1
        self.limiter: Any = None

    def enter(self) -> None:
        with self.lock:
            if self.depth == 0:
                self.threads_before = thread_count()
                _free_control()
                self.limiter = _blas().limit(limits=1)
            self.depth += 1

    def leave(self) -> None:
        with self.lock:
            self.depth -= 1
            if self.depth == 0:
                _free_control()
                self.limiter.restore_original_limits()
                _free_control()
                self.limiter = None


def _free_control() -> None:
    """Allow this thread to set the number of BLAS threads after another thread has set it.

    threadpoolctl ignores all but the first thread that sets a limit. Our limits are set under a lock by the first
    thread to enter and the last one to leave.
    """
    for library in _blas().lib_controllers:
        clear = getattr(library, "clear_controlling_thread", None)
        if clear is not None:
            clear(force=True)


_single = _SingleThreaded()


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Limit BLAS to one thread per call while several workers run in parallel, then restore it."""
    _single.enter()
    try:
        yield
    finally:
        _single.leave()


def map_threads(
    function: Callable[[T], R],
    items: Iterable[T],
    *,
    threads: int | None = None,
    stop: Event | None = None,
    done: Callable[[int], None] | None = None,
) -> list[R]:
    """Apply a function that releases the interpreter lock to every item, on several threads.

    Results are in the order of the items. The first exception, including ``KeyboardInterrupt``, cancels items that
    have not started and is raised here.

    Parameters
    ----------
    function, items
        The function, and the items to apply it to.
    threads
        Number of threads; None for :func:`thread_count`.
    stop
        Set at the first exception. A function that runs for more than a second should check it and return early.
    done
        Called on the calling thread with the number of results so far.
    """
    items = list(items)
    threads = min(threads or thread_count(), len(items)) if len(items) > 1 else 1  # counting takes longer than a row
    if threads <= 1:
        return _collect(map(function, items), done)
    # All threads of the pool may be waiting for tasks like this one, so a task inside it gets a pool of its own.
    with ThreadPoolExecutor(threads) if _is_worker.get() else nullcontext(_find_pool(threads)) as pool:
        return _wait_for([pool.submit(function, item) for item in items], stop, done)


def _wait_for(futures: list[Future[R]], stop: Event | None, done: Callable[[int], None] | None) -> list[R]:
    """Return all results; whatever happens, nothing is running afterwards."""
    try:
        return _collect((future.result() for future in futures), done)
    except BaseException:
        if stop is not None:
            stop.set()
        raise
    finally:
        for future in futures:
            future.cancel()
        wait(futures)


_pools: dict[int, ThreadPoolExecutor] = {}  # by number of threads; starting threads takes longer than small tasks
_pools_lock = Lock()
_is_worker: ContextVar[bool] = ContextVar("_is_worker", default=False)


def _find_pool(threads: int) -> ThreadPoolExecutor:
    """Return the pool with a number of threads, which is kept until the process ends."""
    with _pools_lock:
        if threads not in _pools:
            _pools[threads] = ThreadPoolExecutor(threads, initializer=_is_worker.set, initargs=(True,))
        return _pools[threads]


def _forget_pools() -> None:
    """Start again in a forked process: the threads stay with the parent."""
    _pools.clear()
    _pools_lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_pools_lock.acquire, after_in_parent=_pools_lock.release, after_in_child=_forget_pools)


def _collect(results: Iterator[R], done: Callable[[int], None] | None) -> list[R]:
    collected = []
    for result in results:
        collected.append(result)
        if done is not None:
            done(len(collected))
    return collected
