"""Read and write bilingual dictionaries."""

from pathlib import Path

from isoalign._types import PathName
from isoalign.errors import FormatError, InvalidValueError
from isoalign.io._atomic import replacing_file
from isoalign.io._compression import create_binary
from isoalign.io._tables import TableRow, is_comment, read_table
from isoalign.lexicon import Lexicon

__all__ = ["read_lexicon", "write_lexicon"]


def read_lexicon(path: PathName, *, lower: bool = False, on_bad: str = "error") -> Lexicon:
    """Read word pairs: source word and target word, one pair a line, by tab, spaces or comma (``.csv``).

    Blank lines and comments (``#`` and a space) are passed over. A number in a third column is a score.

    Parameters
    ----------
    lower
        Lower-case both words.
    on_bad
        ``"error"`` stops at the first bad line; ``"skip"`` leaves bad lines out, with one warning that counts them.

    Raises
    ------
    FormatError
        If a line has one word, or more than two with nothing but spaces between them.

    Examples
    --------
    >>> train = read_lexicon("en-ja.0-5000.txt")  # doctest: +SKIP
    """
    rows = read_table(path, _parse_pair, columns=2, on_bad=on_bad)
    if not rows:
        raise FormatError(f"{path}: holds no word pairs.")
    pairs = [(source.lower(), target.lower()) if lower else (source, target) for source, target, _ in rows]
    scores = [score for *_, score in rows if score is not None]
    return Lexicon(pairs, scores=scores if len(scores) == len(pairs) else None)


def _parse_pair(row: TableRow) -> tuple[str, str, float | None]:
    source, target, *rest = row.fields
    score = _score(rest)
    if rest and score is None:
        raise FormatError(
            f"{row.place}: expected 2 words, got {len(row.fields)} fields. Put one tab between the two words and "
            "nothing behind them but a score."
        )
    return source, target, score


def _score(rest: list[str]) -> float | None:
    """Return the number in a third column, as `write_lexicon` puts it there."""
    try:
        return float(rest[0]) if len(rest) == 1 else None
    except ValueError:
        return None


def write_lexicon(lexicon: Lexicon, path: PathName, *, overwrite: bool = True) -> None:
    """Write word pairs apart by tabs, with their scores as a third column if they have any."""
    path = Path(path)
    with replacing_file(path, overwrite=overwrite) as temporary, create_binary(temporary, named=path) as file:
        for i, pair in enumerate(lexicon):
            score = "" if lexicon.scores is None else f"\t{lexicon.scores[i]:.6g}"
            line = f"{pair[0]}\t{pair[1]}{score}"
            if not all(map(_can_keep, pair)) or is_comment(line) or line.endswith("\r"):
                raise InvalidValueError(
                    f"{path}: a dictionary cannot keep the pair {pair!r}: a word must not be empty, hold a tab or "
                    "a line end, begin or end in a space, nor make a comment of its line."
                )
            mark = "\ufeff" if i == 0 and line.startswith("\ufeff") else ""  # of which a reader drops one
            try:
                data = f"{mark}{line}\n".encode()
            except UnicodeEncodeError as error:
                raise InvalidValueError(f"{path}: the pair {pair!r} is no Unicode text ({error.reason}).") from None
            file.write(data)


def _can_keep(word: str) -> bool:
    return word != "" and word == word.strip(" ") and not set("\t\n") & set(word)
