"""Recognise files of other programs by their first bytes, so that no archive is parsed as word vectors."""

import re
from pathlib import Path

from isoalign.errors import FormatError

__all__ = ["refuse_foreign"]

_UNPACK = "Unpack it and use the file inside."
_EXPORT = "Export it as .vec text first."
# Each has a byte that no text begins with; "PK" or "Rar!" alone could be words.
_FOREIGN = {
    rb"PK(?:\x03\x04|\x05\x06|\x07\x08)": f"a zip archive. {_UNPACK}",
    rb"7z\xbc\xaf\x27\x1c": f"a 7z archive. {_UNPACK}",
    rb"Rar!\x1a\x07": f"a RAR archive. {_UNPACK}",
    rb"\x80[\x02-\x05]": f"a Python pickle, which is never opened because it could run any program. {_EXPORT}",
    rb"\x89HDF\r\n": f"an HDF5 file. {_EXPORT}",
    rb"SQLite format 3\x00": f"an SQLite database. {_EXPORT}",
    rb"\x7fELF": "a program. Give a vector file.",
    rb"\x89PNG\r\n": "an image. Give a vector file.",
}
# Supported as vectors, but not as a table of words.
_VECTORS = {rb"PAR1\x15": f"a Parquet file. {_EXPORT}"}


def refuse_foreign(head: bytes, path: Path, *, is_table: bool = False) -> None:
    """Raise `FormatError` if the first bytes of a file are those of an unsupported format."""
    for signature, what in ({**_FOREIGN, **_VECTORS} if is_table else _FOREIGN).items():
        if re.match(signature, head):
            raise FormatError(f"{path}: is {what}")
