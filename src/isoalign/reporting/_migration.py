"""The report of a planned change of the embedding model."""

import json
from typing import Any

from isoalign._core.display import format_time
from isoalign.migration import MeanScore, MigrationPlan
from isoalign.reporting._blocks import Section, bullets, figure, folded, plain_table, sections_to_html, side_by_side
from isoalign.reporting._html import join, page, tag
from isoalign.reporting._style import MARKERS, SERIES, new_figure, show_name, styled

__all__ = ["build_migration_report", "plot_curve"]

_NAMES = {"corpus": "Mapped corpus", "queries": "Mapped queries on the old index"}
_BASELINES = (("old → old", "today (old → old)", ":"), ("new → new", "all embedded again (new → new)", "--"))


def build_migration_report(plan: MigrationPlan, *, old: str, new: str) -> str:
    """Return a self-contained HTML page whose first line is the verdict.

    Parameters
    ----------
    plan
        Result of `plan_migration`.
    old, new
        Names of the models.
    """
    answer = plan.verdict.answer
    title = answer[:1].upper() + answer[1:]
    header = tag(
        "header", tag("h1", title), tag("p", f"From {old} to {new}.", class_="lead"), bullets(plan.verdict.reasons)
    )
    sections = [_quality(plan), _curve(plan), _clusters(plan), _provenance(plan)]
    return page(f"{old} → {new}: {answer}", join([header, tag("main", sections_to_html(sections))]))


def _quality(plan: MigrationPlan) -> Section:
    tables = []
    for use, one in plan.directions.items():
        systems = one.result.systems
        rows = [
            [measure, *(_with_interval(scores[measure]) for scores in systems.values())]
            for measure in systems["adapted"]
        ]
        title = f"{_NAMES[use]}: {one.adapter.record_['method']}"
        tables.append(plain_table(("measure", *systems), rows, title=title, numbers=(1, 2, 3)))
    first = next(iter(plan.directions.values())).result
    asked = "real queries" if first.real_queries else "documents that no adapter was fitted on, as queries"
    text = (
        f"{first.n:,} {asked}, {first.n_index:,} documents, plain cosine, 95 % bootstrap intervals. kept@k: share of "
        "the k nearest documents of the new model. R@k, nDCG@10 and MRR count relevant documents."
    )
    return Section("quality", "What is kept", (text, *tables))


def _with_interval(score: MeanScore) -> str:
    return f"{score.value:.3f} [{score.ci95[0]:.3f}, {score.ci95[1]:.3f}]"


def _curve(plan: MigrationPlan) -> Section:
    drawn = figure(
        plot_curve(plan),
        name="curve",
        alt="Score by number of pairs, compared with both models alone",
        how="How to read it: a mark is the score with that many pairs, the line through it its 95 % interval. Below "
        "the dotted line, migrating makes results worse than today.",
    )
    advice = bullets(
        f"{_NAMES[use]}: {one.advice} {plan.n_vectors:,} vectors take about {format_time(one.seconds)} on this machine."
        for use, one in plan.directions.items()
    )
    return Section("curve", "How many pairs", (advice, drawn))


@styled
def plot_curve(plan: MigrationPlan) -> Any:
    """Plot the score over the number of pairs for every direction, with both models alone as lines.

    Returns
    -------
    figure
        A ``matplotlib.figure.Figure``, not shown.
    """
    drawn = new_figure(5.2, 3.2)
    axes = drawn.subplots()
    result = next(iter(plan.directions.values())).result
    for system, label, line in _BASELINES:
        axes.axhline(result.systems[system][result.decisive].value, color=SERIES[0], linestyle=line, label=label)
    for number, (use, one) in enumerate(plan.directions.items(), 1):
        sizes = [point.pairs for point in one.curve]
        values = [point.score.value for point in one.curve]
        ends = [[point.score.ci95[side] for point in one.curve] for side in (0, 1)]
        axes.plot(sizes, values, color=SERIES[number], marker=MARKERS[number], label=_NAMES[use])
        axes.vlines(sizes, *ends, color=SERIES[number], linewidth=1)
    axes.set_xscale("log")
    ticks = [point.pairs for point in next(iter(plan.directions.values())).curve]
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel("pairs that the adapter is fitted on")
    axes.set_ylabel(show_name(result.decisive))
    axes.legend()
    return drawn


def _clusters(plan: MigrationPlan) -> Section:
    tables = [
        plain_table(
            ("cluster", "queries", "kept@10"),
            [(number, cluster.n, f"{cluster.kept:.3f}") for number, cluster in enumerate(one.result.clusters, 1)],
            title=_NAMES[use],
            numbers=(0, 1, 2),
        )
        for use, one in plan.directions.items()
    ]
    text = (
        "Clusters of queries in the new model, worst first: a good mean can hide a topic that is lost. "
        "Clusters of fewer than ten queries are omitted."
    )
    return Section("clusters", "Worst case", (text, side_by_side(*tables)))


def _provenance(plan: MigrationPlan) -> Section:
    rows = []
    for use, one in plan.directions.items():
        record = one.adapter.record_
        held_out, identity = record["held_out"], one.result.identity_p1
        rows.append(
            (
                _NAMES[use],
                record["method"],
                ", ".join(f"{name}={value}" for name, value in record["settings"].items()),
                f"{held_out['recall']:.3f}",
                f"{held_out['null']:.3f}",
                "–" if identity is None else f"{identity:.3f}",
            )
        )
    header = ("direction", "adapter", "settings", "held-out kept@10", "with shuffled pairs", "identity P@1")
    text = (
        "Chosen on held-out items by the share of neighbours kept. Identity P@1 is an easy measure: the share of "
        "documents whose mapped vector is nearest to their own."
    )
    raw = json.dumps(plan.to_dict(), ensure_ascii=False, indent=1)
    return Section(
        "provenance",
        "Adapters",
        (text, plain_table(header, rows, numbers=(3, 4, 5)), folded("Everything as JSON", tag("pre", raw))),
    )
