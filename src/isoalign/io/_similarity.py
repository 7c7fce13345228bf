"""Read word-similarity sets: pairs of words with human similarity scores."""

from dataclasses import dataclass
from pathlib import Path

from isoalign._core.types import PathName
from isoalign.errors import FormatError
from isoalign.io._tables import TableRow, parse_score, read_table

__all__ = ["SimilaritySet", "read_similarity"]


@dataclass(frozen=True)
class SimilaritySet:
    """Word pairs with human scores.

    Attributes
    ----------
    name
        File name without its suffix.
    pairs
        The two words; for a cross-lingual set, one of each language.
    scores
        One number per pair; higher is more similar.
    """

    name: str
    pairs: list[tuple[str, str]]
    scores: list[float]

    def __len__(self) -> int:
        return len(self.pairs)


def read_similarity(path: PathName, *, lower: bool = True, on_bad: str = "error") -> SimilaritySet:
    """Read a similarity set: word, word, score, separated by tabs, spaces or commas; the first line may be a header.

    Parameters
    ----------
    lower
        Lower-case the words, as the usual evaluators do.
    on_bad
        ``"error"`` stops at the first bad line; ``"skip"`` skips bad lines and warns once with their number.
    """
    rows = read_table(path, _parse_judgment, columns=3, on_bad=on_bad)
    if not rows:
        raise FormatError(f"{path}: contains no word pairs with scores.")
    pairs = [(first.lower(), second.lower()) if lower else (first, second) for first, second, _ in rows]
    return SimilaritySet(Path(path).stem, pairs, [score for *_, score in rows])


def _parse_judgment(row: TableRow) -> tuple[str, str, float] | None:
    first, second, text = row.fields[:3]
    score = parse_score(row, text, column="third")
    return None if score is None else (first, second, score)
