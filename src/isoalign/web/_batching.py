"""Answer requests that are waiting at the same time with one call.

While one product runs on the worker thread, requests are collected; the next product answers all requests of the same
kind to the same model. An idle server answers immediately, a busy one in batches that grow with its load.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from isoalign.web._limits import LIMITS, Limits

__all__ = ["Batcher", "BusyError"]


class BusyError(Exception):
    """Too many words are already waiting."""


@dataclass
class _Queued:
    key: Hashable
    run: Callable[[Sequence[str]], list[Any]]
    words: Sequence[str]
    size: int
    answer: "asyncio.Future[list[Any]]"


class Batcher:
    """One worker thread and the requests that wait for it.

    Parameters
    ----------
    limits
        Largest number of words in a batch, and of words waiting.
    """

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._jobs: deque[_Queued] = deque()
        self._waiting = 0
        self._arrived = asyncio.Event()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="isoalign-lookup")
        self._loop: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Batcher":
        self._loop = asyncio.create_task(self._serve())
        return self

    async def __aexit__(self, *_error: object) -> None:
        if self._loop is not None:
            self._loop.cancel()
        self._worker.shutdown(wait=False, cancel_futures=True)

    async def submit(
        self, function: Callable[..., list[Any]], *arguments: Any, words: Sequence[str], size: int | None = None
    ) -> list[Any]:
        """Return ``function(*arguments, words)``, computed together with other calls with the same arguments.

        More words than a batch holds are split into several, so that smaller requests are answered in between.

        Parameters
        ----------
        function, arguments, words
            The call; its result has one entry per word.
        size
            Largest number of words in a batch. None: that of `Limits.batch`.

        Raises
        ------
        BusyError
            If too many words are waiting already.
        """
        size = size or self._limits.batch
        key, run = (function, *arguments), partial(function, *arguments)
        answers: list[Any] = []
        for start in range(0, len(words), size):
            answer = asyncio.get_running_loop().create_future()
            answers += await self._wait_for(_Queued(key, run, words[start : start + size], size, answer))
        return answers

    async def run(self, function: Callable[[], Any]) -> Any:
        """Run something else on the worker thread, between two batches."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, function)

    async def _wait_for(self, job: _Queued) -> list[Any]:
        if self._waiting + len(job.words) > self._limits.waiting:
            raise BusyError
        self._waiting += len(job.words)
        self._jobs.append(job)
        self._arrived.set()
        try:
            return await job.answer
        finally:
            self._waiting -= len(job.words)

    async def _serve(self) -> None:
        while True:
            await self._arrived.wait()
            batch = self._take()
            if not batch:
                self._arrived.clear()
                continue
            words = [word for job in batch for word in job.words]
            try:
                answers = await self.run(partial(batch[0].run, words))
            except Exception as error:  # noqa: BLE001  (whatever it is, it belongs to the requests of the batch)
                for job in batch:
                    if not job.answer.done():
                        job.answer.set_exception(error)
                continue
            for job in batch:
                own, answers = answers[: len(job.words)], answers[len(job.words) :]
                if not job.answer.done():
                    job.answer.set_result(own)

    def _take(self) -> list[_Queued]:
        """Take the oldest job and others of the same kind, up to a batch; drop cancelled jobs."""
        batch: list[_Queued] = []
        left: deque[_Queued] = deque()
        taken = 0
        for job in self._jobs:
            if job.answer.done():
                continue
            if not batch or (job.key == batch[0].key and taken + len(job.words) <= batch[0].size):
                batch.append(job)
                taken += len(job.words)
            else:
                left.append(job)
        self._jobs = left
        return batch
