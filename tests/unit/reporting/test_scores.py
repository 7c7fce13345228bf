import csv
from pathlib import Path

import numpy as np
import pytest

import isoalign
from isoalign.errors import InvalidValueError
from isoalign.evaluation import Answer, BliResult, compare
from isoalign.experiments import Cell
from isoalign.reporting import (
    count_reproduced,
    find_differences,
    find_published,
    paired_difference,
    score_record,
    tell_findings,
)
from isoalign.reporting._scores import Score, average_scores
from unit.reporting.planted import accuracy, similarity

PAPER = Path(isoalign.__file__).parent / "reporting" / "published" / "appendix_accuracy.csv"


def cell(target="ja", method="procrustes", normalize="iternorm", **settings):
    return Cell("bli", "en", target, normalize, method=method, **settings)


def test_published_values_are_found_by_cell():
    assert find_published(cell()).value == 44.3
    assert find_published(cell(method="refine")).value == 44.3
    assert find_published(cell(method="vecmap")) is None
    assert find_published(cell(retrieval="nn")) is None
    assert find_published(Cell("bli", "ja", "en", "none", method="procrustes")) is None


def test_where_table_1_says_something_else_both_are_kept():
    found = find_published(cell(normalize="center_length"))
    assert (found.value, found.table1) == (13.1, 12.3)
    assert str(found) == "13.1 (Table 1: 12.3)"


@pytest.mark.parametrize("name", ["ws353", "EN_WS-353-ALL", "EN-WS-353-ALL.txt", "WS-353"])
def test_a_similarity_set_is_known_under_the_names_it_goes_by(name):
    assert find_published(Cell("similarity", "en", None, "none", dataset=name)).value == 73.9
    assert find_published(Cell("similarity", "en", None, "iternorm", dataset=name)).value == 73.7


def test_the_average_of_39_languages_is_the_published_one():
    with PAPER.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for method in ("procrustes", "procrustes_refine", "rcsls"):
        for name in ("none", "center_length", "iternorm"):
            chosen = {
                row["target"]: float(row["p_at_1"])
                for row in rows
                if (row["method"], row["normalization"]) == (method, name)
            }
            expected = chosen.pop("average")
            assert len(chosen) == 39
            found = average_scores([Score(value, (value - 1, value + 1)) for value in chosen.values()])
            np.testing.assert_allclose(found.value, expected, atol=0.06)
            np.testing.assert_allclose(found.ci95[1] - found.value, 1 / 39**0.5)


def test_refine_is_compared_with_the_paper_by_the_paper_s_own_choice_of_rounds():
    score = score_record(accuracy("ja", "refine", "iternorm", 400, best_on_test=0.45))
    np.testing.assert_allclose([score.value, score.difference], [40.0, 0.7])
    assert score.reproduced


def test_reproduced_means_within_a_point():
    scores = [score_record(accuracy("ja", "procrustes", "iternorm", right)) for right in (433, 453, 432, 454)]
    assert [score.reproduced for score in scores] == [True, True, False, False]
    assert count_reproduced([*scores, Score(50.0)]) == (2, 4)


def test_the_sample_is_not_compared_with_the_paper(one_pair):
    assert all(score_record(record).published is None for record in one_pair if record.cell.kind == "bli")


def test_similarity_is_shown_times_100():
    score = score_record(similarity("ws353", "iternorm", 0.741))
    np.testing.assert_allclose([score.value, *score.ci95, score.difference], [74.1, 64.1, 84.1, 0.4], atol=1e-9)


def as_result(ranks):
    answers = tuple(Answer(f"w{number}", ("x",), number, rank) for number, rank in enumerate(ranks))
    right = sum(rank == 1 for rank in ranks) / len(ranks)
    return BliResult(
        "muse",
        "CSLS()",
        {1: right},
        {1: (0, 1)},
        0.0,
        (0, 1),
        10,
        1.0,
        len(ranks),
        len(ranks),
        len(ranks),
        0,
        (),
        answers,
        {},
    )


def test_the_paired_difference_is_that_of_compare():
    rng = np.random.default_rng(0)
    ranks = [rng.integers(1, 4, 400).tolist() for _ in range(2)]
    records = [accuracy("ja", "procrustes", "none", 0) for _ in range(2)]
    for record, own in zip(records, ranks, strict=True):
        record.values["ranks"] = own
    ours, theirs = paired_difference(*records), compare(*map(as_result, ranks)).difference[1]
    for name in ("a", "b", "value", "only_a", "only_b", "p_mcnemar"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-12)
    np.testing.assert_allclose(ours.ci95, theirs.ci95, atol=0.005)


def test_records_of_different_words_are_not_paired():
    with pytest.raises(InvalidValueError, match="the same words"):
        paired_difference(accuracy("ja", "procrustes", "none", 5, n=10), accuracy("ja", "procrustes", "none", 5, n=11))


def test_differences_are_to_the_baseline_of_the_same_pair_and_method(two_pairs):
    found = {(one.pair, one.method, one.normalize): one.difference.value for one in find_differences(two_pairs)}
    assert len(found) == 8
    np.testing.assert_allclose(found["en–zh", "procrustes", "iternorm"], 0.135)


def test_findings_say_plainly_where_it_helps_and_where_it_does_not(one_pair):
    found = tell_findings(one_pair)
    assert found[0].startswith("Procrustes: IN against none: 57.2 − 54.8 = +2.4")
    assert found[0].endswith("IN helps.")
    assert found[2].endswith("57.2 − 57.5 = −0.3 [−0.7, +0.0]. IN does not help: the interval holds zero.")
    assert found[3].endswith("59.1 − 58.9 = +0.2 [+0.0, +0.5]. Too small to tell: the interval holds zero.")


def test_a_loss_is_called_a_loss():
    records = [accuracy("ja", "rcsls", name, right) for name, right in (("none", 580), ("iternorm", 540))]
    assert tell_findings(records)[0].endswith("IN hurts.")


def test_findings_of_several_pairs_are_counted(two_pairs):
    assert tell_findings(two_pairs)[0] == (
        "Procrustes: IN against none, 2 language pairs: "
        "better in 2, worse in 0, undecided in 0; +28.0 points on average."
    )
