"""Read the only file inside a zip archive, and recognise archives of other programs."""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from isoalign.errors import FormatError

__all__ = ["inner_name", "open_member"]

_DIRECTORY_BYTES = 1 << 22  # a longer list of files is rejected without parsing
_BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # other methods are unpacked without a limit on memory
_OFFICE = {
    "xl/": "an Excel workbook. Save the sheet as CSV (UTF-8) and use that file.",
    "word/": "a Word document. Save the table as plain text (UTF-8) and use that file.",
    "META-INF/manifest.xml": "an OpenDocument file. Save the sheet as CSV (UTF-8) and use that file.",
}


class _BoundedReads:
    """A file that limits single reads to the plausible length of a list of files."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def read(self, size: int = -1) -> bytes:
        """Read the next bytes."""
        data = self._file.read(_DIRECTORY_BYTES + 1 if size < 0 else min(size, _DIRECTORY_BYTES + 1))
        if len(data) > _DIRECTORY_BYTES:
            raise zipfile.BadZipFile(f"its list of files has more than {_DIRECTORY_BYTES:,} bytes")
        return data


@contextmanager
def open_member(path: Path, packed: IO[bytes]) -> Iterator[IO[bytes]]:
    """Open the only file of an archive for reading."""
    with zipfile.ZipFile(_BoundedReads(packed)) as archive:
        member = _find_member(archive, path)
        try:
            file = archive.open(member)
        except (NotImplementedError, RuntimeError) as error:  # an unknown kind of archive; a password
            raise FormatError(f"{path}: cannot unpack: {error}. Unpack it and use the file inside.") from None
        with file:
            yield file


def inner_name(path: Path) -> str:
    """Return the name of the only file in a zip archive."""
    with path.open("rb") as packed, zipfile.ZipFile(_BoundedReads(packed)) as archive:
        return Path(_find_member(archive, path).filename).name


def _find_member(archive: zipfile.ZipFile, path: Path) -> zipfile.ZipInfo:
    names = archive.namelist()
    for mark, what in _OFFICE.items():
        if any(name.startswith(mark) for name in names):
            raise FormatError(f"{path}: is {what}")
    members = [member for member in archive.infolist() if not member.is_dir() and "__MACOSX/" not in member.filename]
    if len(members) != 1:
        listed = ", ".join(member.filename for member in members[:4]) + (", …" if len(members) > 4 else "")
        raise FormatError(
            f"{path}: is a zip archive of {len(members)} files ({listed}). Unpack it and use one of the files."
        )
    if members[0].compress_type not in _BOUNDED:
        raise FormatError(
            f"{path}: is a zip archive with an unsupported compression method. Unpack it and use the file inside."
        )
    return members[0]
