"""Read lists of words, with or without scores."""

from isoalign._core.types import PathName
from isoalign.errors import FormatError
from isoalign.io._tables import TableRow, parse_score, read_table

__all__ = ["read_scores", "read_words"]


def read_words(path: PathName) -> list[str]:
    """Read a list of words, one per line, without duplicates; only the first of tab-separated columns is read."""
    words = list(dict.fromkeys(read_table(path, lambda row: row.fields[0], columns=1)))
    if not words:
        raise FormatError(f"{path}: contains no words.")
    return words


def read_scores(path: PathName) -> dict[str, float]:
    """Read words with scores: word, score, separated by tabs, spaces or commas; the first line may be a header.

    The graded lists of SemEval-2020 task 1 have this format.
    """
    rows = read_table(path, _parse_score, columns=2)
    if not rows:
        raise FormatError(f"{path}: contains no words with scores.")
    scores = dict(rows)
    if len(scores) < len(rows):
        words = [word for word, _ in rows]
        twice = next(word for place, word in enumerate(words) if word in words[:place])
        raise FormatError(f"{path}: every word must have one score. {twice!r} occurs twice. Remove one of its lines.")
    return scores


def _parse_score(row: TableRow) -> tuple[str, float] | None:
    word, text = row.fields[:2]
    score = parse_score(row, text, column="second")
    return None if score is None else (word, score)
