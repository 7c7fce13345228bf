"""The shape of a progress callback, and the one that does nothing."""

from typing import Protocol

__all__ = ["Progress", "ignore_progress"]


class Progress(Protocol):
    """Hear how far a long computation has come; only the command line turns this into a bar."""

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Take the name of the stage, the units done, and all units (None: unknown)."""
        ...


def ignore_progress(what: str, done: int, total: int | None) -> None:
    """Drop a progress report."""
