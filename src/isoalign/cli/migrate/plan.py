"""``isoalign migrate plan``: predict quality, number of pairs and time; nothing is written."""

from isoalign._core.display import format_time
from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._scores import with_interval
from isoalign.cli.migrate._inputs import (
    Column,
    Judgments,
    Method,
    New,
    NewQueries,
    NVectors,
    Old,
    OldQueries,
    make_plan,
)
from isoalign.cli.migrate._tables import result_rows

__all__ = ["plan"]


@command(
    "isoalign migrate plan old.npy new.npy",
    "isoalign migrate plan old.npy new.npy -n 1000000 --relevant qrels.txt",
)
def plan(
    console: Console,
    old: Old,
    new: New,
    method: Method = "auto",
    old_queries: OldQueries = None,
    new_queries: NewQueries = None,
    relevant: Judgments = None,
    column: Column = None,
    vectors: NVectors = 1_000_000,
) -> None:
    """Predict the result of a migration, before anything is written."""
    found = make_plan(console, old, new, old_queries, new_queries, relevant, column, method=method, vectors=vectors)
    parts = [found.verdict.answer, *(f"  {reason}" for reason in found.verdict.reasons)]
    for one in found.directions.values():
        header, rows = result_rows(one.result)
        curve = [[f"{point.pairs:,}", with_interval(point.score.value, point.score.ci95)] for point in one.curve]
        settings = ", ".join(f"{name}={value}" for name, value in one.adapter.record_["settings"].items())
        parts += [
            "",
            console.table(rows, header=header),
            f"adapter: {one.adapter.record_['method']} ({settings or 'no settings'})",
            console.table(curve, header=["pairs", one.result.decisive]),
            one.advice,
            f"{vectors:,} vectors: about {format_time(one.seconds)}",
        ]
    console.result("migrate-plan", found.to_dict(), text="\n".join(parts))
