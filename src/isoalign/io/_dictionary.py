"""Read and write bilingual dictionaries."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from isoalign._core.types import Key, PathName
from isoalign.errors import FormatError, InvalidValueError, IsoalignWarning
from isoalign.io._atomic import replacing_file
from isoalign.io._bounds import WORD_CHARACTERS
from isoalign.io._compression import create_binary
from isoalign.io._layouts import describe_header
from isoalign.io._separated import format_csv, is_csv
from isoalign.io._tables import TableRow, has_titles, is_comment, read_table
from isoalign.io._words import check_unicode, rewrite_word
from isoalign.lexicon import Lexicon

__all__ = ["read_lexicon", "write_lexicon"]

TITLES = ("source", "target", "score")


def read_lexicon(
    path: PathName,
    *,
    lower: bool = False,
    unicode: str | None = None,
    swap: bool = False,
    encoding: str | None = None,
    on_bad: str = "error",
) -> Lexicon:
    """Read word pairs, one per line, separated by a tab, spaces or a comma (``.csv``).

    Blank lines and comments (``#`` and a space) are skipped. A number in the third column is a score. If the first line
    is a header with ``source`` and ``target``, and perhaps ``score``, only these columns are read.

    Parameters
    ----------
    path
        Text, plain or compressed with gzip, bz2, xz, zstd or zip.
    lower
        Lower-case both words.
    unicode
        Convert both words to the Unicode form ``"NFC"`` or ``"NFKC"``.
    swap
        Whether the target word comes first.
    encoding
        Encoding of the file, such as ``"utf-16"`` or ``"latin-1"``; None is UTF-8.
    on_bad
        ``"error"`` stops at the first bad line; ``"skip"`` skips bad lines and warns once with their number.

    Raises
    ------
    FormatError
        If a line has one word, or more than two words separated by spaces.

    Examples
    --------
    >>> train = read_lexicon("en-ja.0-5000.txt")  # doctest: +SKIP
    """
    check_unicode(unicode)
    rows = read_table(path, _parse_pair, columns=2, titles=TITLES, encoding=encoding, on_bad=on_bad)
    if not rows:
        raise FormatError(f"{path}: contains no word pairs.")
    pairs = [(rewrite_word(a, lower, unicode), rewrite_word(b, lower, unicode)) for a, b, _ in rows]
    scores = [score for *_, score in rows if score is not None]
    lexicon = Lexicon(pairs, scores=scores if len(scores) == len(pairs) else None)
    return lexicon.inverse() if swap else lexicon


def _parse_pair(row: TableRow) -> tuple[str, str, float | None]:
    source, target, *rest = row.fields
    if row.is_first and (header := describe_header(row.fields, row.place)):
        warnings.warn(header, IsoalignWarning, stacklevel=4)
    score = _score(rest)
    if rest and score is None:
        raise FormatError(
            f"{row.place}: expected 2 words, got {len(row.fields)} fields. Put one tab between the two words and "
            "nothing except a score after them."
        )
    return source, target, score


def _score(rest: list[str]) -> float | None:
    """Return the score in a third column, as written by `write_lexicon`."""
    try:
        return float(rest[0]) if len(rest) == 1 else None
    except ValueError:
        return None


def write_lexicon(
    lexicon: Lexicon | Iterable[tuple[Key, Key]] | Mapping[Key, Key | Iterable[Key]],
    path: PathName,
    *,
    header: bool | None = None,
    overwrite: bool = True,
) -> None:
    """Write word pairs, with their scores in a third column if they have any.

    Parameters
    ----------
    lexicon
        Word pairs.
    path
        Comma-separated values if the name ends in ``.csv``, else tab-separated values.
    header
        Whether to begin with the names of the columns; None: in ``.csv`` files only.
    overwrite
        Whether an existing file may be replaced.
    """
    lexicon = lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon)
    path, titles = Path(path), TITLES[: 2 if lexicon.scores is None else 3]
    scores = [()] * len(lexicon) if lexicon.scores is None else [(f"{score:.6g}",) for score in lexicon.scores]
    rows = [(str(a), str(b), *score) for (a, b), score in zip(lexicon, scores, strict=True)]
    commas = is_csv(path)
    for row in rows:
        _check_words(row, path, commas=commas)
    if header or (header is None and commas) or (rows and has_titles(rows[0], TITLES[:2])):
        rows.insert(0, titles)
    text = format_csv(rows) if commas else "".join("\t".join(row) + "\n" for row in rows)
    mark = "\ufeff" if text.startswith("\ufeff") else ""  # of which a reader drops one
    try:
        data = f"{mark}{text}".encode()
    except UnicodeEncodeError as error:
        pair = next(row for row in rows if not _is_unicode("".join(row)))[:2]
        raise InvalidValueError(f"{path}: the pair {pair!r} is not Unicode text ({error.reason}).") from None
    with replacing_file(path, overwrite=overwrite) as temporary, create_binary(temporary, named=path) as file:
        file.write(data)


def _check_words(row: Sequence[str], path: Path, *, commas: bool) -> None:
    """Raise an error for a pair that would not be read back as it was written."""
    if not all(0 < len(word) <= WORD_CHARACTERS for word in row[:2]):
        raise InvalidValueError(
            f"{path}: a dictionary cannot hold the pair {tuple(row[:2])!r}: a word must neither be empty nor have more "
            f"than {WORD_CHARACTERS} characters."
        )
    line = "\t".join(row)
    plain = all(word == word.strip(" ") and not set("\t\n") & set(word) for word in row[:2])
    if not commas and (not plain or is_comment(line) or line.endswith("\r")):
        raise InvalidValueError(
            f"{path}: tab-separated lines cannot hold the pair {tuple(row[:2])!r}: a word must not contain a tab or a "
            "line end, begin or end with a space, or turn its line into a comment. Write a .csv file."
        )


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)
