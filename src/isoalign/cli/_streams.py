"""Make standard input and output usable whatever the shell made of them: closed, or unable to write most letters."""

import io
import os
import sys

__all__ = ["describe_unwritable", "prepare_streams"]

_MODES = {"stdin": "r", "stdout": "w", "stderr": "w"}


def prepare_streams() -> None:
    """Open closed streams to nowhere, and let streams of an ASCII locale carry UTF-8.

    An encoding that was asked for by ``PYTHONIOENCODING`` stays.
    """
    closed = [name for name in _MODES if getattr(sys, name) is None]
    for name in closed:  # in order, so that each takes its own place, and no other file does
        setattr(sys, name, open(os.devnull, _MODES[name], encoding="utf-8"))  # noqa: PTH123, SIM115
    if "stdout" in closed:
        print("warning: standard output is closed; what would go there is lost.", file=sys.stderr)  # noqa: T201
    for stream in (sys.stdout, sys.stderr):
        is_ascii = isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() in ("ascii", "ansi_x3.4-1968")
        if is_ascii and "PYTHONIOENCODING" not in os.environ:
            stream.reconfigure(encoding="utf-8")  # type: ignore[union-attr]


def describe_unwritable(error: UnicodeEncodeError) -> str:
    """Say which letter a stream cannot write, and what to do."""
    letter = error.object[error.start]
    return f"the encoding {error.encoding} cannot write {letter!r}. Set PYTHONIOENCODING=utf-8 for standard output."
