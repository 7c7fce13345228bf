"""Read items and judgments from files, for fitting and measuring."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from isoalign._core.types import Matrix, PathName, RowPairs
from isoalign.errors import FormatError
from isoalign.io import TABLE_LINES, check_readable, read_lines, read_vectors
from isoalign.migration._stores import open_source, widen
from isoalign.migration._stores._open import STORES
from isoalign.vectors import Embeddings

__all__ = ["given_items", "read_items", "read_judgments"]


def read_items(path: PathName, *, column: str | None = None) -> Embeddings | Matrix:
    """Read all vectors of a file, with ids if it has them; formats of `read_vectors` are supported too.

    Parameters
    ----------
    path
        A store that `apply_adapter` reads, or word vectors.
    column
        Column, field, data set or array of the vectors, if there are several.
    """
    path = Path(path)
    if path.suffix.lower() not in STORES or (path.is_dir() and not any(path.glob("*.parquet"))):
        return read_vectors(path)
    source = open_source(path, column=column)
    vectors = np.concatenate([widen(chunk.vectors, name=str(path)) for chunk in source.chunks()])
    ids = source.ids()
    return vectors if ids is None else Embeddings(ids, vectors)


def given_items(value: Any) -> Any:
    """Return vectors as they are; a path is read."""
    return read_items(value) if isinstance(value, (str, PathLike)) else value


def read_judgments(path: PathName, *, queries: Sequence[Any], documents: Sequence[Any]) -> RowPairs:
    """Read relevance judgments: lines ``query document`` or, as in TREC, ``query 0 document grade``.

    Documents of grade 0, and lines with an unknown query or document, are skipped.

    Parameters
    ----------
    path
        The file.
    queries, documents
        Ids of the rows; a ``range`` if rows are only numbered.
    """
    places = [{str(name): row for row, name in enumerate(names)} for names in (queries, documents)]
    rows = []
    for number, line in enumerate(read_lines(check_readable(path), most=TABLE_LINES), 1):
        try:
            fields = [field for field in line.decode().replace("\t", " ").split(" ") if field.strip()]
        except UnicodeDecodeError as error:
            raise FormatError(f"{path}:{number}: not UTF-8 ({error.reason}).") from error
        if not fields:
            continue
        if len(fields) not in (2, 4):
            raise FormatError(f"{path}:{number}: expected 'query document' or 'query 0 document grade'.")
        if len(fields) == 4 and not _grade(fields[3], f"{path}:{number}") > 0:
            continue
        pair = [place.get(name) for place, name in zip(places, (fields[0], fields[len(fields) // 2]), strict=True)]
        if None not in pair:
            rows.append(pair)
    if not rows:
        raise FormatError(f"{path}: no line names a query and a document that are there.")
    return np.array(rows, dtype=np.int64)


def _grade(text: str, place: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise FormatError(f"{place}: the grade must be a number. Got {text[:40]!r}.") from None
