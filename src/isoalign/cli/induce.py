"""``isoalign induce``: induce a dictionary from a saved alignment."""

from pathlib import Path
from typing import Annotated

import typer

from isoalign.cli._clusters import DaskSearch, connect
from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._costs import DryRun, print_work
from isoalign.cli._induced_pairs import check_form, list_pairs, write_pairs
from isoalign.cli._options import (
    Csv,
    Force,
    FromMember,
    Limit,
    ModelFolder,
    SourceVectors,
    Spreadsheet,
    TargetVectors,
    ToMember,
)
from isoalign.cli._paths import check_output

__all__ = ["induce"]


@command(
    "isoalign induce en-ja -o dictionary.csv -k 5",
    "isoalign induce en-ja --top 1000 --min-margin 0.05",
    searches=True,
)
def induce(
    console: Console,
    model: ModelFolder,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Output file: commas if it ends in .csv, else tabs. - prints it.")
    ] = Path("-"),
    source_name: FromMember = None,
    target_name: ToMember = None,
    best: Annotated[int, typer.Option("-k", min=1, help="Number of translations per word.")] = 1,
    mutual: Annotated[
        bool, typer.Option(help="Only words that are the best translation of their best translation.")
    ] = True,
    min_score: Annotated[float | None, typer.Option(help="Minimum CSLS score of the best translation.")] = None,
    min_margin: Annotated[
        float, typer.Option(help="Minimum margin between the best and the second best translation.")
    ] = 0.0,
    top: Annotated[int | None, typer.Option(min=1, help="Only the N words with the best scores, best first.")] = None,
    max_rank: Annotated[
        int | None, typer.Option(min=1, help="Only pairs among the first N words of each side.")
    ] = None,
    limit: Limit = None,
    source: SourceVectors = None,
    target: TargetVectors = None,
    header: Annotated[
        bool, typer.Option("--header", help="Write a header line and all columns, even with tabs.")
    ] = False,
    csv: Csv = False,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="wechsel: pairs only; fast-align: with log-probability and count, for Trans-Tokenization.",
        ),
    ] = None,
    source_tokenizer: Annotated[
        Path | None,
        typer.Option("--source-tokenizer", help="With fast-align: write words as tokens of this tokenizer.json."),
    ] = None,
    target_tokenizer: Annotated[
        Path | None, typer.Option("--target-tokenizer", help="As --source-tokenizer, for target words.")
    ] = None,
    spreadsheet: Spreadsheet = False,
    dask: DaskSearch = None,
    dry_run: DryRun = False,
    force: Force = False,
) -> None:
    """Induce a dictionary: every source word with its best translations by CSLS.

    --max-rank restricts the pairs to frequent words, but CSLS still uses all words; --limit ignores all other words,
    so that the time does not depend on the size of the vocabularies.

    Words are in the order of the source vectors, most frequent first; with --top, best score first. The columns are
    source word, target word and CSLS score; with a header line also the rank of the translation, whether the two words
    choose each other, and the cosine.
    """
    from isoalign.alignment import load_with_files
    from isoalign.io import escape_formula, format_csv, is_csv, write_lexicon, write_rows
    from isoalign.neighbors import use_workers
    from isoalign.translation import induce_dictionary

    check_output(output, force=force)
    check_form(form, output, others=header or csv or spreadsheet, tokenizers=(source_tokenizer, target_tokenizer))
    with console.progress() as progress, connect(dask) as executor, use_workers(executor):
        alignment = load_with_files(model, source, target, members=(source_name, target_name), progress=progress)
        alignment = alignment if limit is None else alignment.head(limit)
        if dry_run:
            from isoalign.experiments import induce_work

            n, m = (len(alignment.raw(name)) for name in alignment.names)
            print_work(console, "induce", induce_work(n, m, alignment.dim))
            return
        found = induce_dictionary(
            alignment,
            best=best,
            mutual=mutual,
            min_score=min_score,
            min_margin=min_margin,
            top=top,
            max_rank=max_rank,
            progress=progress,
        )
    if form is not None:
        rows = list_pairs(found, alignment, form, (source_tokenizer, target_tokenizer))
        write_pairs(console, rows, output, force=force)
        return
    if spreadsheet:
        found[:] = [
            entry._replace(source=escape_formula(str(entry.source)), target=escape_formula(str(entry.target)))
            for entry in found
        ]
    entries, rows = [entry._asdict() for entry in found], found.to_rows()
    plain = not (header or csv or is_csv(output))
    if str(output) == "-":
        lines = [row[:3] for row in rows[1:]] if plain else rows
        text = format_csv(rows) if csv else "\n".join("\t".join(line) for line in lines)
        console.result("induce", {"n": len(entries), "pairs": entries}, text=text)
        return
    if plain:
        write_lexicon(found.to_lexicon(), output, overwrite=force)
    else:
        write_rows(rows, output, overwrite=force)
    console.result("induce", {"n": len(entries), "path": str(output)}, text=f"wrote {output}: {len(entries)} pairs")
