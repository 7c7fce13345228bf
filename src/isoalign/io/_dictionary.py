"""Read and write bilingual dictionaries."""

from pathlib import Path

from isoalign._types import PathName
from isoalign.errors import FormatError
from isoalign.io._atomic import replacing_file
from isoalign.io._compression import create_binary
from isoalign.io._tables import read_rows
from isoalign.lexicon import Lexicon

__all__ = ["read_lexicon", "write_lexicon"]


def read_lexicon(path: PathName, *, lower: bool = False) -> Lexicon:
    """Read word pairs: source word and target word, one pair a line, by tab, spaces or comma (``.csv``).

    Parameters
    ----------
    lower
        Lower-case both words.

    Raises
    ------
    FormatError
        If a line has one word, or more than two with nothing but spaces between them.

    Examples
    --------
    >>> train = read_lexicon("en-ja.0-5000.txt")  # doctest: +SKIP
    """
    pairs, scores = [], []
    for row in read_rows(path, columns=2):
        source, target, *rest = row.fields
        score = _score(rest)
        if rest and score is None:
            raise FormatError(
                f"{path}:{row.line}: expected 2 words, got {len(row.fields)} fields. Put a tab between the two words."
            )
        pairs.append((source.lower(), target.lower()) if lower else (source, target))
        scores.append(score)
    if not pairs:
        raise FormatError(f"{path}: holds no word pairs.")
    known = [score for score in scores if score is not None]
    return Lexicon(pairs, scores=known if len(known) == len(pairs) else None)


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
            if any(set("\t\n") & set(word) for word in pair):
                raise FormatError(f"{path}: the pair {pair!r} holds a tab or a line end, which the file cannot keep.")
            score = "" if lexicon.scores is None else f"\t{lexicon.scores[i]:.6g}"
            file.write(f"{pair[0]}\t{pair[1]}{score}\n".encode())
