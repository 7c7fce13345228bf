import re
from html import escape
from html.parser import HTMLParser

import pytest

from isoalign.errors import InvalidValueError, OutputExistsError
from isoalign.experiments import Record
from isoalign.reporting import build_report, format_records, write_report
from isoalign.reporting._blocks import plain_table
from isoalign.reporting._findings import describe_summary
from isoalign.reporting._html import Markup, join, tag
from unit.reporting.planted import similarity

VOID = {"meta", "br", "hr"}


class Outline(HTMLParser):
    """Check that elements are closed in order, and collect what is asked of them."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.loads = [], [], [], []

    def handle_starttag(self, name, attributes):
        values = dict(attributes)
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values["href"][1:]] if values.get("href", "").startswith("#") and name == "a" else []
        self.loads += [values[key] for key in ("src", "data", "action") if key in values]
        if name == "link":
            self.loads.append(name)
        if name not in VOID:
            self.open.append(name)

    def handle_startendtag(self, name, attributes):
        self.handle_starttag(name, attributes)
        if name not in VOID:
            self.open.pop()

    def handle_endtag(self, name):
        assert self.open.pop() == name


@pytest.fixture
def outlined():
    def outline(text):
        parser = Outline()
        parser.feed(text)
        assert parser.open == []
        return parser

    return outline


def test_the_page_is_well_formed_and_loads_nothing(two_pairs, outlined):
    text = build_report([*two_pairs, similarity("ws353", "none", 0.7)])
    found = outlined(text)
    assert found.loads == []
    assert "default-src &#x27;none&#x27;" in text
    assert not re.findall(r"@import|url\((?!#)", text)
    assert len(found.ids) == len(set(found.ids))
    assert set(found.links) <= set(found.ids)
    assert {"accuracy", "differences", "conditions", "explanation", "similarity", "provenance"} <= set(found.ids)
    assert len(text) < 3_000_000


def test_the_page_counts_what_reproduces(two_pairs):
    assert "9 of 12 cells meet the published value within 1 point" in build_report(two_pairs)


def test_the_table_of_differences_has_a_verdict_for_every_two_normalisations(one_pair):
    rows = re.findall(r"<tr><td>(\w+)</td><td>([^<]+ − [^<]+)</td>.*?<td>(\w+)</td></tr>", build_report(one_pair))
    assert rows == [
        ("Procrustes", "C+L − none", "better"),
        ("Procrustes", "IN − none", "better"),
        ("Procrustes", "IN − C+L", "undecided"),
        ("RCSLS", "C+L − none", "better"),
        ("RCSLS", "IN − none", "better"),
        ("RCSLS", "IN − C+L", "undecided"),
    ]


def test_the_page_opens_with_its_findings(one_pair, two_pairs):
    assert describe_summary(one_pair)[0].startswith("RCSLS after IN translates 59.1 % [")
    assert "the highest of 6 systems" in describe_summary(one_pair)[0]
    assert "(the average of 2 language pairs)" in describe_summary(two_pairs)[0]
    for records in (one_pair, two_pairs):
        header = build_report(records).partition("</header>")[0]
        assert all(escape(sentence) in header for sentence in describe_summary(records))
        assert 2 <= len(describe_summary(records)) <= 3


def test_panels_are_figures_of_their_own_that_a_page_can_stack(two_pairs):
    figures = build_report(two_pairs).split("<figure>")[1:]
    assert [part.partition("</figure>")[0].count("<svg") for part in figures] == [2, 2]
    assert all('<div class="panels">' in part for part in figures)


def test_every_figure_is_explained(two_pairs):
    text = build_report(two_pairs)
    assert text.count("<figure>") == text.count("How to read it:") == 2


def test_what_comes_from_data_is_escaped(one_pair, outlined):
    evil = Record.from_dict(one_pair[0].to_dict() | {"provenance": {"note": "<script>alert(1)</script>"}})
    text = build_report([evil, *one_pair[1:]], title="<b>&")
    outlined(text)
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text
    assert "<h1>&lt;b&gt;&amp;</h1>" in text


def test_records_of_the_sample_stand_alone(one_pair):
    assert "published value within" not in build_report(one_pair)


def test_nothing_to_report_is_an_error():
    with pytest.raises(InvalidValueError, match="no records"):
        build_report([])
    with pytest.raises(InvalidValueError, match="no records"):
        format_records([], "markdown")


def test_a_report_is_not_overwritten_unasked(one_pair, tmp_path):
    write_report(one_pair, tmp_path / "r.html")
    with pytest.raises(OutputExistsError):
        write_report(one_pair, tmp_path / "r.html")
    write_report(one_pair, tmp_path / "r.html", overwrite=True, title="second")
    assert "<title>second</title>" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_a_table_can_be_sorted_by_numbers_that_are_dressed(two_pairs):
    text = build_report(two_pairs)
    assert re.search(r'<td class="number" data-value="44\.3000"><b>44\.3</b>', text)
    assert re.search(r'<td class="number" data-value="42\.6">\+42\.6 \[', text)


def test_only_columns_of_numbers_are_sorted_by_number():
    table = plain_table(("words", "share"), [("1000", "50.0 %"), ("x", "–")], numbers=(1,))
    assert "<td>1000</td>" in table
    assert '<td class="number" data-value="50">50.0 %</td>' in table
    assert '<td class="number" data-value="">–</td>' in table


def test_tags_escape_all_but_markup():
    assert tag("p", "a<b", Markup("<i>x</i>"), None, 3) == "<p>a&lt;b<i>x</i>3</p>"
    assert tag("td", data_value='"', class_=None, hidden=True) == '<td data-value="&quot;" hidden></td>'
    assert join(["<", Markup("<br>")], ", ") == "&lt;, <br>"
