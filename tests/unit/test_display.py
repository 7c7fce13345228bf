"""How results look in notebooks and in pandas."""

import importlib
import typing

import numpy as np
import pytest

import isoalign as ia
from isoalign._core.display import Tabular, html_table, sparkline
from isoalign.errors import MissingExtraError
from isoalign.evaluation import check_conditions, measure_hubness
from isoalign.io import summarize_file
from isoalign.translation import Calibration, CalibrationTable, Rate
from planted import planted_embeddings


@pytest.fixture(scope="module")
def data():
    return planted_embeddings(n=60, dim=6, noise=0.6, n_pairs=40)


@pytest.fixture(scope="module")
def results(data, tmp_path_factory):
    source, target, lexicon = data
    model = ia.align(*data)
    scores = ia.evaluate_bli(model, lexicon, bands=[30])
    file = tmp_path_factory.mktemp("vectors") / "a.vec"
    ia.write_vectors(source, file)
    return {
        "lexicon": lexicon,
        "translations": ia.Translator(model).translate("s1", k=3),
        "lists": ia.Translator(model).translate(["s1", "s2"], k=3),
        "dictionary": ia.induce_dictionary(model, best=2),
        "scores": scores,
        "comparison": ia.compare(scores, scores),
        "isomorphism": ia.evaluate_isomorphism(source, target, lexicon),
        "pairs": ia.evaluate_pairs(model, {("xx", "yy"): lexicon}),
        "check": ia.check_dictionary(source, target, lexicon, n_folds=2),
        "calibrations": CalibrationTable([Calibration("xx", "yy", (1, 1, 1), 0, 9, {"clear": Rate(8, 9, 0.7, 1)})]),
        "hubness": measure_hubness(source.vectors, target.vectors),
        "conditions": check_conditions(source.vectors, target.vectors),
        "summary": summarize_file(file),
    }


NAMES = [
    "lexicon",
    "translations",
    "lists",
    "dictionary",
    "scores",
    "comparison",
    "isomorphism",
    "pairs",
    "check",
    "calibrations",
    "hubness",
    "conditions",
    "summary",
]
RESULTS = {
    "isoalign": ["calibrate", "check_dictionary", "compare", "transfer_file", "transfer_vocabulary"],
    "isoalign.drift": ["evaluate_drift", "measure_drift", "measure_drifts"],
    "isoalign.evaluation": ["evaluate_bli", "evaluate_isomorphism", "evaluate_pairs", "evaluate_similarity"],
    "isoalign.experiments": ["sweep"],
    "isoalign.migration": ["evaluate_adapter", "judge_migration", "plan_migration"],
    "isoalign.translation": ["induce_dictionary", "induce_lexicon"],
}


@pytest.mark.parametrize("name", NAMES)
def test_every_result_is_a_table(results, name):
    records = results[name].to_records()
    assert records
    frame = results[name].to_dataframe()
    assert list(frame.columns) == list(records[0])
    assert len(frame) == len(records)
    html = results[name]._repr_html_()
    assert html.startswith("<table>")
    assert html.count("<tr>") == 1 + min(len(records), 20)


@pytest.mark.parametrize(("module", "name"), [(module, name) for module, names in RESULTS.items() for name in names])
def test_every_function_that_measures_returns_a_table(module, name):
    function = getattr(importlib.import_module(module), name)
    assert issubclass(typing.get_type_hints(function)["return"], Tabular)


def test_the_pairs_of_a_checked_dictionary_are_rows_with_the_most_suspicious_first(results):
    check = results["check"]
    assert check.to_records()[0]["source"] == check.suspects[0].source
    assert list(check.to_dataframe()["suspicion"]) == sorted((one.suspicion for one in check.suspects), reverse=True)
    assert repr(check).startswith("DictionaryCheck(40 of 40 pairs known; most suspicious: s")
    assert len(repr(check)) < 200


def test_a_representation_is_short_and_says_what_was_found(results, data):
    assert repr(results["pairs"]).startswith("ScoreMatrix(P@1: xx → yy ")
    assert repr(results["isomorphism"]).startswith("IsomorphismResult(iternorm: eigenvector ")
    first = results["dictionary"][0]
    assert repr(results["dictionary"]).startswith(
        f"InducedDictionary({len(results['dictionary'])} entries: {first.source} – {first.target}, "
    )
    assert repr(ia.Translator(ia.align(*data))) == "Translator(xx → yy, retrieval='csls')"
    assert "Credit" not in repr(ia.load_sample())
    for name in ("pairs", "isomorphism", "dictionary", "scores", "check"):
        assert len(repr(results[name])) < 300


def test_a_row_of_the_scores_is_what_the_result_says(results):
    record = results["scores"].to_records()[0]
    assert (record["questions"], record["k"], record["precision"]) == ("all", 1, results["scores"].precision[1])
    assert (record["low"], record["high"]) == results["scores"].ci95[1]
    assert results["comparison"].to_records()[0]["verdict"] == "undecided"


def test_a_comparison_says_what_it_found_in_one_line(results):
    assert repr(results["comparison"]).startswith("Comparison(muse: P@1 +0.0 [+0.0, +0.0] undecided, P@5 ")
    assert len(repr(results["comparison"])) < 200


def test_no_translation_is_a_table_without_rows(data):
    found = ia.Translator(ia.align(*data)).translate(["unknown"], unknown="skip")
    assert list(found.to_dataframe().columns) == ["word", "looked_up", "rank", "translation", "score"]
    assert "<th>word</th>" in found._repr_html_()


def test_an_alignment_shows_its_members_and_their_residuals(data):
    html = ia.align(*data)._repr_html_()
    assert "<td>xx</td><td>60 × 6</td>" in html
    assert html.count("<polyline") == 2
    assert "<td>–</td>" in ia.align(*data, normalize="none")._repr_html_()


def test_embeddings_show_their_first_words():
    html = ia.Embeddings(["<script>", "b"], np.eye(2))._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<caption>Embeddings(2 × 2)</caption>" in html


def test_markup_comes_from_sparklines_only():
    assert (
        html_table([["<b>", None, 0.123456]]) == "<table><tr><td>&lt;b&gt;</td><td>–</td><td>0.1235</td></tr></table>"
    )
    line = sparkline([4.0, 2.0, 1.0])
    assert 'points="0.0,0.0 48.0,13.3 96.0,20.0"' in line
    assert line in html_table([[line]])


def test_neighbors_are_those_of_the_search(data):
    source = data[0]
    found = source.most_similar("s3", k=4)
    expected = ia.most_similar(source, "s3", k=4)
    assert [word for word, _ in found] == [entry.word for entry in expected]
    np.testing.assert_allclose([score for _, score in found], [entry.score for entry in expected], atol=1e-6)


def test_without_pandas_the_extra_is_named(data, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"\[pandas\]"):
        data[2].to_dataframe()


def test_dir_shows_what_is_public_and_nothing_else():
    assert {"align", "Translator", "errors", "__version__"} <= set(dir(ia))
    assert not {"Any", "import_module", "TYPE_CHECKING", "VERSION", "annotations"} & set(dir(ia))
