"""Tables of what adapters keep, for the page about changing the embedding model."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from benchmarks._page import DOCS, markdown_table, replace_table
from isoalign.migration import ADAPTERS
from isoalign.migration._measures import ADAPTED, NEW, OLD

__all__ = ["CASES", "PAGE", "TABLES", "write_tables"]

PAGE = DOCS / "how-to" / "change-embedding-model.md"
MEASURES = ("kept@1", "kept@10", "kept@100", "R@10", "nDCG@10", "MRR")
CASES = {
    "four_layer": "four-layer MiniLM to MiniLM",
    "wordllama": "WordLlama to MiniLM",
    "words": "GloVe to spaCy",
}
USES = {"corpus": "The corpus is mapped", "queries": "Queries are mapped"}
Row = Mapping[str, Any]


def write_tables(rows: Sequence[Row]) -> None:
    """Write the verdicts, the scores of all adapters, and what queries among the pairs bring."""
    for name, make in TABLES.items():
        replace_table(PAGE, name, make(rows))


def _select(rows: Sequence[Row], **wanted: Any) -> list[Row]:
    found = [row for row in rows if all(row[name] == value for name, value in wanted.items())]
    order = ("least_squares", *ADAPTERS, "auto")
    return sorted(found, key=lambda row: (row["pairs"], order.index(row["adapter"])))


def _verdicts(rows: Sequence[Row]) -> str:
    """Return what ``auto`` chooses with the most pairs, and what follows."""
    body = []
    for case, what in CASES.items():
        for use in USES:
            chosen = _select(rows, case=case, use=use, queries=0, adapter="auto")
            if not chosen:
                continue
            last = chosen[-1]
            decisive = _decisive(last)
            scores = [f"{last[system][decisive]:.3f}" for system in (OLD, ADAPTED, NEW)]
            body.append([what, use, f"{last['pairs']:,}", f"`{last['chosen']}`", decisive, *scores, last["verdict"]])
    header = ("models", "mapped", "pairs", "adapter", "measure", OLD, ADAPTED, NEW, "verdict")
    return markdown_table(header, body, left=5)


def _scores(rows: Sequence[Row]) -> str:
    """Return a table for every case and direction."""
    parts = []
    for (case, what), (use, title) in product(CASES.items(), USES.items()):
        chosen = _select(rows, case=case, use=use, queries=0)
        if chosen:
            parts.append(f"**{title}, {what}**\n\n{_scores_of(chosen)}")
    return "\n".join(parts)


def _scores_of(chosen: Sequence[Row]) -> str:
    measures = [measure for measure in MEASURES if measure in chosen[0][NEW]]
    body = [["", system, *_figures(chosen[0][system], measures), ""] for system in (OLD, NEW)]
    for row in chosen:
        name = f"auto ({row['chosen']})" if row["adapter"] == "auto" else row["adapter"].replace("_", " ")
        body.append([f"{row['pairs']:,}", name, *_figures(row[ADAPTED], measures), f"{row['processor_seconds']:.1f}"])
    return markdown_table(("pairs", "adapter", *measures, "fit (s)"), body, left=2)


def _both_kinds(rows: Sequence[Row]) -> str:
    """Return ``auto`` fitted on documents, and on documents and queries."""
    body = []
    for both in _select([row for row in rows if row["queries"]], adapter="auto"):
        same = {name: both[name] for name in ("case", "use", "pairs", "adapter")}
        (alone,) = _select(rows, **same, queries=0)
        figures = [f"{row[ADAPTED][name]:.3f}" for name in ("R@10", "kept@10") for row in (alone, both)]
        body.append([CASES[both["case"]], both["use"], f"{both['pairs']:,}", *figures])
    header = ("models", "mapped", "documents", "R@10", "R@10 with queries", "kept@10", "kept@10 with queries")
    return markdown_table(header, body, left=2) if body else ""


def _decisive(row: Row) -> str:
    return "R@10" if "R@10" in row[NEW] else "kept@10"


def _figures(scores: Mapping[str, float], measures: Sequence[str]) -> list[str]:
    return [f"{scores[measure]:.3f}" for measure in measures]


TABLES = {"migrate verdicts": _verdicts, "migrate scores": _scores, "migrate queries": _both_kinds}
