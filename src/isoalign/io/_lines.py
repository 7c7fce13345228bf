"""Read a small text file into memory, within limits."""

from pathlib import Path

from isoalign.errors import FormatError
from isoalign.io._bounds import TABLE_BYTES, TABLE_LINE_BYTES
from isoalign.io._compression import open_binary
from isoalign.io._encodings import decode_text, describe_encoding, guess_encoding
from isoalign.io._signatures import refuse_foreign

__all__ = ["read_lines"]

_PIECE_BYTES = 1 << 20
_HEAD_BYTES = 16


def read_lines(path: Path, *, most: int, keep_returns: bool = False, encoding: str | None = None) -> list[bytes]:
    r"""Return the lines of a file, plain or compressed.

    Lines end at ``\n``; one ``\r`` before it and a byte order mark are dropped. The last line is empty if the file
    ends with a line end.

    Parameters
    ----------
    most
        Maximum number of line ends. The size of the file and of a line are limited by `TABLE_BYTES` and
        `TABLE_LINE_BYTES`.
    keep_returns
        Keep the ``\r`` at the end of a line, which may belong to a quoted field.
    encoding
        Encoding of the file; lines are converted to UTF-8. None: lines are not converted.
    """
    data = bytearray()
    n_lines, open_bytes = 0, 0
    with open_binary(path) as file:
        while piece := file.read(_PIECE_BYTES):
            data += piece
            n_lines += piece.count(b"\n")
            newline = piece.rfind(b"\n")
            open_bytes = open_bytes + len(piece) if newline < 0 else len(piece) - newline - 1
            if len(data) > TABLE_BYTES:
                raise FormatError(f"{path}: has more than {TABLE_BYTES:,} bytes, the maximum for a table.")
            if n_lines > most:
                raise FormatError(f"{path}: has more than {most:,} lines. Is it the right file?")
            if open_bytes > TABLE_LINE_BYTES:
                raise _too_long(path, n_lines + 1)
    refuse_foreign(bytes(data[:_HEAD_BYTES]), path, is_table=True)
    if encoding is not None:
        data = bytearray(decode_text(data, encoding, path))
    elif (guess_encoding(data) or "").startswith("utf-16"):
        raise FormatError(f"{path}: is not UTF-8 text.{describe_encoding(data, path)}")
    lines = bytes(data.removeprefix(b"\xef\xbb\xbf")).split(b"\n")
    if not keep_returns:
        lines = [line.removesuffix(b"\r") for line in lines]
    if max(map(len, lines)) > TABLE_LINE_BYTES:
        raise _too_long(path, next(i for i, line in enumerate(lines, 1) if len(line) > TABLE_LINE_BYTES))
    return lines


def _too_long(path: Path, line: int) -> FormatError:
    return FormatError(f"{path}:{line}: the line has more than {TABLE_LINE_BYTES:,} bytes. Is it a table of words?")
