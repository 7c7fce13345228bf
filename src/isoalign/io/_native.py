"""The native folder: a matrix and a packed vocabulary, memory-mapped whatever their size."""

import json
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from isoalign._core.types import IntVector
from isoalign.errors import FormatError
from isoalign.io._description import read_description
from isoalign.io._leftovers import recover_folder
from isoalign.io._safetensors import RowWriter, map_tensors, write_tensors
from isoalign.io._stream import VectorStream, stream_embeddings
from isoalign.vectors import Embeddings
from isoalign.vocabulary import IntegerKeys, Keys, Vocabulary

__all__ = ["is_incomplete", "is_native", "open_native", "open_stream", "write_native", "write_stream"]

_KIND = "isoalign-embeddings"
_VERSION = 1
_METADATA, _VECTORS, _WORDS = "metadata.json", "vectors.safetensors", "vocabulary.safetensors"


def is_native(path: Path) -> bool:
    """Return whether a path is a folder that this module wrote."""
    recover_folder(path)
    try:
        return (path / _METADATA).is_file() and (path / _VECTORS).is_file()
    except OSError:  # no permission, or a name that is too long: the reader will report it
        return False


def is_incomplete(path: Path) -> bool:
    """Return whether a path is a folder with some of the files that this module writes, but not all."""
    there = [(path / name).is_file() for name in (_METADATA, _VECTORS, _WORDS)]
    return any(there) and not all(there)


def open_native(path: Path, *, mode: Literal["r", "r+"] = "r") -> Embeddings:
    """Open a native folder by memory map; words are decoded at the first look-up.

    Parameters
    ----------
    mode
        ``"r+"`` maps the matrix writable: changes are written to the file.
    """
    about = read_description(path / _METADATA, kind=_KIND, version=_VERSION, what="word vectors")
    lang, metadata = about.get("lang"), about.get("metadata", {})
    if not isinstance(lang, str | None) or not isinstance(metadata, dict):
        raise FormatError(f"{path / _METADATA}: damaged (lang or metadata is of the wrong kind).")
    (vectors,) = _tensors(path / _VECTORS, {"vectors": 2}, mode=mode)
    keys = _open_keys(path, len(vectors), about.get("keys", "words"))
    if vectors.dtype.kind != "f":
        raise FormatError(f"{path / _VECTORS}: expected a tensor of real numbers, got {vectors.dtype}.")
    return Embeddings(keys, vectors, lang=lang, metadata=metadata)


def _open_keys(path: Path, n_rows: int, kind: Any) -> Keys:
    if kind == "integers":
        (keys,) = _tensors(path / _WORDS, {"keys": 1})
        if keys.dtype != np.int64 or len(keys) != n_rows:
            raise FormatError(f"{path}: {n_rows} vectors but {len(keys)} keys. Is a file cut off or exchanged?")
        return IntegerKeys(keys)
    blob, offsets = _tensors(path / _WORDS, {"bytes": 1, "offsets": 1})
    _check_vocabulary(path, n_rows, blob, offsets)
    return Vocabulary.from_packed(blob, offsets)


def _tensors(path: Path, wanted: dict[str, int], *, mode: Literal["r", "r+"] = "r") -> list[NDArray[Any]]:
    """Map the tensors of the given names and numbers of dimensions."""
    tensors = map_tensors(path, mode=mode)
    for name, ndim in wanted.items():
        if name not in tensors or tensors[name].ndim != ndim:
            raise FormatError(f"{path}: contains no tensor {name!r} with {ndim} dimension(s).")
    return [tensors[name] for name in wanted]


def _check_vocabulary(path: Path, n_rows: int, blob: NDArray[Any], offsets: IntVector) -> None:
    if blob.dtype != np.uint8 or offsets.dtype != np.int64 or len(offsets) != n_rows + 1:
        raise FormatError(f"{path}: {n_rows} vectors but {len(offsets) - 1} words. Is a file cut off or exchanged?")
    # Only the ends are checked, so that opening takes the same time for any size.
    if offsets[0] != 0 or offsets[-1] != len(blob):
        raise FormatError(f"{path / _WORDS}: its offsets do not fit its bytes. Is the file damaged?")


def open_stream(path: Path, *, on_bad: str = "error") -> VectorStream:  # noqa: ARG001  (every reader takes it)
    """Stream the rows of a native folder."""
    return stream_embeddings(open_native(path))


def write_stream(stream: VectorStream, folder: Path, *, named: Path) -> None:  # noqa: ARG001  (every writer takes it)
    """Write a stream into an existing, empty folder; only a block and the packed words are in memory."""
    blob = bytearray()
    ends = [0]
    numbers: list[int] = []
    with RowWriter(folder / _VECTORS, name="vectors", dim=stream.dim, dtype=stream.dtype) as rows:
        for block in stream.blocks:
            rows.append(block.vectors)
            if stream.integer_keys:
                numbers += map(int, block.words)
                continue
            for word in block.words:
                blob += word.encode()
                ends.append(len(blob))
    packed: dict[str, NDArray[Any]] = {
        "bytes": np.frombuffer(blob, dtype=np.uint8),
        "offsets": np.array(ends, dtype=np.int64),
    }
    about = {"kind": _KIND, "version": _VERSION, "lang": stream.lang, "metadata": stream.metadata}
    if stream.integer_keys:
        packed, about["keys"] = {"keys": np.array(numbers, dtype=np.int64)}, "integers"
    write_tensors(folder / _WORDS, packed)
    (folder / _METADATA).write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def write_native(embeddings: Embeddings, folder: Path) -> None:
    """Write embeddings into an existing, empty folder."""
    write_stream(stream_embeddings(embeddings), folder, named=folder)
