"""Read word-similarity sets: two words and how similar people find them."""

from dataclasses import dataclass
from pathlib import Path

from isoalign._types import PathName
from isoalign.errors import FormatError
from isoalign.io._tables import read_rows

__all__ = ["SimilaritySet", "read_similarity"]


@dataclass(frozen=True)
class SimilaritySet:
    """Word pairs with human scores.

    Attributes
    ----------
    name
        As the file is called.
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


def read_similarity(path: PathName, *, lower: bool = True) -> SimilaritySet:
    """Read a word-similarity set: word, word, score, by tab, spaces or comma (``.csv``).

    Parameters
    ----------
    lower
        Lower-case the words, as the usual evaluators do.
    """
    pairs: list[tuple[str, str]] = []
    scores: list[float] = []
    for row in read_rows(path, columns=3):
        try:
            score = float(row.fields[2])
        except ValueError:
            if not pairs:
                continue  # a line of column titles
            raise FormatError(f"{path}:{row.line}: expected a score, got {row.fields[2]!r}.") from None
        first, second = row.fields[:2]
        pairs.append((first.lower(), second.lower()) if lower else (first, second))
        scores.append(score)
    if not pairs:
        raise FormatError(f"{path}: holds no word pairs with scores.")
    return SimilaritySet(Path(path).stem, pairs, scores)
