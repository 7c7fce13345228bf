"""``isoalign translate``: translate words with a saved alignment."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from isoalign.cli._command import command
from isoalign.cli._completion import complete_retrieval
from isoalign.cli._console import Console
from isoalign.cli._names import RETRIEVALS
from isoalign.cli._options import Csv, FromMember, ModelFolder, SourceVectors, TargetVectors, ToMember
from isoalign.cli._streams import decode_word
from isoalign.neighbors import DEFAULT_RETRIEVAL

if TYPE_CHECKING:
    from isoalign.translation import TranslationLists, Translations

__all__ = ["translate"]

_SUGGESTED = 20  # unknown words for which close spellings are searched


@command(
    "isoalign translate en-ja river mountain",
    "isoalign translate en-ja --reverse --csv < words.txt > translations.csv",
    searches=True,
)
def translate(
    console: Console,
    model: ModelFolder,
    words: Annotated[
        list[str] | None, typer.Argument(help="Words; without any, or with -, read from standard input, one per line.")
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="Number of translations.")] = 5,
    retrieval: Annotated[
        str, typer.Option(help=f"{RETRIEVALS}.", autocompletion=complete_retrieval)
    ] = DEFAULT_RETRIEVAL,
    source_name: FromMember = None,
    target_name: ToMember = None,
    reverse: Annotated[bool, typer.Option("--reverse", "-r", help="Translate from the target to the source.")] = False,
    source: SourceVectors = None,
    target: TargetVectors = None,
    csv: Csv = False,
) -> None:
    """Translate words, best translation first, with scores.

    Every word has a line, even if unknown; a word that is known only in another case is looked up in that case.
    """
    from isoalign.alignment import load_with_files
    from isoalign.errors import UnknownWordError
    from isoalign.io import format_csv
    from isoalign.translation import Translator

    if not words or words == ["-"]:
        lines = sys.stdin.buffer.read().decode(errors="replace").split("\n")
        words = [word for line in lines if (word := line.strip(" \t\r"))]
    else:
        words = [decode_word(word) for word in words]
    with console.progress() as progress:
        alignment = load_with_files(model, source, target, members=(source_name, target_name), progress=progress)
        translator = Translator(alignment, retrieval=retrieval)
        found = translator.translate(words, k=k, reverse=reverse, unknown="skip")
    pair = translator.pair.reverse() if reverse else translator.pair
    asked, other = pair.source.raw, pair.target
    unknown = [some.word for some in found if not some]
    close = {word: asked.close_spellings(str(word)) for word in unknown[:_SUGGESTED] if asked.has_words}
    advice = f"It is a word of {other.name}: {'omit' if reverse else 'use'} --reverse."
    foreign = {word: advice for word in unknown if word in other.raw}
    data = {
        "retrieval": retrieval,
        "direction": " → ".join(reversed(alignment.names) if reverse else alignment.names),
        "translations": [_as_json(some, close) for some in found],
    }
    if csv or console.json or any(found) or len(words) > 1:
        table = [row for some in found for row in _rows(some, close, foreign)]
        console.result("translate", data, text=format_csv(_csv_rows(found)) if csv else console.table(table))
    if len(unknown) == len(words) == 1:
        try:
            asked.get_index(words[0])  # its error suggests similar spellings
        except UnknownWordError as error:
            raise UnknownWordError(" ".join([str(error), *foreign.values()])) from None
    if words and len(unknown) == len(words):
        raise UnknownWordError(f"None of the {len(words)} words is known.")


def _as_json(some: "Translations", close: dict[Any, list[str]]) -> dict[str, Any]:
    if not some:
        return {"word": some.word, "best": [], "unknown": True, "close": close.get(some.word, [])}
    return {"word": some.word, "looked_up": some.looked_up, "best": [entry._asdict() for entry in some]}


def _csv_rows(found: "TranslationLists") -> list[list[str]]:
    columns = ["word", "looked_up", "rank", "translation", "score"]
    records = [record for some in found for record in some.to_records() or [{"word": some.word}]]
    return [columns, *([str(record.get(column, "")) for column in columns] for record in records)]


def _rows(
    some: "Translations", close: dict[Any, list[str]], foreign: dict[Any, str]
) -> list[tuple[str, str, str | None]]:
    if not some:
        if some.word in foreign:
            return [(str(some.word), f"unknown. {foreign[some.word]}", None)]
        like = ", ".join(close.get(some.word, []))
        return [(str(some.word), "unknown" + (f"; close spellings: {like}" if like else ""), None)]
    return [
        (str(some.word) if rank == 0 else "", str(entry.word), f"{entry.score:.4f}") for rank, entry in enumerate(some)
    ]
