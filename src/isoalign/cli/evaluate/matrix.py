"""``isoalign evaluate matrix``: every direction between the members of an alignment."""

from typing import Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._measure_options import Seed, TestProtocol, TestRetrieval
from isoalign.cli._named_files import parse_edges, parse_named
from isoalign.cli._options import Encoding, ModelFolder, SkipBad
from isoalign.cli._scores import percent

__all__ = ["matrix"]


@command(
    "isoalign evaluate matrix world -t en-fr=t1.txt -t en-ja=t2.txt",
    "isoalign evaluate matrix world -t a-b=t.txt --train a-b=d.txt --bilingual",
    searches=True,
)
def matrix(
    console: Console,
    model: ModelFolder,
    tests: Annotated[
        list[str],
        typer.Option("--lexicon", "--dictionary", "-t", metavar="A-B=FILE", help="Test dictionary; repeatable."),
    ],
    train: Annotated[
        list[str] | None,
        typer.Option("--train", metavar="A-B=FILE", help="Training dictionary, whose words are excluded; repeatable."),
    ] = None,
    through: Annotated[
        str | None, typer.Option(help="Also derive test dictionaries for other pairs through this member.")
    ] = None,
    bilingual: Annotated[
        bool, typer.Option("--bilingual", help="Compare with a separate Procrustes map for each pair, from --train.")
    ] = False,
    inverse: Annotated[bool, typer.Option(help="Score the inverse of every test dictionary too.")] = True,
    protocol: TestProtocol = "muse",
    retrieval: TestRetrieval = None,
    encoding: Encoding = None,
    skip_bad: SkipBad = False,
    seed: Seed = 0,
) -> None:
    """Score every ordered pair of members that has a test dictionary."""
    from isoalign.alignment import Alignment
    from isoalign.errors import ParameterError
    from isoalign.evaluation import align_pairs, evaluate_pairs, triangulate_tests
    from isoalign.io import read_lexicon

    alignment = Alignment.load(model)
    given, known = (
        {
            pair: read_lexicon(file, encoding=encoding, on_bad="skip" if skip_bad else "error")
            for pair, file in parse_edges(parse_named(some, what="dictionaries"), list(alignment.names)).items()
        }
        for some in (tests, train)
    )
    if bilingual and not known:
        raise ParameterError("--bilingual learns from training dictionaries. Give them with --train A-B=FILE.")
    made = {} if through is None else triangulate_tests(given, through, train=known)
    with console.progress() as progress:
        found = evaluate_pairs(
            alignment,
            {**made, **given},
            train=known,
            bilingual=align_pairs(alignment, known, method="procrustes", progress=progress) if bilingual else None,
            inverse=inverse,
            protocol=protocol,
            retrieval=retrieval,
            random_state=seed,
            progress=progress,
        )
    rows = [
        [
            f"{score.source} → {score.target}",
            score.test,
            score.result.n,
            score.left_out,
            percent(score.result.precision[1], score.result.ci95[1]),
            "–" if score.bilingual is None else str(score.bilingual),
        ]
        for score in found.scores
    ]
    header = ["", "test dictionary", "n", "left out", "P@1", "minus bilingual"]
    console.result("evaluate-matrix", found.to_dict(), text=console.table(rows, header=header))
