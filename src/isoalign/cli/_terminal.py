"""Escape control characters in untrusted text before it reaches the terminal.

Only output to a terminal is changed; pipes and files receive every character unchanged.
"""

import logging
import re
import sys
from typing import TextIO

__all__ = ["TerminalFormatter", "escape_controls", "write_text"]

# C0 except tab and line feed, DEL and C1, and characters that change the writing direction.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def escape_controls(text: str) -> str:
    r"""Replace control characters by escapes.

    >>> escape_controls("red: \x1b[31m")
    'red: \\x1b[31m'
    """
    return _CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def write_text(stream: TextIO, text: str) -> None:
    """Write text, with its control characters escaped if the stream is a terminal."""
    stream.write(escape_controls(text) if stream.isatty() else text)


class TerminalFormatter(logging.Formatter):
    """Format log records for standard error, in the style of the notes of commands.

    Parameters
    ----------
    with_names
        Whether to include the name of the logger.
    """

    def __init__(self, *, with_names: bool = False) -> None:
        super().__init__(logging.BASIC_FORMAT if with_names else "%(message)s")
        self._with_names = with_names

    def format(self, record: logging.LogRecord) -> str:
        """Return the line with control characters escaped."""
        line = super().format(record)
        if not self._with_names:
            line = f"{record.levelname.lower()}: {line}"
        return escape_controls(line) if sys.stderr.isatty() else line
