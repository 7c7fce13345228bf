"""HTML reports of experiments."""

import json
from collections.abc import Mapping, Sequence

from isoalign._core.types import PathName
from isoalign.errors import InvalidValueError
from isoalign.experiments import Record, load_sweep
from isoalign.experiments._environment import describe_environment
from isoalign.io import replacing_file
from isoalign.reporting._accuracy import plot_accuracy_panels, plot_mean_difference_panels
from isoalign.reporting._blocks import Section, figure, folded, plain_table, score_table, sections_to_html
from isoalign.reporting._findings import describe_summary, find_differences
from isoalign.reporting._formats import TABLE_FORMATS, format_table
from isoalign.reporting._headline import name_choice
from isoalign.reporting._html import Markup, join, page, tag
from isoalign.reporting._names import key_of, name_method, name_normalization
from isoalign.reporting._origin import describe_origin
from isoalign.reporting._published import ALL_XLING, SOURCE, XLING_SOURCE, list_xling
from isoalign.reporting._scores import count_reproduced, list_files
from isoalign.reporting._tables import ScoreTable, accuracy_tables, similarity_table

__all__ = ["build_report", "format_records", "record_sections", "write_report", "write_text"]

_TITLE = "Alignment results"
_WHAT_IS = {
    "P@1": "Percentage of source words whose first translation is correct,",
    "MAP": "Mean reciprocal rank of the one correct translation among all target words, times 100 (MAP of XLING),",
}


def write_report(
    records: Sequence[Record],
    path: PathName,
    *,
    overwrite: bool = False,
    title: str = _TITLE,
    lead: str = "",
    summary: Sequence[str] | None = None,
    sections: Sequence[Section] = (),
    acknowledgements: Sequence[str] = (),
) -> None:
    """Write the report of `build_report` to a file."""
    text = build_report(
        records, title=title, lead=lead, summary=summary, sections=sections, acknowledgements=acknowledgements
    )
    write_text(text, path, overwrite=overwrite)


def write_text(text: str, path: PathName, *, overwrite: bool = False) -> None:
    """Write text to a file atomically."""
    with replacing_file(path, overwrite=overwrite) as temporary:
        temporary.write_text(text, encoding="utf-8")


def build_report(
    records: Sequence[Record],
    *,
    title: str = _TITLE,
    lead: str = "",
    summary: Sequence[str] | None = None,
    sections: Sequence[Section] = (),
    acknowledgements: Sequence[str] = (),
) -> str:
    """Return a self-contained HTML page with tables, figures and provenance of records.

    Parameters
    ----------
    records
        Records of one experiment.
    title, lead
        Heading, and a sentence below the summary.
    summary
        What was found, in about three sentences; None states the results of the records.
    sections
        Additional sections between the results and the provenance.
    acknowledgements
        Acknowledgements of the data, for the footer.
    """
    _check_records(records)
    everything = [*record_sections(records), *sections, _provenance(records)]
    found = describe_summary(records) if summary is None else summary
    header = tag(
        "header",
        tag("h1", title),
        tag("p", " ".join(found), class_="findings") if found else None,
        tag("p", lead, class_="lead") if lead else None,
    )
    footer = tag("footer", *(tag("p", text) for text in acknowledgements)) if acknowledgements else None
    return page(title, join([header, tag("main", sections_to_html(everything)), footer]))


def format_records(records: Sequence[Record], name: str) -> str:
    """Format all tables of records in one of `TABLE_FORMATS`."""
    _check_records(records)
    tables = accuracy_tables(records)
    similarity = similarity_table(records)
    return "\n".join(format_table(table, name) for table in [*tables, *([similarity] if similarity else [])])


def _check_records(records: Sequence[Record]) -> None:
    if not records:
        raise InvalidValueError("There are no records to report. Run the experiment first.")


def record_sections(records: Sequence[Record]) -> list[Section]:
    """Return the sections that depend only on records."""
    kinds = {record.cell.kind for record in records}
    sections = []
    if "bli" in kinds:
        sections += [_accuracy(records), *_references(records), *_differences(records)]
    if "conditions" in kinds:
        sections.append(_conditions(records))
    if {"bli", "conditions"} <= kinds:
        sections.append(_explanation(records))
    if "similarity" in kinds:
        sections.append(_similarity(records))
    return sections


def _accuracy(records: Sequence[Record]) -> Section:
    tables = accuracy_tables(records)
    met, compared = count_reproduced([score for table in tables for score in table.scores])
    is_map = any(record.measure == "MAP" for record in records if record.cell.kind == "bli")
    text = (
        _WHAT_IS["MAP" if is_map else "P@1"] + " with its 95 % confidence interval. "
        "The best score of each method is bold. Settings were selected on held-out training words. "
        "none: vectors as published; C+L: centred, then scaled to unit length; IN: Iterative Normalization."
    )
    blocks: list[Markup | str] = [text]
    if compared:
        blocks.append(
            f"{met} of {compared} cells meet the published value within 1 point ({SOURCE}). Below each score: the "
            "published value and the difference from it. The paper selected the rounds of Refine on test words; this "
            "selection, if recorded, is labelled “best on test” and used for this comparison only. †: Table 1 of the "
            "paper differs from its appendix, which is used here."
        )
    drawn = figure(
        plot_accuracy_panels(records),
        name="accuracy",
        alt="Score with 95 % intervals by method, language and normalisation",
        how="How to read it: a mark is the accuracy, the line through it its 95 % interval. Where intervals overlap, "
        "see the differences below: they are measured on the same words and have narrower intervals."
        + (f" All values are those of {choice}." if (choice := name_choice(records)) else ""),
    )
    return Section("accuracy", "Accuracy", (*blocks, *map(score_table, tables), drawn))


def _references(records: Sequence[Record]) -> list[Section]:
    """Show published values of XLING next to our scores, if known."""
    sizes = dict.fromkeys(record.cell.size for record in records if record.cell.kind == "bli")
    tables = []
    for size in sizes:
        some = [record for record in records if record.cell.size == size and _is_of_xling(record)]
        tables += [_beside(table, list_xling(size)) for table in accuracy_tables(some)]
    shown = [table for table in tables if table is not None]
    if not shown:
        return []
    text = (
        f"MAP × 100 of another method for comparison: {XLING_SOURCE}, with 5,000 training pairs. It is comparable if "
        "vectors and preprocessing are those of XLING: fastText on Wikipedia, 200,000 words."
    )
    return [Section("references", "Comparison with a published method", (text, *shown))]


def _is_of_xling(record: Record) -> bool:
    """Return whether a record is a MAP on the dictionaries of XLING."""
    cell = record.cell
    if cell.kind != "bli" or cell.target is None or record.measure != "MAP" or cell.size is None:
        return False
    data, files = load_sweep("xling").data, list_files(record)
    return all(
        files.get(role) == data.lexicon_of(role, cell.source, cell.target, cell.size) for role in ("train", "test")
    )


def _beside(table: ScoreTable, known: Mapping[str, float]) -> Markup | None:
    """Return the rows of a table for which there are published values; None if there are none."""
    pairs = {label: ALL_XLING if label == "average of 28" else label.partition(",")[0] for label, _ in table.rows}
    rows = [
        (label, f"{known[pairs[label]]:.1f}", *("–" if cell is None else f"{cell.value:.1f}" for cell in cells))
        for label, cells in table.rows
        if pairs[label] in known
    ]
    groups = [name for name, size in table.groups for _ in range(size)]
    columns = [f"{group} {column}".strip() for group, column in zip(groups, table.columns, strict=True)]
    header = ("languages", "FIPP", *columns)
    return plain_table(header, rows, title=table.title, numbers=range(1, len(header))) if rows else None


def _differences(records: Sequence[Record]) -> list[Section]:
    found = find_differences(records)
    if not found:
        return []
    several = len({one.pair for one in found}) > 1
    rows = [
        (
            *([one.pair] if several else []),
            name_method(one.method),
            f"{name_normalization(one.normalize)} − {name_normalization(one.baseline)}",
            str(one.difference).replace("-", "−"),
            f"{one.difference.p_mcnemar:.2g}",
            one.difference.verdict,
        )
        for one in found
    ]
    header = ("method", "difference", "points of P@1, 95 %", "p (McNemar)", "verdict")
    table = plain_table(("languages", *header) if several else header, rows, numbers=(2 + several, 3 + several))
    how = (
        "Both systems answer the same questions, so the interval is that of the difference itself (paired bootstrap "
        "over source words). “Better” and “worse”: the interval lies above or below zero. “Undecided”: it contains "
        "zero, so these words cannot distinguish the two."
    )
    if choice := name_choice(records):
        how += f" All values are those of {choice}."
    return [Section("differences", "Does normalisation help?", (how, table))]


def _conditions(records: Sequence[Record]) -> Section:
    rows = [
        (
            language or "",
            name_normalization(record.cell.normalize),
            f"{values['min_length']:.2f} to {values['max_length']:.2f}",
            f"{values['mean_norm']:.2g}" if values["mean_norm"] < 0.01 else f"{values['mean_norm']:.3f}",
        )
        for record in records
        if record.cell.kind == "conditions"
        for language, values in zip((record.cell.source, record.cell.target), record.conditions, strict=True)
    ]
    text = (
        "A rotation preserves lengths, so it can map one space onto another only if translations have equal lengths, "
        "and the means of both spaces too. Iterative Normalization makes every length 1 and both means 0."
    )
    unique = list(dict.fromkeys(rows))
    table = plain_table(("language", "normalisation", "lengths", "length of the mean"), unique, numbers=(2, 3))
    return Section("conditions", "The two conditions", (text, table))


def _explanation(records: Sequence[Record]) -> Section:
    drawn = figure(
        plot_mean_difference_panels(records),
        name="explanation",
        alt="P@1 against the difference between the lengths of both means",
        how="How to read it: the further left, the better the second condition is met. If this condition alone "
        "determined the accuracy, points would rise to the left; where they do not, something else limits the map."
        + (f" All accuracies are those of {choice}." if (choice := name_choice(records)) else ""),
    )
    return Section("explanation", "Accuracy and the distance of the means", (drawn,))


def _similarity(records: Sequence[Record]) -> Section:
    table = similarity_table(records)
    text = "Correlation of cosines within one language with human judgments, which normalisation should not reduce."
    return Section("similarity", "Word similarity", (text, score_table(table) if table else ""))


def _provenance(records: Sequence[Record]) -> Section:
    chosen = [
        (
            key_of(record.cell)[0],
            name_method(record.cell.system),
            name_normalization(record.cell.normalize),
            json.dumps(record.values.get("chosen"), ensure_ascii=False).strip("{}").replace('"', "") or "–",
            record.values["n"],
            f"{100 * record.values['coverage']:.1f} %",
            f"{record.seconds:.1f}",
        )
        for record in records
        if record.cell.kind == "bli"
    ]
    header = ("languages", "method", "normalisation", "chosen on validation words", "words", "coverage", "seconds")
    data = {
        "environment": describe_environment(),
        "provenance": list(
            {json.dumps(r.provenance, sort_keys=True, default=str): r.provenance for r in records}.values()
        ),
    }
    text = json.dumps(data, ensure_ascii=False, indent=1, default=str)
    raw = "\n\n".join(format_records(records, name) for name in TABLE_FORMATS) if chosen else ""
    return Section(
        "provenance",
        "Settings and provenance",
        (
            describe_origin(records),
            plain_table(
                header, [[cell if cell != "null" else "–" for cell in row] for row in chosen], numbers=(4, 5, 6)
            )
            if chosen
            else "",
            folded("The tables as Markdown, LaTeX and CSV", tag("pre", raw)) if raw else "",
            folded("Data, versions and machine", tag("pre", text)),
        ),
    )
