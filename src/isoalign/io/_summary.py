"""Describe a vector file without loading it completely."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from isoalign._core.arrays import row_lengths
from isoalign._core.display import Tabular
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import PathName
from isoalign.io._compression import compression_of
from isoalign.io._formats import detect_format
from isoalign.io._read import open_vectors

__all__ = ["FileSummary", "summarize_file"]

_QUANTILES = (0, 25, 50, 75, 100)


@dataclass(frozen=True)
class FileSummary(Tabular):
    """Result of `summarize_file`.

    Attributes
    ----------
    format, compression
        Format and compression of the file.
    n_words, dim
        Numbers of words and columns.
    lang, subwords
        Language if known, and whether unseen words have vectors.
    duplicates
        Number of rows whose word occurs in an earlier row.
    zero_rows
        Number of zero rows.
    lengths
        Quantiles of the rows' Euclidean lengths, by percent.
    mean_norm
        Length of the mean row; zero under the second condition of the paper.
    first_words
        The first few words.
    notes
        Counts of skipped rows and repaired words.
    """

    path: str
    format: str
    compression: str | None
    n_words: int
    dim: int
    lang: str | None
    subwords: bool
    duplicates: int
    zero_rows: int
    lengths: dict[str, float]
    mean_norm: float
    first_words: list[str]
    notes: dict[str, Any]

    def to_records(self) -> list[dict[str, Any]]:
        """Return the values as one row, with a column for each quantile of the lengths."""
        lengths = {f"length_{percent}": value for percent, value in self.lengths.items()}
        nested = {"lengths", "first_words", "notes"}
        return [{**{name: value for name, value in vars(self).items() if name not in nested}, **lengths}]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return asdict(self)


def summarize_file(
    path: PathName,
    *,
    limit: int | None = None,
    on_bad: str = "error",
    first: int = 10,
    progress: Progress = ignore_progress,
) -> FileSummary:
    """Read a vector file once, block by block, and describe it."""
    path = Path(path)
    entry = detect_format(path)
    stream = open_vectors(path, format=entry.name, limit=limit, on_bad=on_bad, progress=progress)
    seen: set[str] = set()
    words: list[str] = []
    lengths, total = [], np.zeros(stream.dim)
    for block in stream.blocks:
        words += block.words[: max(first - len(words), 0)]
        seen.update(block.words)
        lengths.append(row_lengths(block.vectors))
        total += block.vectors.sum(axis=0, dtype=np.float64)
    norms = np.concatenate(lengths) if lengths else np.empty(0)
    n_words = len(norms)
    return FileSummary(
        path=str(path),
        format=entry.name,
        compression=None if entry.is_folder else compression_of(path),
        n_words=n_words,
        dim=stream.dim,
        lang=stream.lang,
        subwords=stream.subwords is not None,
        duplicates=n_words - len(seen),
        zero_rows=int((norms == 0).sum()),
        lengths={f"{q}%": float(np.percentile(norms, q)) for q in _QUANTILES if n_words},
        mean_norm=float(np.linalg.norm(total / max(n_words, 1))),
        first_words=words,
        notes=dict(stream.metadata),
    )
