"""Options and files that the commands of ``migrate`` share."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from isoalign.cli._completion import complete_adapter
from isoalign.cli._console import Console

if TYPE_CHECKING:
    from isoalign.migration import MigrationPlan

__all__ = [
    "AdapterFolder",
    "Column",
    "Inputs",
    "Judgments",
    "Method",
    "NVectors",
    "New",
    "NewQueries",
    "Old",
    "OldQueries",
    "Use",
    "make_plan",
    "read_inputs",
]

Old = Annotated[Path, typer.Argument(metavar="OLD", help="Items embedded by the old model.")]
New = Annotated[Path, typer.Argument(metavar="NEW", help="The same items by the new model: same order, or with ids.")]
AdapterFolder = Annotated[Path, typer.Argument(metavar="ADAPTER", help="Folder written by isoalign migrate fit.")]
Use = Annotated[
    str,
    typer.Option(
        "--use", help="queries: map new queries to the old index; corpus: map stored vectors to the new model."
    ),
]
Method = Annotated[
    str,
    typer.Option(
        "--method",
        "-m",
        help="Adapter: procrustes, ridge, reduced_rank, shrunk, adjoint, local, kernel, mlp; auto chooses one on "
        "held-out items.",
        autocompletion=complete_adapter,
    ),
]
Column = Annotated[
    str | None, typer.Option("--column", help="Column, field, data set or array of the vectors, if there are several.")
]
OldQueries = Annotated[Path | None, typer.Option("--old-queries", help="Queries embedded by the old model.")]
NewQueries = Annotated[Path | None, typer.Option("--new-queries", help="The same queries by the new model.")]
Judgments = Annotated[
    Path | None, typer.Option("--relevant", help="Lines 'query document' (ids or row numbers), or TREC judgments.")
]
NVectors = Annotated[int, typer.Option("--vectors", "-n", min=1, help="Number of vectors for the time estimate.")]


class Inputs(NamedTuple):
    """Items of both models, and optional queries and judgments."""

    old: Any
    new: Any
    queries: tuple[Any, Any] | None
    relevant: Any


def read_inputs(
    old: Path, new: Path, old_queries: Path | None, new_queries: Path | None, relevant: Path | None, column: str | None
) -> Inputs:
    """Read items, queries and judgments, and join them by id if they have ids."""
    import numpy as np

    from isoalign.errors import ParameterError
    from isoalign.migration import join_items, read_items, read_judgments, shared_keys

    if (old_queries is None) != (new_queries is None):
        raise ParameterError("Give --old-queries and --new-queries together.")
    items = read_items(old, column=column), read_items(new, column=column)
    documents = join_items(*items)
    if old_queries is None or new_queries is None:
        return Inputs(*documents, None, None)
    asked = read_items(old_queries, column=column), read_items(new_queries, column=column)
    queries = join_items(*asked)
    if relevant is None:
        return Inputs(*documents, queries, None)
    pairs = read_judgments(
        relevant,
        queries=shared_keys(*asked) or range(len(queries[0])),
        documents=shared_keys(*items) or range(len(documents[0])),
    )
    judged, numbers = np.unique(pairs[:, 0], return_inverse=True)  # queries without a judgment are useless here
    return Inputs(*documents, (queries[0][judged], queries[1][judged]), np.column_stack([numbers, pairs[:, 1]]))


def make_plan(
    console: Console,
    old: Path,
    new: Path,
    old_queries: Path | None,
    new_queries: Path | None,
    relevant: Path | None,
    column: str | None,
    *,
    method: str,
    vectors: int,
) -> "MigrationPlan":
    """Read the inputs, and plan a migration in both directions."""
    from isoalign.migration import plan_migration

    inputs = read_inputs(old, new, old_queries, new_queries, relevant, column)
    with console.progress() as progress:
        return plan_migration(
            inputs.old,
            inputs.new,
            method=method,
            queries=inputs.queries,
            relevant=inputs.relevant,
            n_vectors=vectors,
            old_name=old.name,
            new_name=new.name,
            progress=progress,
        )
