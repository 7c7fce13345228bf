"""Executors: processes on this machine, or the workers of a Dask scheduler."""

import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Self, TypeAlias, TypeVar

from isoalign._core.optional import import_extra
from isoalign._core.threads import limit_threads, thread_count
from isoalign._core.validate import check_count
from isoalign.errors import IsoalignError, IsoalignWarning, ParameterError
from isoalign.experiments._orphans import dask_setup, follow_parent
from isoalign.io import read_vectors
from isoalign.vectors import Embeddings

__all__ = ["Dask", "LocalProcesses"]


T = TypeVar("T")
Work: TypeAlias = Callable[..., Iterable[Any]]


class LocalProcesses:
    """Run tasks in parallel processes on this machine, which share the BLAS threads.

    Parameters
    ----------
    jobs
        Number of processes.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = check_count(jobs, name="jobs")

    def run(self, function: Work, tasks: Iterable[T]) -> Iterator[tuple[T, Iterable[Any]]]:
        """See `Executor`."""
        threads = max(thread_count() // self.jobs, 1)
        # Forked processes would inherit the locks of threads that they do not have.
        with ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn"), initializer=follow_parent) as pool:
            try:
                yield from _keep_busy(
                    lambda task: pool.submit(_run_whole, function, task, threads=threads), tasks, lambda: self.jobs
                )
            except BrokenProcessPool as error:
                raise IsoalignError(
                    "A worker process ended abruptly, perhaps for lack of memory. Finished results are kept: start "
                    "again, with fewer --jobs."
                ) from error
            except BaseException:  # Ctrl-C, or the caller stopped iterating: running tasks may take hours
                for process in list((pool._processes or {}).values()):
                    process.terminate()
                raise


class Dask:
    """Run tasks on the workers of a Dask scheduler; if a worker is lost, its task is repeated elsewhere.

    In a ``with`` block, the connection, or the cluster on this machine, is created once and used for all runs.

    Parameters
    ----------
    address
        Address of the scheduler, such as ``tcp://host:8786``; None starts a cluster on this machine.
    jobs
        Number of workers of the local cluster.
    ship
        Whether to send the vectors of a sweep to all workers over the network. Otherwise workers open them by path, on
        a shared disk.
    timeout
        Seconds to wait for a response of the scheduler.
    """

    def __init__(self, address: str | None = None, *, jobs: int = 2, ship: bool = False, timeout: float = 10) -> None:
        self.address, self.jobs, self.ship = address, check_count(jobs, name="jobs"), ship
        self.timeout = timeout
        self._client: Any = None
        self._warned = False

    def __enter__(self) -> Self:
        self._client = self._connect(import_extra("distributed", extra="dask"))
        return self

    def __exit__(self, *failure: object) -> None:
        client, self._client = self._client, None
        client.close()

    def run(self, function: Work, tasks: Iterable[T]) -> Iterator[tuple[T, Iterable[Any]]]:
        """See `Executor`."""
        distributed = import_extra("distributed", extra="dask")
        # Workers of an external scheduler keep their number of threads.
        threads = max(thread_count() // self.jobs, 1) if self.address is None else None
        # Rows that are not in a file are sent with their task, as documented; Dask would warn for each task.
        quiet = import_extra("dask.config", extra="dask").set(
            {"distributed.admin.large-graph-warning-threshold": "1TB"}
        )
        with quiet, self._connected(distributed) as client, client.get_executor(pure=False) as pool:
            if client.status == "closed":  # it gave up between two runs
                raise _lost(self.address)
            address = client.scheduler.address

            @lru_cache(maxsize=4)
            def send(path: Path) -> Any:
                # Under a new name every time: Dask may still be about to release what was sent under the same one.
                return client.scatter(_load(path), broadcast=True, hash=False)

            def submit(task: Any) -> "Future[list[Any]]":
                self._warn_without_workers(client, address)
                shipped = [send(path) for path in task.spools] if self.ship else []
                sent = task.without_paths() if self.ship else task
                future: Future[list[Any]] = pool.submit(_run_whole, function, sent, *shipped, threads=threads)
                # Dask may release vectors that nothing refers to before it has seen the task that needs them.
                future.add_done_callback(lambda _, kept=shipped: None)  # type: ignore[misc]  # noqa: ARG005
                return future

            try:
                yield from _keep_busy(submit, tasks, lambda: 2 * max(len(client.nthreads()), 1))
            except distributed.scheduler.KilledWorker as error:
                raise IsoalignError(
                    f"The same task ended several workers in a row, perhaps for lack of memory ({error}). Start "
                    "again with more memory for each worker: finished cells and parts are kept."
                ) from error
            except IsoalignError:
                raise  # including errors while a task is created
            except (OSError, CancelledError) as error:
                if getattr(error, "filename", None) is not None:
                    raise  # of a file, not of the connection
                raise _lost(address) from error

    def _warn_without_workers(self, client: Any, address: str) -> None:
        """Warn once if a task has to wait for the first worker."""
        if not self._warned and not client.nthreads():
            self._warned = True
            warnings.warn(f"The scheduler at {address} has no workers; waiting for one.", IsoalignWarning, stacklevel=2)

    @contextmanager
    def _connected(self, distributed: Any) -> Iterator[Any]:
        """Yield the connection of the ``with`` block, or one for a single run."""
        if self._client is not None:
            yield self._client
            return
        with self._connect(distributed) as client:
            yield client

    def _connect(self, distributed: Any) -> Any:
        if self.address is None:
            return distributed.Client(
                n_workers=self.jobs, threads_per_worker=1, dashboard_address=":0", preload=[dask_setup.__module__]
            )
        try:
            if not self.address.startswith(("inproc://", "ucx://")):  # which need no port
                distributed.comm.get_address_host_port(self.address)
        except ValueError as error:  # no port, or an unknown scheme
            raise ParameterError(
                f"{self.address!r} is not the address of a scheduler. Use tcp://host:8786 or local."
            ) from error
        try:
            return distributed.Client(self.address, timeout=self.timeout)
        except OSError as error:
            raise ParameterError(f"No Dask scheduler answers at {self.address} ({error}). Is it running?") from error


def _lost(address: str | None) -> IsoalignError:
    return IsoalignError(
        f"The Dask scheduler at {address} was lost. Start again when it is back: finished cells and parts are kept."
    )


def _run_whole(function: Work, *arguments: Any, threads: int | None = None) -> list[Any]:
    with limit_threads(threads):
        return list(function(*arguments))


def _load(path: Path) -> Embeddings:
    """Read a spool into memory, so that it can be sent."""
    mapped = read_vectors(path)
    return Embeddings(list(mapped.keys), mapped.vectors.copy(), lang=mapped.lang)


def _keep_busy(
    submit: "Callable[[T], Future[list[Any]]]", tasks: Iterable[T], width: Callable[[], int]
) -> Iterator[tuple[T, list[Any]]]:
    """Keep `width()` tasks running; their spools are created when they start and removed when they end."""
    remaining, running = iter(tasks), dict[Future[list[Any]], T]()
    try:
        while True:
            for task in islice(remaining, max(width() - len(running), 0)):
                running[submit(task)] = task
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        for future in running:
            future.cancel()
