import numpy as np
import pytest

import isoalign as ia
from isoalign.drift import Drift, DriftSeries, read_drift, write_drift
from isoalign.errors import FormatError, InvalidValueError, IsoalignWarning, ParameterError
from planted_drift import planted_drift

RUNS = 20


@pytest.fixture(scope="module")
def periods():
    return planted_drift(planted=15)


@pytest.fixture(scope="module")
def found(periods):
    return ia.measure_drift(*periods[:2], measures=("cd", "lnd"))


def test_exchanged_words_are_found_first(periods, found):
    assert {word.word for word in found.words[:15]} == periods[2]
    assert {word.word for word in found.changed()} >= periods[2]
    assert len(found.changed()) <= 17


def test_neighborhoods_of_exchanged_words_changed_too(periods, found):
    assert len({word.word for word in found.changed(measure="lnd")} & periods[2]) >= 12


@pytest.mark.slow
def test_where_nothing_changed_at_most_three_of_twenty_runs_report_a_word():
    alarms = {"cd": 0, "lnd": 0}
    for seed in range(RUNS):
        old, new, _ = planted_drift(seed=seed, words=600)
        drift = ia.measure_drift(old, new, measures=tuple(alarms), k=1)
        for measure in alarms:
            alarms[measure] += bool(drift.changed(q=0.05, measure=measure))
    assert max(alarms.values()) <= 3, alarms


def test_neighbors_and_ranks_are_those_of_each_period(periods, found):
    old, new, _ = periods
    word = found.words[0]
    assert (old.get_index(word.word) + 1, new.get_index(word.word) + 1) == (word.rank_then, word.rank_now)
    for side, near in ((old, word.then), (new, word.now)):
        expected = ia.most_similar(ia.normalize(side, "iternorm"), word.word, k=10)
        assert near == tuple(neighbor.word for neighbor in expected)


def test_only_words_that_are_asked_for_are_tested_but_all_tell_the_noise(periods, found):
    asked = [found.words[0].word, found.words[500].word]
    some = ia.measure_drift(*periods[:2], words=[*asked, asked[0]])
    by_word = {word.word: word.evidence["cd"] for word in found.words}
    assert [word.word for word in some.words] == asked
    for word in some.words:
        assert word.evidence["cd"].z == pytest.approx(by_word[word.word].z)
    assert some.words[0].evidence["cd"].q < by_word[asked[0]].q


def test_unknown_words_are_counted(periods):
    with pytest.warns(IsoalignWarning, match="2 of 3 words to test are not in both"):
        ia.measure_drift(*periods[:2], words=["the", "qqq", "qqqq"])
    with pytest.raises(InvalidValueError, match="None of the 1 words"):
        ia.measure_drift(*periods[:2], words=["qqq"])


def test_a_robust_fit_brings_unchanged_words_nearer_when_many_changed():
    old, new, changed = planted_drift(planted=120)
    plain, robust = (ia.measure_drift(old, new, robust=robust, k=1).distances() for robust in (False, True))
    kept = [word for word in plain if word not in changed]
    assert np.mean([robust[word] for word in kept]) < np.mean([plain[word] for word in kept])


def test_spaces_of_different_dimension_are_compared():
    old, new, changed = planted_drift(planted=10, unequal=True)
    assert old.vector_size != new.vector_size
    assert {word.word for word in ia.measure_drift(old, new).words[:10]} == changed


def test_two_halves_may_tell_the_noise(periods):
    halves = planted_drift(seed=7)[:2]
    drift = ia.measure_drift(*periods[:2], null=halves)
    assert drift.provenance["null"] == "two halves"
    assert {word.word for word in drift.words[:15]} == periods[2]


def test_many_periods_have_every_step_and_the_whole_way(periods):
    old, new, changed = periods
    series = ia.measure_drifts({"1900": old, "1950": new, "2000": planted_drift(seed=5)[0]})
    assert [(step.old, step.new) for step in series.steps] == [("1900", "1950"), ("1950", "2000"), ("1900", "2000")]
    for step in (series["1900", "1950"], series["1950", "2000"]):
        assert {word.word for word in step.words[:15]} == changed
    assert not series["1900", "2000"].changed()
    with pytest.raises(KeyError, match="There is no step"):
        series["2000", "1900"]
    assert {record["from"] for record in series.to_records()} == {"1900", "1950"}


def test_a_result_shows_itself_and_survives_its_file(found, tmp_path):
    assert "words changed at q = 0.05" in repr(found)
    assert "<table>" in found._repr_html_()
    assert list(found.to_dataframe()["word"]) == [word.word for word in found.words]
    write_drift(found, tmp_path / "drift.json")
    assert read_drift(tmp_path / "drift.json") == found
    series = DriftSeries((found, found))
    write_drift(series, tmp_path / "series.json.gz")
    assert read_drift(tmp_path / "series.json.gz") == series
    write_drift(found, tmp_path / "drift.tsv")
    header, first = (tmp_path / "drift.tsv").read_text("utf-8").split("\n")[:2]
    assert header.split("\t")[:7] == ["word", "rank_then", "rank_now", "cd", "cd_z", "cd_p", "cd_q"]
    assert first.split("\t")[0] == found.words[0].word


def test_other_files_are_no_results(tmp_path):
    (tmp_path / "x.json").write_text('{"schema": "isoalign/align/1"}')
    with pytest.raises(FormatError, match="not a result of 'isoalign drift'"):
        read_drift(tmp_path / "x.json")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"measures": ("jsd",)}, "measures"),
        ({"measures": ()}, "at least one"),
        ({"names": ("a", "a")}, "different names"),
        ({"k": 0}, "k must be"),
    ],
    ids=["unknown measure", "no measure", "equal names", "no neighbours"],
)
def test_wrong_settings_are_refused(periods, settings, message):
    with pytest.raises(ParameterError, match=message):
        ia.measure_drift(*periods[:2], **settings)


def test_periods_that_share_few_words_are_refused(periods):
    with pytest.raises(InvalidValueError, match="'old' and 'new' share 99"):
        ia.measure_drift(periods[0].head(99), periods[1])
    with pytest.raises(ParameterError, match="at least two periods"):
        ia.measure_drifts({"now": periods[0]})


def test_distances_are_correlated_with_judgments(periods, found):
    gold = {word.word: float(word.word in periods[2]) + 1e-6 * place for place, word in enumerate(found.words[:40])}
    result = ia.evaluate_drift(found, {**gold, "qqq": 0.5})
    assert (result.n, result.n_gold) == (40, 41)
    low, high = result.ci95["cd"]
    assert low < result.spearman["cd"] < high
    perfect = ia.evaluate_drift(found, {word.word: word.evidence["cd"].distance for word in found.words[:40]})
    assert perfect.spearman["cd"] == pytest.approx(1)
    assert isinstance(found, Drift)
    with pytest.raises(InvalidValueError, match="0 of 1 judged words"):
        ia.evaluate_drift(found, {"qqq": 1.0})
