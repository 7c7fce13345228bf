import re
from dataclasses import replace

import numpy as np
import pytest

from isoalign.reporting import write_demo_report
from isoalign.reporting._demo_report import _answer
from unit.reporting.small_demo import make_demo


@pytest.fixture
def demo():
    return make_demo()


def test_every_normalisation_meets_every_method(demo):
    cells = {(record.cell.normalize, record.cell.method) for record in demo.records if record.cell.kind == "bli"}
    assert len(cells) == 12
    assert {record.cell.normalize for record in demo.records if record.cell.kind == "conditions"} == {
        n for n, _ in cells
    }


def test_open_settings_were_chosen_on_validation_words(demo):
    chosen = {record.cell.method: record.values["chosen"] for record in demo.records if record.cell.kind == "bli"}
    assert set(chosen["refine"]) == {"n_iter"}
    assert chosen["procrustes"] is chosen["rcsls"] is chosen["vecmap"] is None


def test_ranks_agree_with_the_precision(demo):
    for record in demo.records:
        if record.cell.kind == "bli":
            np.testing.assert_allclose(
                record.values["ranks"].count(1) / record.values["n"], record.values["precision"]["1"]
            )


def test_both_conditions_hold_after_iterative_normalisation(demo):
    (found,) = (r.values for r in demo.records if (r.cell.kind, r.cell.normalize) == ("conditions", "iternorm"))
    for side in found.values():
        np.testing.assert_allclose([side["min_length"], side["max_length"]], 1, atol=1e-5)
        np.testing.assert_allclose(side["mean_norm"], 0, atol=1e-3)


def test_the_figure_is_that_of_girl_and_its_translation(demo):
    assert [[(hood.word, hood.normalize) for hood in row] for row in demo.neighborhoods] == [
        [("girl", "none"), ("girl", "iternorm")],
        [("少女", "none"), ("少女", "iternorm")],
    ]


def test_ten_test_words_are_translated_each_way_from_frequent_to_rare(demo):
    for lookups, side in ((demo.forward, demo.sample.source), (demo.backward, demo.sample.target)):
        assert len({lookup.word for lookup in lookups}) == 10
        rows = [side.key_to_index[lookup.word] for lookup in lookups]
        assert rows == sorted(rows)
    assert set(demo.forward[0].gold) == set(demo.sample.test.translations[demo.forward[0].word])


@pytest.mark.parametrize(
    ("ranking", "told"),
    [
        (
            ["女の子", "女", "少女", "猫"],
            "少女 (shōjo, girl) is the third-best translation of girl, 猫 (neko, cat) the 4th; 女の子 is the best.",
        ),
        (["少女", *"abcdefghij", "猫"], "少女 (shōjo, girl) is the best translation of girl, 猫 (neko, cat) the 12th."),
        (["女", "猫"], "猫 (neko, cat) is the second-best translation of girl; 女 is the best."),
    ],
)
def test_the_title_is_answered_by_ranks(demo, ranking, told):
    assert _answer(replace(demo, ranking=ranking)).endswith(f"among {len(ranking)} Japanese words, {told}")


def test_the_report_shows_everything_and_acknowledges_the_dictionary(demo, tmp_path):
    write_demo_report(demo, tmp_path / "new" / "report.html")
    text = (tmp_path / "new" / "report.html").read_text(encoding="utf-8")
    assert text.count("<figure>") == text.count("How to read it:") == 6
    assert text.count("Electronic Dictionary Research and Development Group") == 1
    findings = re.search(r'<p class="findings">(.*?)</p>', text)[1]
    assert re.match(r"(Shōjo|Neko): among \d+ Japanese words, \S+ \(.*\) is the .*best translation of girl", findings)
    assert '<th scope="col"><button type="button"></button>' not in text
    assert "IN against no normalisation: " in findings
    assert "IN against C+L: " in findings
    assert "mathdefault" not in text
    assert 'lang="ja"' in text
    assert "少女" in text
    assert "published value" not in text
    assert len(text.encode()) < 3_000_000
