"""One model under all four protocols: writes the table of docs/explanation/evaluation.md."""

from pathlib import Path

import isoalign as ia
from benchmarks._harness import save
from isoalign.evaluation import PROTOCOLS, BliResult

PAGE = Path(__file__).parent.parent / "docs" / "explanation" / "evaluation.md"
START, END = "<!-- protocols: start -->\n", "<!-- protocols: end -->\n"
WORDS = 4000  # of each side of the sample, so that a part of the test words is unknown, as in every real experiment


def score_protocols() -> dict[str, BliResult]:
    """Score one model under every protocol, with the retrieval that its evaluator prints by default and with CSLS."""
    sample = ia.load_sample()
    model = ia.align(sample.source.head(WORDS), sample.target.head(WORDS), sample.train, method="procrustes")
    return {
        f"`{name}`, {retrieval}": ia.evaluate_bli(model, sample.test, protocol=name, retrieval=retrieval)
        for name, protocol in PROTOCOLS.items()
        for retrieval in dict.fromkeys([protocol.retrieval, "csls"])
    }


def table(results: dict[str, BliResult]) -> str:
    """Format the results as a Markdown table."""
    lines = [
        "| protocol, retrieval | n | coverage | P@1 [95 % interval] | P@5 | P@10 | MRR |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, found in results.items():
        low, high = found.ci95[1]
        lines.append(
            f"| {name} | {found.n} | {found.coverage:.1%} | {found.precision[1]:.1%} [{low:.1%}, {high:.1%}] "
            f"| {found.precision[5]:.1%} | {found.precision[10]:.1%} | {found.mrr:.3f} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the table into the page, and the figures to ``results/protocols.json``."""
    results = score_protocols()
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{START}{table(results)}{END}{after}", encoding="utf-8")
    figures = {
        name: {"n": found.n, "coverage": found.coverage, "precision": found.precision, "mrr": found.mrr}
        for name, found in results.items()
    }
    save("protocols", {"words": WORDS, "seed": 0, **figures})


if __name__ == "__main__":
    main()
