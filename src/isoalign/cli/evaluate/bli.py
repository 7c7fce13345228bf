"""``isoalign evaluate bli``: the share of words of a test dictionary that are translated correctly."""

from pathlib import Path
from typing import Annotated

import typer

from isoalign.cli._clusters import DaskSearch, connect
from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._costs import DryRun, print_work
from isoalign.cli._measure_options import (
    Model,
    Seed,
    SourceFile,
    TargetFile,
    TestLexicon,
    TestProtocol,
    TestRetrieval,
)
from isoalign.cli._models import open_model
from isoalign.cli._options import Encoding, Force, FromMember, Limit, Lower, SkipBad, Swap, ToMember, Unicode
from isoalign.cli._paths import check_output
from isoalign.cli._scores import precision_rows
from isoalign.errors import ParameterError
from isoalign.neighbors import DEFAULT_RETRIEVAL

__all__ = ["bli"]


@command(
    "isoalign evaluate bli en-ja -d test.txt",
    "isoalign evaluate bli -d test.txt --source en.vec --target ja.vec -k 1",
    searches=True,
)
def bli(
    console: Console,
    lexicon: TestLexicon,
    model: Model = None,
    source: SourceFile = None,
    target: TargetFile = None,
    source_name: FromMember = None,
    target_name: ToMember = None,
    protocol: TestProtocol = "muse",
    retrieval: TestRetrieval = None,
    k: Annotated[list[int], typer.Option("-k", min=1, help="Compute precision at K; repeatable.")] = [1, 5, 10],  # noqa: B006
    both_directions: Annotated[
        bool, typer.Option("--both-directions", help="Evaluate the reverse direction too.")
    ] = False,
    full_ranks: Annotated[bool, typer.Option("--full-ranks", help="Find ranks beyond the largest k too.")] = False,
    exclude_identical: Annotated[
        bool, typer.Option("--exclude-identical", help="Exclude words with the same spelling in both languages.")
    ] = False,
    band: Annotated[
        list[int] | None,
        typer.Option("--band", min=1, help="Score words up to this frequency rank separately; repeatable."),
    ] = None,
    words: Annotated[Path | None, typer.Option("--words", help="Write every answer to this table.")] = None,
    limit: Limit = None,
    lower: Lower = False,
    unicode: Unicode = None,
    encoding: Encoding = None,
    swap: Swap = False,
    skip_bad: SkipBad = False,
    seed: Seed = 0,
    dask: DaskSearch = None,
    dry_run: DryRun = False,
    force: Force = False,
) -> None:
    """Score a MODEL, or two aligned files, on a test dictionary."""
    from isoalign.evaluation import evaluate_bli, write_answers
    from isoalign.io import read_lexicon
    from isoalign.neighbors import use_workers

    check_output(words, force=force)
    on_bad = "skip" if skip_bad else "error"
    reading = {"limit": limit, "lower": lower, "unicode": unicode, "on_bad": on_bad}
    test = read_lexicon(lexicon, lower=lower, unicode=unicode, encoding=encoding, swap=swap, on_bad=on_bad)
    with console.progress() as progress, connect(dask) as executor, use_workers(executor):
        alignment = open_model(
            model, source, target, members=(source_name, target_name), reading=reading, progress=progress
        )
        if dry_run:
            from isoalign.alignment import Sizes
            from isoalign.experiments import evaluate_work

            if retrieval not in (None, DEFAULT_RETRIEVAL):
                raise ParameterError(f"--dry-run estimates --retrieval {DEFAULT_RETRIEVAL} only. Omit --retrieval.")
            n, m = (len(alignment.raw(name)) for name in alignment.names)
            questions = (len(test.sources), len({other for _, other in test}))
            print_work(
                console, "evaluate-bli", evaluate_work(Sizes(n, m, alignment.dim, (0, 0), questions), best=max(k))
            )
            return
        directions = [(alignment, test), *([(alignment.reverse(), test.inverse())] if both_directions else [])]
        results = {
            " → ".join(one.names): evaluate_bli(
                one,
                pairs,
                protocol=protocol,
                retrieval=retrieval,
                ks=k,
                full_ranks=full_ranks,
                exclude_identical=exclude_identical,
                bands=band or (),
                random_state=seed,
                progress=progress,
            )
            for one, pairs in directions
        }
    if words is not None:
        write_answers(list(results.values()), words, overwrite=force)
    first = next(iter(results.values()))
    mrr = "MRR" if first.mrr_at is None else f"MRR@{first.mrr_at}"
    header = [f"{first.protocol}, {first.retrieval}", "n", "coverage", *(f"P@{k}" for k in first.ks), mrr]
    rows = [row for direction, result in results.items() for row in precision_rows(direction, result)]
    console.result(
        "evaluate-bli",
        lambda: {"directions": list(results), "results": [result.to_dict() for result in results.values()]},
        text=console.table(rows, header=header),
    )
