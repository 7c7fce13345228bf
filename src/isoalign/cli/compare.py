"""``isoalign compare``: two systems on the same words."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._measure_options import Seed, TestProtocol, TestRetrieval
from isoalign.cli._options import Encoding, Force, FromMember, Lower, Swap, ToMember
from isoalign.cli._paths import check_output
from isoalign.cli._scores import comparison_rows

if TYPE_CHECKING:
    from isoalign.evaluation import BliResult
    from isoalign.lexicon import Lexicon

__all__ = ["compare"]

System = Annotated[Path, typer.Argument(help="Folder written by align, or JSON output of 'evaluate bli --json'.")]


@command(
    "isoalign compare en-ja en-ja-rcsls -d test.txt",
    "isoalign compare a.json b.json --words differences.csv",
    searches=True,
)
def compare(
    console: Console,
    a: System,
    b: System,
    lexicon: Annotated[
        Path | None, typer.Option("--lexicon", "--dictionary", "-d", help="Test dictionary, for folders.")
    ] = None,
    source_name: FromMember = None,
    target_name: ToMember = None,
    protocol: TestProtocol = "muse",
    retrieval: TestRetrieval = None,
    words: Annotated[Path | None, typer.Option("--words", help="Table for the words on which A and B differ.")] = None,
    lower: Lower = False,
    encoding: Encoding = None,
    swap: Swap = False,
    seed: Seed = 0,
    force: Force = False,
) -> None:
    """Compare systems A and B on the same words, with confidence intervals."""
    from isoalign.errors import ParameterError
    from isoalign.evaluation import compare as compare_results
    from isoalign.evaluation import write_disagreements
    from isoalign.io import read_lexicon

    check_output(words, force=force)
    test = None if lexicon is None else read_lexicon(lexicon, lower=lower, encoding=encoding, swap=swap)
    systems = [_results(path, test, (source_name, target_name), protocol, retrieval) for path in (a, b)]
    if len(systems[0]) != len(systems[1]):
        raise ParameterError(
            f"A and B must have the same number of results. Got {len(systems[0])} and {len(systems[1])}."
        )
    found = {
        f"result {number}": compare_results(one, other, random_state=seed)
        for number, (one, other) in enumerate(zip(*systems, strict=True), 1)
    }
    if words is not None:
        write_disagreements(list(found.values()), words, overwrite=force)
    rows = [row for name, comparison in found.items() for row in comparison_rows(name, comparison)]
    header = ["", "", "A", "B", "A − B", "p bootstrap", "p McNemar", "only A", "only B"]
    sizes = [f"{name}: n = {one.n}, protocol {one.protocol}" for name, one in found.items()]
    console.result(
        "compare",
        {"a": str(a), "b": str(b), "comparisons": [comparison.to_dict() for comparison in found.values()]},
        text="\n".join([console.table(rows, header=header), "", *sizes]),
    )


def _results(
    path: Path, test: "Lexicon | None", members: tuple[str | None, str | None], protocol: str, retrieval: str | None
) -> "list[BliResult]":
    from isoalign.alignment import load_with_files
    from isoalign.errors import ParameterError
    from isoalign.evaluation import evaluate_bli, read_results

    if not path.is_dir():
        return read_results(path)
    if test is None:
        raise ParameterError(f"{path} is a folder: give the test dictionary with --lexicon.")
    model = load_with_files(path, members=members)
    return [evaluate_bli(model, test, protocol=protocol, retrieval=retrieval)]
