"""``isoalign demo``: align English and Japanese with all methods of the paper, in about a minute."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._options import Force
from isoalign.cli._paths import check_output

if TYPE_CHECKING:
    from isoalign.reporting import Demo

__all__ = ["demo"]


@command(
    "isoalign demo",
    "isoalign demo -o my-report --force",
)
def demo(
    console: Console,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for report.html.")] = Path("demo"),
    force: Force = False,
) -> None:
    """Align real English and Japanese vectors, and show what Iterative Normalization does and does not change."""
    from isoalign._core.optional import import_extra
    from isoalign.reporting import run_demo, write_demo_report

    report = output / "report.html"
    import_extra("matplotlib", extra="plot")
    output.mkdir(parents=True, exist_ok=True)
    check_output(report, force=force)  # before a minute of computation
    with console.progress() as progress:
        found = run_demo(progress=progress)
        progress("report", 0, 1)
        write_demo_report(found, report, overwrite=force)
        progress("report", 1, 1)
    console.result("demo", {"report": str(report), **_data(found)}, text=_text(console, found, report))


def _data(demo: "Demo") -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "records": [record.to_dict() for record in demo.records],
        "neighborhoods": [asdict(hood) for row in demo.neighborhoods for hood in row],
        "forward": [asdict(lookup) for lookup in demo.forward],
        "backward": [asdict(lookup) for lookup in demo.backward],
        "acknowledgements": [credit.acknowledgement for credit in demo.sample.about],
    }


def _text(console: Console, demo: "Demo", report: Path) -> str:
    from isoalign.reporting import describe_findings

    parts = [
        ("Two conditions that a rotation needs: equal lengths, equal means", _conditions(console, demo)),
        ("P@1 in per cent with 95 % interval, 1,000 test words, CSLS", _accuracy(console, demo)),
        ("Does Iterative Normalization (IN) help?", "\n".join(describe_findings(demo.records))),
        ("Nearest neighbours (Figure 1 of the paper)", _neighbors(console, demo)),
        (f"Ten translations each way, by {demo.translator}; ✓ is in the dictionary", _translations(console, demo)),
        ("Data", "\n".join(credit.acknowledgement for credit in demo.sample.about)),
    ]
    return "\n\n".join([*(f"{title}\n{text}" for title, text in parts), f"wrote {report}"])


def _conditions(console: Console, demo: "Demo") -> str:
    rows = []
    for record in demo.records:
        if record.cell.kind == "conditions":
            for lang, found in zip(("English", "Japanese"), record.conditions, strict=True):
                lengths = f"{found['min_length']:.2f} to {found['max_length']:.2f}"
                rows.append((record.cell.normalize, lang, lengths, f"{found['mean_norm']:.6f}"))
    return console.table(rows, header=("normalisation", "language", "lengths", "length of mean"))


def _accuracy(console: Console, demo: "Demo") -> str:
    from isoalign.reporting import accuracy_tables

    table = accuracy_tables(demo.records)[0]
    rows = [
        (name, *(f"{cell.value:.1f} [{cell.ci95[0]:.1f}, {cell.ci95[1]:.1f}]" for cell in cells if cell and cell.ci95))
        for name, cells in table.rows
    ]
    return console.table(rows, header=("", *table.columns))


def _neighbors(console: Console, demo: "Demo") -> str:
    rows = [
        (hood.word, hood.normalize, "  ".join(f"{near.word} {near.score:.2f}" for near in hood.neighbors))
        for row in demo.neighborhoods
        for hood in row
    ]
    return console.table(rows)


def _translations(console: Console, demo: "Demo") -> str:
    rows = [
        (one.word, "✓" if one.right else "·", "  ".join(word for word, _ in one.found), "  ".join(one.gold))
        for lookups in (demo.forward, demo.backward)
        for one in lookups
    ]
    return console.table(rows, header=("word", "", "translations", "dictionary"))
