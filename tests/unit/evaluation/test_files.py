"""Results in files."""

import gzip
import json

import pytest

import isoalign as ia
from isoalign.errors import FormatError, MissingFileError, OutputExistsError
from isoalign.evaluation import read_results, write_answers, write_disagreements
from ranked_model import ranked_model

LEXICON = [("a\tb", "t1"), ("a\tb", "t3"), ("c", "t5")]


def evaluate(order):
    return ia.evaluate_bli(ranked_model({"a\tb": order, "c": [0]}), LEXICON, retrieval="nn", ks=(2,))


def rows(text):
    return [line.split("\t") for line in text.strip("\n").split("\n")]


def test_a_tab_inside_a_word_moves_no_column(tmp_path):
    write_answers([evaluate([1])], tmp_path / "w.tsv")
    header, first, second = rows((tmp_path / "w.tsv").read_text())
    assert len(header) == len(first) == len(second) == 9
    assert first[:6] == ["1", "a b", "1", "1", "t1 | t3", "t1"]
    assert second[3] == ">2"


def test_a_table_may_be_compressed_and_is_not_replaced_unasked(tmp_path):
    write_answers([evaluate([1])] * 2, tmp_path / "w.tsv.gz")
    assert [row[0] for row in rows(gzip.decompress((tmp_path / "w.tsv.gz").read_bytes()).decode())[1:]] == list("1122")
    with pytest.raises(OutputExistsError):
        write_answers([evaluate([1])], tmp_path / "w.tsv.gz", overwrite=False)


def test_disagreements_show_both_answers(tmp_path):
    comparison = ia.compare(evaluate([1]), evaluate([0, 2, 4, 1]))
    write_disagreements([comparison], tmp_path / "d.tsv")
    assert rows((tmp_path / "d.tsv").read_text())[1] == ["1", "a b", "t1 | t3", "1", ">2", "t1", "t0"]


def test_results_are_read_back(tmp_path):
    result = evaluate([1])
    (tmp_path / "r.json").write_text(json.dumps({"results": [result.to_dict()]}))
    assert read_results(tmp_path / "r.json") == [result]


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"results": [{}]}', '{"results": 3}', '{"results": [{"precision": []}]}', "[" * 100_000],
)
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "r.json").write_text(content)
    with pytest.raises(FormatError, match=r"r\.json: not a result"):
        read_results(tmp_path / "r.json")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(MissingFileError, match="no such file"):
        read_results(tmp_path / "nothing.json")
