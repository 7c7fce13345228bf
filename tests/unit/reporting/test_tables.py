import csv
import io
from dataclasses import replace

import pytest

from isoalign.errors import ParameterError
from isoalign.reporting import accuracy_tables, format_records, format_table, similarity_table
from unit.reporting.planted import similarity


def test_one_pair_has_methods_as_rows(one_pair):
    (table,) = accuracy_tables(one_pair)
    assert table.columns == ("none", "C+L", "IN")
    assert [name for name, _ in table.rows] == ["Procrustes", "RCSLS"]
    assert [table.is_best(row, column) for row in (0, 1) for column in range(3)] == [
        False,
        True,
        False,
        False,
        False,
        True,
    ]
    assert not table.average


def test_what_was_learned_without_a_dictionary_is_a_row_of_its_own(one_pair):
    learned = [replace(record, cell=replace(record.cell, start="similarity")) for record in one_pair[:3]]
    (table,) = accuracy_tables([*one_pair, *learned])
    assert [name for name, _ in table.rows] == ["Procrustes", "RCSLS", "Procrustes from similarity"]
    assert all(score.published is None for score in table.rows[2][1] if score is not None)


def test_several_pairs_are_rows_with_their_average(two_pairs):
    (table,) = accuracy_tables(two_pairs)
    assert table.groups == (("Procrustes", 3), ("Refine", 3))
    assert [name for name, _ in table.rows] == ["en–ja", "en–zh", "average of 2"]
    average = table.rows[-1][1][2]
    assert average.value == pytest.approx(45.15)
    printed = [cells[2].published.value for _, cells in table.rows[:2]]
    assert average.published.value == pytest.approx(sum(printed) / 2)
    assert len(table.scores) == 12


def test_a_missing_cell_stays_empty_and_its_row_out_of_the_average(two_pairs):
    (table,) = accuracy_tables(two_pairs[1:])
    assert table.rows[0][1][0] is None
    assert table.rows[-1][0] == "average of 1"
    assert "| – |" in format_table(table, "markdown")


def test_markdown_has_value_interval_published_and_difference(two_pairs):
    text = format_records(two_pairs, "markdown")
    assert "**44.3**<br>[41.3, 47.3]<br>paper 44.3: +0.0" in text
    assert "paper 13.1 (Table 1: 12.3): +0.0" in text
    assert "paper 1.7: best on test 1.7, +0.0" in text
    header, ruler = text.split("\n")[2:4]
    assert header.count("|") == ruler.count("|") == 8


def test_latex_keeps_what_latex_would_take_for_its_own():
    text = format_records([similarity(r"a_b\c^~", "none", 0.5)], "latex")
    assert r"a\_b\textbackslash{}c\textasciicircum{}\textasciitilde{} (en)" in text


def test_latex_is_booktabs_with_the_best_in_bold(two_pairs):
    text = format_records(two_pairs, "latex")
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == 1
    assert r"en--ja & 1.7 & 13.1 & \textbf{44.3} & 1.0 & 13.1 & \textbf{44.3} \\" in text
    assert r"\cmidrule(lr){2-4}" in text
    assert r"\cmidrule(lr){5-7}" in text
    rows = [line for line in text.split("\n") if line.endswith(r"\\") and "multicolumn" not in line]
    assert {line.count("&") for line in rows} == {6}


def test_csv_has_one_line_a_cell(two_pairs):
    rows = list(csv.DictReader(io.StringIO(format_records(two_pairs, "csv"))))
    assert len(rows) == 18
    assert rows[1] == {
        "languages": "en–ja", "group": "Procrustes", "normalization": "C+L", "value": "13.10", "low": "10.10",
        "high": "16.10", "n": "1000", "published": "13.10", "published_table1": "12.30", "best_on_test": "",
        "difference": "0.00",
    }  # fmt: skip


def test_similarity_has_data_sets_as_rows():
    table = similarity_table([similarity("ws353", "none", 0.7), similarity("ws353", "iternorm", 0.73)])
    assert table.rows[0][0] == "ws353 (en)"
    assert [cell.published.value for cell in table.rows[0][1]] == [73.9, 73.7]
    assert similarity_table([]) is None


def test_an_unknown_format_is_refused(one_pair):
    with pytest.raises(ParameterError, match="Did you mean 'latex'"):
        format_records(one_pair, "latx")
