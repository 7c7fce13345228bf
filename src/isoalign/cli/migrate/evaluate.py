"""``isoalign migrate evaluate``: measure an adapter, optionally with real queries and judgments."""

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli.migrate._inputs import (
    AdapterFolder,
    Column,
    Judgments,
    New,
    NewQueries,
    Old,
    OldQueries,
    read_inputs,
)
from isoalign.cli.migrate._tables import result_rows

__all__ = ["evaluate"]


@command(
    "isoalign migrate evaluate adapter old-test.npy new-test.npy",
    "isoalign migrate evaluate adapter old.parquet new.parquet --column vector",
    searches=True,
)
def evaluate(
    console: Console,
    adapter: AdapterFolder,
    old: Old,
    new: New,
    old_queries: OldQueries = None,
    new_queries: NewQueries = None,
    relevant: Judgments = None,
    column: Column = None,
) -> None:
    """Compare an adapter with both models alone; items that it was fitted on are not used as queries."""
    from isoalign.migration import Adapter, evaluate_adapter, judge_migration

    inputs = read_inputs(old, new, old_queries, new_queries, relevant, column)
    result = evaluate_adapter(
        Adapter.load(adapter), inputs.old, inputs.new, queries=inputs.queries, relevant=inputs.relevant
    )
    corpus, queries = (result, None) if result.use == "corpus" else (None, result)
    verdict = judge_migration(corpus, queries)
    header, rows = result_rows(result)
    lines = [verdict.answer, *(f"  {reason}" for reason in verdict.reasons), "", console.table(rows, header=header)]
    if result.clusters:
        worst = result.clusters[0]
        lines.append(f"worst cluster: {worst.kept:.3f} of the 10 nearest kept ({worst.n} queries)")
    if result.identity_p1 is not None:
        lines.append(f"identity P@1 (an easy measure): {result.identity_p1:.3f}")
    data = {"verdict": verdict.answer, "reasons": verdict.reasons, **result.to_dict()}
    console.result("migrate-evaluate", data, text="\n".join(lines))
