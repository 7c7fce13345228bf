"""Induced dictionaries in the formats of vocabulary-transfer programs."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from isoalign.cli._console import Console

if TYPE_CHECKING:
    from isoalign.alignment import Alignment
    from isoalign.translation import InducedDictionary

__all__ = ["check_form", "list_pairs", "write_pairs"]

_FORMS = ("fast-align", "wechsel")


def check_form(form: str | None, output: Path, *, others: bool, tokenizers: tuple[Path | None, Path | None]) -> None:
    """Raise an error for an unknown format, or for options that it does not support."""
    from isoalign._core.validate import check_choice
    from isoalign.errors import ParameterError
    from isoalign.io import is_csv

    given = sum(one is not None for one in tokenizers)
    if form is not None:
        check_choice(form, _FORMS, name="--format")
        if others or is_csv(output):
            raise ParameterError(f"--format {form} is separated by tabs. Omit --header, --csv, --spreadsheet and .csv.")
    if given == 1 or (given and form != "fast-align"):
        raise ParameterError("--source-tokenizer and --target-tokenizer go together, with --format fast-align.")


def list_pairs(
    found: "InducedDictionary", model: "Alignment", form: str, tokenizers: tuple[Path | None, Path | None]
) -> Sequence[Sequence[str]]:
    """Return the rows of a format."""
    from isoalign.transfer import list_fast_align, read_tokens

    if form == "wechsel":
        return [(str(entry.source), str(entry.target)) for entry in found]
    old, new = tokenizers
    tokens = None if old is None or new is None else (read_tokens(old), read_tokens(new))
    return list_fast_align(found, model.pair().source.raw, tokens=tokens)


def write_pairs(console: Console, rows: Sequence[Sequence[str]], output: Path, *, force: bool) -> None:
    """Write rows of tab-separated fields to a file, or print them."""
    from isoalign.io import write_rows

    if str(output) == "-":
        text = "\n".join("\t".join(row) for row in rows)
        console.result("induce", {"n": len(rows), "pairs": [list(row) for row in rows]}, text=text)
        return
    write_rows(rows, output, overwrite=force)
    console.result("induce", {"n": len(rows), "path": str(output)}, text=f"wrote {output}: {len(rows)} pairs")
