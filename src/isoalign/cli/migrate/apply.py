"""``isoalign migrate apply``: map stored vectors with an adapter."""

from pathlib import Path
from typing import Annotated

import typer

from isoalign.cli._clusters import DaskParts, connect
from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._options import Force
from isoalign.cli.migrate._inputs import AdapterFolder, Column

__all__ = ["apply"]


@command(
    "isoalign migrate apply adapter corpus.parquet -o mapped.parquet",
    "isoalign migrate apply adapter --from sqlite:///items.db --table items",
)
def apply(
    console: Console,
    adapter: AdapterFolder,
    big: Annotated[Path | None, typer.Argument(metavar="BIG", help="File, native folder, or folder of parts.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Output; the format follows from the suffix.")
    ] = None,
    column: Column = None,
    database: Annotated[
        str | None, typer.Option("--from", help="postgresql://… or sqlite:///FILE, instead of BIG.")
    ] = None,
    table: Annotated[str | None, typer.Option("--table", help="Table of the database.")] = None,
    to_column: Annotated[
        str | None, typer.Option("--to-column", help="Column to add (virtual SQLite tables: table to add).")
    ] = None,
    key: Annotated[str | None, typer.Option("--key", help="Primary key, if it is not detected.")] = None,
    allow_mismatch: Annotated[
        bool, typer.Option("--allow-mismatch", help="Accept vectors that seem to come from another model.")
    ] = False,
    dask: DaskParts = None,
    force: Force = False,
) -> None:
    """Map all stored vectors; after an interruption, the same command resumes."""
    from isoalign.errors import ParameterError
    from isoalign.migration import Adapter, apply_adapter, apply_to_database

    loaded = Adapter.load(adapter)
    if database is not None:
        if table is None or column is None or to_column is None or big is not None or dask is not None:
            raise ParameterError("--from takes --table, --column and --to-column, and neither BIG nor --dask.")
        with console.progress() as progress:
            done = apply_to_database(
                loaded,
                database,
                table=table,
                column=column,
                to_column=to_column,
                key=key,
                allow_mismatch=allow_mismatch,
                progress=progress,
            )
        text = f"{done.rows} rows have {to_column} ({done.resumed} from before); undo with:\n{done.rollback}"
        console.result("migrate-apply", vars(done), text=text)
        return
    if big is None or output is None:
        raise ParameterError("Give the vectors and the output: isoalign migrate apply ADAPTER BIG -o OUT.")
    with console.progress() as progress, connect(dask) as executor:
        applied = apply_adapter(
            loaded,
            big,
            output,
            column=column,
            allow_mismatch=allow_mismatch,
            overwrite=force,
            executor=executor,
            progress=progress,
        )
    if applied.widened is not None:
        console.note(f"note: {applied.widened} was widened to float32.")
    text = f"wrote {output}: {applied.rows} rows ({applied.resumed} from before)"
    console.result("migrate-apply", {**vars(applied), "written": str(output)}, text=text)
