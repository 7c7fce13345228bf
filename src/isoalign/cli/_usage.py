"""Wrong usage, told without control characters."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from isoalign.cli._terminal import escape_controls

__all__ = ["harmless_usage"]


@contextmanager
def harmless_usage() -> Iterator[None]:
    """Escape control characters in what is said about wrong arguments, on a terminal."""
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message") and sys.stderr.isatty():  # one of those that typer prints itself
            error.message = escape_controls(error.message)  # type: ignore[attr-defined]
        raise
