"""Registry of vector file formats: names, detection, readers and writers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isoalign._core.registry import Entry, Registry, load_object
from isoalign._core.validate import check_choice
from isoalign.errors import FormatError
from isoalign.io._compression import bare_name, read_head
from isoalign.io._encodings import refuse_utf16
from isoalign.io._signatures import refuse_foreign

__all__ = ["FORMATS", "FORMAT_ENTRIES", "Format", "detect_format", "format_for_writing"]

_HEAD_BYTES = 1 << 16


@dataclass(frozen=True)
class Format:
    """A file format of word vectors.

    Attributes
    ----------
    name
        Name used by ``format=`` and ``--format``.
    about
        One-line description.
    reader, writer
        ``module:function``, imported when used; None if the format is read only.
    suffixes
        Suffixes of file names that choose this format when writing.
    detector
        ``module:function`` that recognises the format by its first bytes and its name.
    is_folder
        Whether the writer fills a folder.
    needs_count
        Whether the writer must know the number of rows in advance.
    beside
        Suffix of a second file that the writer creates next to the first; it gets a temporary name for both.
    """

    name: str
    about: str
    reader: str
    writer: str | None
    suffixes: tuple[str, ...] = ()
    detector: str | None = None
    is_folder: bool = False
    needs_count: bool = False
    beside: str | None = None

    def open_stream(self, path: Path, **options: Any) -> Any:
        """Open a file for reading, see `VectorStream`."""
        return load_object(self.reader)(path, **options)

    def write_stream(self, stream: Any, *temporary: Path, named: Path) -> None:
        """Write a stream to the temporary path, or the two paths, that will become ``named``."""
        if self.writer is None:
            raise FormatError(
                f"{named}: isoalign reads {self.name} files but does not write them. Choose another format."
            )
        load_object(self.writer)(stream, *temporary, named=named)


class _FormatTable(Mapping[str, Format]):
    """Formats by name, including those registered by other packages."""

    def __getitem__(self, name: str) -> Format:
        found: Format = FORMAT_ENTRIES[name].load()
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(FORMAT_ENTRIES)

    def __len__(self) -> int:
        return len(FORMAT_ENTRIES)


_IO = "isoalign.io"
FORMAT_ENTRIES = Registry(
    "format",
    (
        Entry(one.name, "", one.name, one.about, one)
        for one in (
            Format(
                "text",
                "word2vec and fastText text (.vec) with a header line",
                f"{_IO}.text._reader:open_stream",
                f"{_IO}.text._output:write_stream",
                (".vec", ".w2v"),
                needs_count=True,
            ),
            Format(
                "glove",
                "text without a header line",
                f"{_IO}.text._reader:open_glove",
                f"{_IO}.text._output:write_glove",
                (".txt", ".glove"),
            ),
            Format(
                "word2vec",
                "word2vec binary",
                f"{_IO}._word2vec:open_stream",
                f"{_IO}._word2vec:write_stream",
                (".bin",),
                detector=f"{_IO}._word2vec:looks_like",
                needs_count=True,
            ),
            Format(
                "fasttext",
                "fastText model (.bin, .ftz) with vectors for unseen words",
                f"{_IO}._fasttext:open_stream",
                None,
                detector=f"{_IO}._fasttext:looks_like",
            ),
            Format(
                "numpy",
                "NumPy matrix (.npy) with a separate list of words",
                f"{_IO}._numpy:open_stream",
                f"{_IO}._numpy:write_stream",
                (".npy",),
                detector=f"{_IO}._numpy:looks_like",
                needs_count=True,
                beside=".words",
            ),
            Format(
                "parquet",
                "Parquet file with a column of vectors and one of words or ids",
                f"{_IO}._parquet:open_stream",
                None,
                detector=f"{_IO}._parquet:looks_like",
            ),
            Format(
                "parts",
                "folder of parts, native folders or Parquet files, for several machines",
                f"{_IO}._parts:open_stream",
                f"{_IO}._parts:write_stream",
                (".parts",),
                is_folder=True,
            ),
            Format(
                "native",
                "folder of isoalign, opened by memory map",
                f"{_IO}._native:open_stream",
                f"{_IO}._native:write_stream",
                ("", ".iso"),
                is_folder=True,
            ),
        )
    ),
    group="isoalign.formats",
)
FORMATS = _FormatTable()


def detect_format(path: Path) -> Format:
    """Recognise the format of an existing file or folder by its content."""
    from isoalign.io._native import is_native
    from isoalign.io._parts import is_parts
    from isoalign.io.text._reader import has_header

    if is_native(path):
        return FORMATS["native"]
    if is_parts(path):
        return FORMATS["parts"]
    head = read_head(path, _HEAD_BYTES)
    refuse_foreign(head, path)  # inside a compressed file
    refuse_utf16(head, path)
    for entry in FORMATS.values():
        if entry.detector is not None and load_object(entry.detector)(head, path):
            return entry
    return FORMATS["text" if has_header(head) else "glove"]


def format_for_writing(path: Path, name: str | None) -> Format:
    """Return the format with the given name, or that of the file name."""
    if name is not None:
        return FORMATS[check_choice(name, FORMATS, name="format")]
    suffix = Path(bare_name(path)).suffix.lower()
    for entry in FORMATS.values():
        if suffix in entry.suffixes and entry.writer is not None:
            return entry
    known = ", ".join(s for entry in FORMATS.values() for s in entry.suffixes if s)
    raise FormatError(
        f"{path}: cannot tell the format from the name. Use one of {known}, or name the format (--format; native is a "
        "folder)."
    )
