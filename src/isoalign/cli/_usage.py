"""Usage errors without control characters."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from isoalign.cli._terminal import escape_controls

__all__ = ["harmless_usage"]


@contextmanager
def harmless_usage() -> Iterator[None]:
    """Escape control characters in usage errors on a terminal."""
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message") and sys.stderr.isatty():  # typer prints these itself
            error.message = escape_controls(error.message)  # type: ignore[attr-defined]
        raise
