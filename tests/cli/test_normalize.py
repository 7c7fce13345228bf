"""``isoalign normalize``, also in place of the authors' script."""

import json
from pathlib import Path

import numpy as np
import pytest

import isoalign as ia

SMALL = Path(__file__).parent.parent / "reference" / "small"
EXPECTED = json.loads((SMALL / "expected.json").read_text(encoding="utf-8"))["iternorm"]
AUTHORS_WORDS = ",".join(["renorm", "center"] * 5 + ["renorm"])


@pytest.mark.parametrize("arguments", [[], ["--normalize", AUTHORS_WORDS], ["--method", "IN", "--rounds", "5"]])
@pytest.mark.parametrize("name", ["out.vec", "out.txt.gz", "out"])
def test_it_writes_the_numbers_of_the_authors_script(run, tmp_path, arguments, name):
    assert run("normalize", SMALL / "source.vec", tmp_path / name, *arguments).code == 0
    written = ia.read_vectors(tmp_path / name)
    np.testing.assert_allclose(written.vectors[:3], EXPECTED["source_first_rows"], atol=1e-6)
    assert written.index_to_key == ia.read_vectors(SMALL / "source.vec").index_to_key
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_max_vocab_takes_the_first_words_and_their_mean(run, tmp_path):
    assert run("normalize", SMALL / "source.vec", tmp_path / "out.vec", "--max_vocab", 100).code == 0
    expected = ia.normalize(ia.read_vectors(SMALL / "source.vec", limit=100))
    np.testing.assert_array_equal(ia.read_vectors(tmp_path / "out.vec").vectors, expected.vectors)


def test_the_table_shows_the_residuals_of_each_round(run, tmp_path):
    out = run("normalize", SMALL / "source.vec", tmp_path / "out").out
    for entry in EXPECTED["source_trace"][:5]:
        assert f"{entry['round']:5d}        {entry['mean_norm_after_unit']:.3e}" in out
    assert "λ = 0.1276; rounds predicted for 1e-06: 7" in out


def test_json_has_the_residuals(run, tmp_path):
    found = json.loads(run("normalize", SMALL / "source.vec", tmp_path / "out", "--tol", "1e-6", "--json").out)
    assert found["schema"] == "isoalign/normalize/1"
    assert found["converged"] is True
    assert len(found["rounds"]) == found["predicted_rounds"] == 7
    assert max(found["rounds"][-1].values()) <= 1e-6


def test_standard_output_carries_the_vectors_alone(run):
    found = run("normalize", SMALL / "source.vec", "-", "--limit", 3, "--set", "zero=keep", "--method", "iternorm")
    lines = found.out.split("\n")
    assert lines[0] == "3 20"
    assert [line.partition(" ")[0] for line in lines[1:]] == ["s000", "s001", "s002", ""]
    assert "mean after unit" in found.err


def test_a_method_without_rounds_says_where_it_wrote(run, tmp_path):
    assert run("normalize", SMALL / "source.vec", tmp_path / "o", "--method", "remove_top", "--set", "n=2").out == (
        f"wrote {tmp_path / 'o'}\n"
    )
    assert ia.read_vectors(tmp_path / "o").metadata["normalization"] == {"method": "RemoveTop(n=2)", "rows": 600}


def test_plot_draws_a_figure(run, tmp_path):
    assert run("normalize", SMALL / "source.vec", tmp_path / "o", "--plot", tmp_path / "c.svg").code == 0
    assert "λ" in (tmp_path / "c.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rounds", 3, "--tol", "1e-3"], "--rounds or --tol, not both"),
        (["--tol", "1e-9"], "tol must be at least 1e-06"),
        (["--method", "unit", "--rounds", 3], "no setting 'n_iter'"),
        (["--method", "iternrom"], "Did you mean 'iternorm'?"),
        (["--method", "unit", "--plot", "c.svg"], "rounds of iternorm"),
        (["--plot", "c.docx"], "suffix of a figure"),
        (["--set", "zero"], "--set takes NAME=VALUE"),
        (["--set", "tol=small"], "tol must be a number. Got 'small'"),
        (["--method", "whiten", "--set", "rcond=none"], "rcond must be a number. Got 'none'"),
    ],
)
def test_wrong_usage_is_refused_and_nothing_is_written(run, tmp_path, arguments, message):
    refused = run("normalize", SMALL / "source.vec", tmp_path / "out", *arguments)
    assert refused.code == 2
    assert message in refused.err
    assert list(tmp_path.iterdir()) == []


def test_a_bad_value_is_reported_by_file_and_line(run, tmp_path):
    (tmp_path / "x.vec").write_text("2 2\na 1 2\nb nan 1\n")
    refused = run("normalize", tmp_path / "x.vec", tmp_path / "out")
    assert refused.code == 3
    assert f"{tmp_path / 'x.vec'}:3" in refused.err
    assert not (tmp_path / "out").exists()


def test_a_zero_vector_that_is_refused_is_reported_by_its_word(run, tmp_path):
    (tmp_path / "x.vec").write_text("3 2\na 1 2\nb 0 0\nc 3 -1\n")
    refused = run("normalize", tmp_path / "x.vec", tmp_path / "out", "--set", "zero=error")
    assert refused.code == 3
    assert "The vector of 'b'" in refused.err


def test_of_several_casings_the_first_stays(run, tmp_path):
    (tmp_path / "x.vec").write_text("4 2\nA 1 2\na 3 4\nb 1 -1\nc -1 5\n")
    assert run("normalize", tmp_path / "x.vec", tmp_path / "out", "--lower").code == 0
    assert ia.read_vectors(tmp_path / "out", duplicates="keep").index_to_key == ["a", "b", "c"]


def test_zero_vectors_are_noted_on_standard_error(run, tmp_path):
    (tmp_path / "x.vec").write_text("4 2\na 1 2\nb 0 0\nc 3 -1\nd -2 1\n")
    found = run("normalize", tmp_path / "x.vec", tmp_path / "out")
    assert found.code == 0
    assert "warning: 1 row(s) are zero" in found.err
