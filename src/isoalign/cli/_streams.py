"""Make standard streams usable even if they are closed or have an ASCII encoding."""

import io
import os
import sys

__all__ = ["decode_word", "describe_unwritable", "prepare_streams"]

_MODES = {"stdin": "r", "stdout": "w", "stderr": "w"}


def prepare_streams() -> None:
    """Redirect closed streams to the null device, and use UTF-8 for streams of an ASCII locale.

    An encoding set by ``PYTHONIOENCODING`` is kept.
    """
    closed = [name for name in _MODES if getattr(sys, name) is None]
    for name in closed:  # in order, so that each gets its own file descriptor
        setattr(sys, name, open(os.devnull, _MODES[name], encoding="utf-8"))  # noqa: PTH123, SIM115
    if "stdout" in closed:
        print("warning: standard output is closed; output is discarded.", file=sys.stderr)  # noqa: T201
    for stream in (sys.stdout, sys.stderr):
        is_ascii = isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() in ("ascii", "ansi_x3.4-1968")
        if is_ascii and "PYTHONIOENCODING" not in os.environ:
            stream.reconfigure(encoding="utf-8")  # type: ignore[union-attr]


def decode_word(argument: str) -> str:
    """Return a word of the command line as UTF-8, which Python cannot decode in an ASCII locale."""
    return os.fsencode(argument).decode(errors="replace")


def describe_unwritable(error: UnicodeEncodeError) -> str:
    """Return a message that names the character a stream cannot write, and what to do."""
    letter = error.object[error.start]
    return f"the encoding {error.encoding} cannot write {letter!r}. Set PYTHONIOENCODING=utf-8 for standard output."
