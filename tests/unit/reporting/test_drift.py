"""The report of change of meaning, on words whose figures are known."""

import pytest

from isoalign.drift import Drift, GoldResult, Movement, WordDrift
from isoalign.reporting import build_drift_report

SCRIPT = "<script>alert(1)</script>"


def make_drift(n=40, changed=0, *, null="frequency"):
    words = [
        WordDrift(
            SCRIPT if place == 0 else f"word{place}",
            place + 1,
            place + 2,
            {"cd": Movement(0.9 - 0.01 * place, 5.0 - 0.1 * place, 0.01, 0.01 if place < changed else 0.5)},
            ("kept", "lost"),
            ("kept", "won"),
        )
        for place in range(n)
    ]
    return Drift("1900", "2000", ("cd",), tuple(words), 500, {"null": null})


def test_neighbors_that_the_other_side_lacks_are_bold_and_words_are_escaped():
    page = build_drift_report([make_drift(changed=2)])
    assert "<bdi>kept</bdi>, <bdi><b>lost</b></bdi>" in page
    assert "<bdi>kept</bdi>, <bdi><b>won</b></bdi>" in page
    assert "2 words have q ≤ 0.05" in page
    assert SCRIPT not in page.partition("</style>")[2].rpartition("<script>")[0]


def test_where_nothing_changed_the_report_says_so():
    page = build_drift_report([make_drift(null="two halves")])
    assert "No word has q ≤ 0.05" in page
    assert "two halves of one corpus" in page


@pytest.mark.parametrize(("changed", "rows"), [(0, 30), (40, 40)], ids=["few", "many"])
def test_all_changed_words_are_listed_and_the_first_thirty_are_open(changed, rows):
    page = build_drift_report([make_drift(n=60, changed=changed)])
    assert page.count("<bdi><b>lost</b></bdi>") == rows


def test_correlations_have_their_interval_and_coverage():
    gold = {("1900", "2000"): GoldResult({"cd": 0.5}, {"cd": (0.25, 0.75)}, 37, 40)}
    page = build_drift_report([make_drift()], gold=gold)
    assert "0.500 [0.250, 0.750]" in page
    assert ">37<" in page
    assert ">40<" in page
