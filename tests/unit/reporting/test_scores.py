import csv
from pathlib import Path

import numpy as np
import pytest

import isoalign
from isoalign.errors import InvalidValueError
from isoalign.evaluation import Answer, BliResult, compare, compare_ranks
from isoalign.experiments import Cell, Record, bli_values, load_sweep
from isoalign.experiments._data import DataFile
from isoalign.experiments._plan import expand_cells
from isoalign.experiments._provenance import describe_origin
from isoalign.reporting import (
    count_reproduced,
    describe_findings,
    find_differences,
    find_published,
    paired_difference,
    score_record,
)
from isoalign.reporting._findings import describe_summary
from isoalign.reporting._scores import Score, average_scores
from unit.reporting import planted
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


def test_only_the_files_of_the_paper_are_compared_with_the_paper():
    def published(about):
        return score_record(accuracy("ja", "procrustes", "iternorm", 443, provenance=about)).published

    paper = planted.of_paper("ja")
    copies = {role: {"name": f"/data/{file['name']}"} for role, file in paper["data"].items()}
    assert published(paper).value == published(paper | {"data": copies}).value == 44.3
    for role in copies:
        assert published(paper | {"data": copies | {role: {"name": "mine.txt"}}}) is None
    assert published(paper | {"reading": {"limit": 20_000, "lower": True}}) is None
    assert published(paper | {"reading": {"limit": 200_000, "lower": False}}) is None
    assert published({}) is None


def test_the_bundled_sweep_is_compared_with_the_paper():
    config = load_sweep("iternorm-acl2019", targets=["ja"])
    for cell in (Cell("bli", "en", "ja", "iternorm", "procrustes", "csls"), *expand_cells(config)[:1]):
        names = {"source": config.data.vectors_of("en")}
        if cell.target is None:
            names["similarity"] = config.data.similarity[0]
        else:
            names["target"] = config.data.vectors_of("ja")
            names |= {role: config.data.lexicon_of(role, "en", "ja") for role in ("train", "test")}
        data = {role: DataFile(name, Path(name), "0") for role, name in names.items()}
        values = accuracy("ja", "procrustes", "iternorm", 443).values | {"spearman": 0.7, "ci95": (0.6, 0.8)}
        values |= {"ci95": {"1": (0.4, 0.5)}} if cell.target else {}
        assert score_record(Record("key", cell, values, describe_origin(config, cell, data))).published is not None


def test_similarity_is_shown_times_100():
    score = score_record(similarity("ws353", "iternorm", 0.741))
    np.testing.assert_allclose([score.value, *score.ci95, score.difference], [74.1, 64.1, 84.1, 0.4], atol=1e-9)


def xling_result(seed):
    """A system on one to five questions per word, which it answers alike for most words."""
    words = [f"w{number}" for number in range(300) for _ in range(1 + number % 5)]
    rng = np.random.default_rng(seed)
    level = dict(zip(dict.fromkeys(words), rng.integers(1, 4, 300).tolist(), strict=True))
    ranks = [level[word] if rng.random() < 0.8 else None for word in words]
    answers = tuple(Answer(word, (f"t{q}",), q, rank) for q, (word, rank) in enumerate(zip(words, ranks, strict=True)))
    shares = {k: sum(answer.is_right(k) for answer in answers) / len(answers) for k in (1, 5)}
    ends = dict.fromkeys(shares, (0.0, 1.0))
    return BliResult("xling", "NN()", shares, ends, 0.0, (0, 1), None, 1.0, len(words), 300, 300, 0, (), answers, {})


def as_record(result):
    return Record("key", cell(retrieval="nn"), bli_values(result))


def test_reports_and_compare_agree_to_the_digit_on_several_questions_per_word():
    a, b = xling_result(0), xling_result(1)
    ours = paired_difference(as_record(a), as_record(b))
    assert ours == compare(a, b).difference[1]
    words = [answer.word for answer in a.answers]
    ranks = [[answer.rank for answer in result.answers] for result in (a, b)]
    one_by_one = compare_ranks([f"{q}" for q in range(len(words))], *ranks)
    width, narrow = (high - low for low, high in (ours.ci95, one_by_one.ci95))
    assert width > 1.3 * narrow


def test_records_of_different_questions_are_not_paired():
    ten, eleven = (accuracy("ja", "procrustes", "none", 5, n=n) for n in (10, 11))
    with pytest.raises(InvalidValueError, match="the same questions"):
        paired_difference(ten, eleven)


def test_a_record_without_words_is_refused_with_a_remedy():
    old = accuracy("ja", "procrustes", "none", 5, n=10)
    del old.values["words"]
    with pytest.raises(InvalidValueError, match=r"earlier version\. Run the sweep again"):
        paired_difference(old, old)


def test_differences_are_to_the_baseline_of_the_same_pair_and_method(two_pairs):
    found = {(one.pair, one.method, one.normalize): one for one in find_differences(two_pairs, baseline="none")}
    assert len(found) == 8
    np.testing.assert_allclose(found["en–zh", "procrustes", "iternorm"].difference.value, 0.135)


def test_without_a_baseline_each_normalisation_is_compared_with_all_before_it(one_pair):
    found = [(one.method, one.normalize, one.baseline) for one in find_differences(one_pair)]
    pairs = [("center_length", "none"), ("iternorm", "none"), ("iternorm", "center_length")]
    assert found == [(method, *pair) for method in ("procrustes", "rcsls") for pair in pairs]


def test_findings_end_with_the_verdict(one_pair):
    found = describe_findings(one_pair)
    assert found[0].startswith("Procrustes: IN against none: 57.2 − 54.8 = +2.4")
    assert found[0].endswith("IN is better.")
    assert found[2].endswith("57.2 − 57.5 = −0.3 [−0.7, +0.0]. Undecided: the interval contains zero.")
    assert found[3].endswith("59.1 − 58.9 = +0.2 [+0.0, +0.5]. Undecided: the interval contains zero.")


def test_a_loss_is_called_worse():
    records = [accuracy("ja", "rcsls", name, right) for name, right in (("none", 580), ("iternorm", 540))]
    assert describe_findings(records)[0].endswith("IN is worse.")


def test_findings_of_several_pairs_are_counted(two_pairs):
    assert describe_findings(two_pairs)[0] == (
        "Procrustes: IN against none, 2 language pairs: "
        "better in 2, worse in 0, undecided in 0; +28.0 points on average."
    )


def several_retrievals():
    """RCSLS with and without normalisation: 54 and 58 % by CSLS, 44 and 41 % by nearest neighbours."""
    right = {"csls": (540, 580), "nn": (440, 410)}
    return [
        accuracy("ja", "rcsls", name, count, retrieval=retrieval)
        for retrieval, counts in right.items()
        for name, count in zip(("none", "iternorm"), counts, strict=True)
    ]


@pytest.mark.parametrize("step", [1, -1])
def test_of_several_retrievals_csls_is_reported_in_whichever_order_they_finished(step):
    records = several_retrievals()[::step]
    assert describe_summary(records)[0].startswith("RCSLS after IN translates 58.0 % [")
    assert "retrieval" not in " ".join(describe_summary(records))
    (one,) = find_differences(records)
    assert (one.difference.a, one.difference.b) == (0.58, 0.54)


def test_a_retrieval_other_than_csls_is_named():
    best, comparison = describe_summary([record for record in several_retrievals() if record.cell.retrieval == "nn"])
    assert "(en–ja; NN retrieval), the highest of 2 systems" in best
    assert comparison.startswith("IN against no normalisation (NN retrieval): worse")


@pytest.mark.parametrize("step", [1, -1])
def test_of_several_seeds_the_lowest_is_reported_and_named(step):
    right = {0: (540, 580), 1: (600, 500)}
    records = [
        accuracy("ja", "rcsls", name, count, seed=seed)
        for seed, counts in right.items()
        for name, count in zip(("none", "iternorm"), counts, strict=True)
    ]
    best, comparison = describe_summary(records[::step])
    assert best.startswith("RCSLS after IN translates 58.0 % [")
    assert "(en–ja; seed 0)" in best
    assert comparison.startswith("IN against no normalisation (seed 0): better")
    (one,) = find_differences(records[::step])
    assert (one.difference.a, one.difference.b) == (0.58, 0.54)
