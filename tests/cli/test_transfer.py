import json

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from isoalign.transfer import transfer_vocabulary
from token_files import old_matrix, planted_model, planted_tokenizers


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("transfer")
    planted_model().save(folder / "model")
    for name, tokenizer in zip(("old", "new"), planted_tokenizers(), strict=True):
        tokenizer.save(str(folder / f"{name}.json"))
    save_file({"wte.weight": old_matrix(43), "norm": np.ones(5, dtype=np.float32)}, folder / "lm.safetensors")
    return folder


@pytest.fixture
def call(run, files, tmp_path):
    def transfer(*options, output=tmp_path / "out.safetensors", **changed):
        given = {"s": files / "old.json", "t": files / "new.json", "e": files / "lm.safetensors", **changed}
        parts = [part for name, value in given.items() for part in (f"-{name}", value)]
        return run("transfer", files / "model", *parts, "-o", output, *options)

    return transfer


def test_a_transfer_is_written_and_described(call, tmp_path):
    done = call()
    assert done.code == 0, done.err
    expected = transfer_vocabulary(planted_model(), *planted_tokenizers()).apply(old_matrix(43))
    np.testing.assert_array_equal(load_file(tmp_path / "out.safetensors")["wte.weight"], expected)
    lines = done.out.splitlines()
    assert lines[0] == "xx → yy: 45 new tokens from 40 old ones known by words, weighted by 1/rank"
    assert any(line.split() == ["neighbors", "40", "88.9", "%"] for line in lines)
    assert any(line.split(maxsplit=2) == ["wte.weight", "F32", "[43, 5] → [45, 5]"] for line in lines)
    assert sum(line[:1] == "t" and line[1:2].isdigit() for line in lines) == 20
    assert "without evidence (2): nowhere, !" in lines
    assert lines[-1] == f"wrote {tmp_path / 'out.safetensors'}"


def test_json_has_all_of_it(call, files, tmp_path):
    (tmp_path / "counts.tsv").write_text("s0\t100\ns1\t7\n", encoding="utf-8")
    options = ["--source-counts", tmp_path / "counts.tsv", "--special", "!=<s>", "--seed", 3, "--pad-to", 8]
    found = json.loads(
        call("--json", "-k", 4, "--temperature", 0.2, *options, e=f"{files}/lm.safetensors:wte.weight").out
    )
    assert found["schema"] == "isoalign/transfer/1"
    assert found["frequency"] == ["counts", "1/rank"]
    assert (found["k"], found["temperature"], found["evidence"]) == (4, 0.2, "words")
    assert found["rules"] == {"neighbors": 40, "name": 4, "shared": 0, "random": 1, "unused": 0}
    assert found["tensors"]["wte.weight"]["shape"] == [48, 5]
    assert found["without_evidence"] == ["nowhere"]
    assert len(found["examples"]) == 20
    assert len(found["examples"][0]["neighbors"]) == 4


def test_a_report_names_rules_examples_and_tokens_without_evidence(call, tmp_path):
    done = call("--report", tmp_path / "report.html")
    assert done.out.splitlines()[-1] == f"wrote {tmp_path / 'report.html'}"
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    for part in ("xx → yy: 45 new tokens", "weighted sum of the nearest old tokens", "<td>t39</td>", "nowhere"):
        assert part in page
    refused = call("--report", tmp_path / "report.html", output=tmp_path / "other.safetensors")
    assert (refused.code, (tmp_path / "other.safetensors").exists()) == (2, False)


@pytest.mark.parametrize(
    ("changed", "options", "code", "message"),
    [
        ({"s": "nowhere.json"}, [], 5, "nowhere.json: no such file"),
        ({"e": "nowhere.safetensors"}, [], 5, "nowhere.safetensors: no such file"),
        ({}, ["--special", "x"], 2, "--special takes NEW=OLD"),
        ({}, ["--evidence", "x"], 2, "evidence must be one of"),
        ({}, ["--temperature", -1], 2, "temperature must be above 0"),
    ],
    ids=["tokenizer", "model", "special", "evidence", "temperature"],
)
def test_what_is_wrong_is_said_in_one_line(call, changed, options, code, message):
    done = call(*options, **changed)
    assert done.code == code
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_file_that_exists_stays_unless_force_is_given(call, tmp_path):
    (tmp_path / "out.safetensors").write_bytes(b"mine")
    refused = call()
    assert (refused.code, (tmp_path / "out.safetensors").read_bytes()) == (2, b"mine")
    assert call("--force").code == 0


def test_counts_that_are_none_are_refused_with_their_line(call, tmp_path):
    (tmp_path / "counts.tsv").write_text("s0\t100\ns1\tmany\n", encoding="utf-8")
    done = call("--source-counts", tmp_path / "counts.tsv")
    assert done.code == 3
    assert "counts.tsv:2: expected a word and a positive count" in done.err
