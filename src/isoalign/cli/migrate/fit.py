"""``isoalign migrate fit``: learn the map between two embedding models."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._options import Force
from isoalign.cli._paths import check_output
from isoalign.cli._settings import Settings, parse_settings
from isoalign.cli.migrate._inputs import Column, Inputs, Method, New, NewQueries, Old, OldQueries, Use, read_inputs

__all__ = ["fit"]


@command(
    "isoalign migrate fit old.npy new.npy -o adapter",
    "isoalign migrate fit old.npy new.npy -o adapter --use corpus",
    searches=True,
)
def fit(
    console: Console,
    old: Old,
    new: New,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the adapter.")],
    use: Use = "queries",
    method: Method = "auto",
    settings: Settings = None,
    old_queries: OldQueries = None,
    new_queries: NewQueries = None,
    old_name: Annotated[str | None, typer.Option("--old-name", help="Name of the old model, for the record.")] = None,
    new_name: Annotated[str | None, typer.Option("--new-name", help="Name of the new model, for the record.")] = None,
    unpaired: Annotated[
        bool, typer.Option("--unpaired", help="The files hold different texts: match their clusters.")
    ] = False,
    column: Column = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the held-out items.")] = 0,
    force: Force = False,
) -> None:
    """Fit an adapter on items (and queries) that both models have embedded."""
    from isoalign._core.validate import check_choice
    from isoalign.errors import IsoalignError, ParameterError
    from isoalign.migration import fit_adapter, read_items

    check_output(output, force=force, folder=True)
    chosen: Any = check_choice(use, ("corpus", "queries"), name="--use")
    if unpaired:
        if old_queries is not None or new_queries is not None:
            raise ParameterError("Queries embedded by both models are pairs: fit on them, without --unpaired.")
        inputs = Inputs(read_items(old, column=column), read_items(new, column=column), None, None)
    else:
        inputs = read_inputs(old, new, old_queries, new_queries, None, column)
    with console.progress() as progress:
        adapter = fit_adapter(
            inputs.old,
            inputs.new,
            use=chosen,
            method=method,
            settings=parse_settings(settings),
            queries=inputs.queries,
            paired=not unpaired,
            old_name=old_name or old.name,
            new_name=new_name or new.name,
            random_state=seed,
            progress=progress,
        )
    record = adapter.record_
    if unpaired and record["verdict"]["status"] == "failed":
        raise IsoalignError(f"{record['verdict']['text']} Nothing was written.")
    adapter.save(output, overwrite=force)
    console.result("migrate-fit", {**record, "written": str(output)}, text=f"{_summarize(record)}\nwrote {output}")


def _summarize(record: Mapping[str, Any]) -> str:
    dims = f"{record['source']['dim']} → {record['target']['dim']} dimensions"
    if not record["pairs"]:
        return f"{record['method']}: {dims}\n{record['verdict']['text']}"
    held_out = record["held_out"]
    return (
        f"{record['method']} {record['settings']}: {dims}, {record['pairs']} pairs\n"
        f"{held_out['recall']:.1%} of the {held_out['k']} nearest neighbours of {held_out['items']} held-out items are "
        f"kept (shuffled pairs: {held_out['null']:.1%})"
    )
