"""Progress callbacks: the protocol, a callback that does nothing, and one that draws a bar."""

import sys
from time import monotonic
from typing import Protocol, TypeAlias

__all__ = ["Progress", "ProgressLike", "as_progress", "ignore_progress"]

_WIDTH = 24
_SECONDS = 0.1  # between two drawings


class Progress(Protocol):
    """Progress callback."""

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Report the name of the stage, the units done, and the total number of units (None if unknown).

        A colon after the name separates it from current figures, such as ``self_learning: keep 0.1``.
        """
        ...


ProgressLike: TypeAlias = Progress | bool
"""A callback; True draws a bar on standard error, False draws none."""


def ignore_progress(what: str, done: int, total: int | None) -> None:
    """Ignore a progress report."""


def as_progress(progress: ProgressLike) -> Progress:
    """Return the callback for an argument ``progress``."""
    if isinstance(progress, bool):
        return _Bar() if progress else ignore_progress
    return progress


class _Bar:
    """Draw one line on standard error, which works in terminals and notebooks."""

    def __init__(self) -> None:
        self._drawn = 0.0
        self._length = 0

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Draw the bar, followed by a line end if it is finished."""
        finished = total is not None and done >= total
        if not finished and monotonic() - self._drawn < _SECONDS:
            return
        self._drawn = monotonic()
        filled = _WIDTH * done // total if total else 0
        bar = f"{'█' * filled}{'░' * (_WIDTH - filled)} {done:,} of {total:,}" if total else f"{done:,}"
        stage, _, figures = what.partition(": ")
        line = f"{stage[:32]:<32} {bar} {figures}".rstrip()
        sys.stderr.write(f"\r{line:<{self._length}}" + ("\n" if finished else ""))
        self._length = 0 if finished else len(line)
        sys.stderr.flush()
