"""Execution of independent tasks; other packages add processes and clusters."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

__all__ = ["Executor", "InProcess"]

T = TypeVar("T")


class Executor(Protocol):
    """Run tasks in any order, and yield their outcomes."""

    def run(self, function: Callable[[T], Iterable[Any]], tasks: Iterable[T]) -> Iterator[tuple[T, Iterable[Any]]]:
        """Yield every task with its outcomes; tasks are taken from the iterator only when they can run."""
        ...


class InProcess:
    """Run one task after another in this process, and yield every outcome as soon as it is available."""

    def run(self, function: Callable[[T], Iterable[Any]], tasks: Iterable[T]) -> Iterator[tuple[T, Iterable[Any]]]:
        """See `Executor`."""
        for task in tasks:
            yield task, function(task)
