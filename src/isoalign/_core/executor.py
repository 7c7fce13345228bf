"""What runs tasks that do not depend on each other; packages above offer processes and clusters."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

__all__ = ["Executor", "InProcess"]

T = TypeVar("T")


class Executor(Protocol):
    """Run tasks, in any order, and hand out what each yields."""

    def run(self, function: Callable[[T], Iterable[Any]], tasks: Iterable[T]) -> Iterator[tuple[T, Iterable[Any]]]:
        """Yield every task with its outcomes; tasks are drawn only when they can run."""
        ...


class InProcess:
    """Run one task after another here, and hand out every outcome as soon as it is there."""

    def run(self, function: Callable[[T], Iterable[Any]], tasks: Iterable[T]) -> Iterator[tuple[T, Iterable[Any]]]:
        """See `Executor`."""
        for task in tasks:
            yield task, function(task)
