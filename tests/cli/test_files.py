"""``info``, ``convert`` and ``env``, and the conventions that every command follows."""

import json
import subprocess
import sys

import numpy as np
import pytest

import isoalign as ia

ROWS = "3 2\ncat 3 4\ndog 0 0\ncat 1 0\n"


@pytest.fixture
def vectors(tmp_path):
    file = tmp_path / "x.vec"
    file.write_text(ROWS)
    return file


def test_info_describes_a_file(run, vectors):
    found = run("info", vectors)
    assert found.code == 0
    for text in ("3 × 2", "duplicate words", "zero vectors", "cat  dog  cat"):
        assert text in found.out


def test_info_as_json_has_a_schema_and_the_numbers(run, vectors):
    found = json.loads(run("info", vectors, "--json").out)
    assert found["schema"] == "isoalign/info/1"
    assert (found["n_words"], found["dim"], found["duplicates"], found["zero_rows"]) == (3, 2, 1, 1)
    assert found["lengths"]["100%"] == 5.0
    np.testing.assert_allclose(found["mean_norm"], np.linalg.norm([4 / 3, 4 / 3]))


def test_convert_goes_through_native_and_back(run, vectors, tmp_path):
    assert run("convert", vectors, tmp_path / "n", "--duplicates", "keep").code == 0
    assert run("convert", tmp_path / "n", tmp_path / "y.vec.gz", "--duplicates", "keep").code == 0
    assert run("convert", tmp_path / "y.vec.gz", "-", "--duplicates", "keep").out == ROWS


def test_convert_reads_standard_input(run, tmp_path):
    assert run("convert", "-", tmp_path / "y.txt", "--limit", 1, stdin=ROWS).code == 0
    assert (tmp_path / "y.txt").read_text() == "cat 3 4\n"


def test_an_existing_output_needs_force(run, vectors, tmp_path):
    (tmp_path / "y.vec").write_text("old")
    refused = run("convert", vectors, tmp_path / "y.vec")
    assert refused.code == 2
    assert refused.err.startswith("error: ")
    assert (tmp_path / "y.vec").read_text() == "old"
    assert run("convert", vectors, tmp_path / "y.vec", "--force", "-q").code == 0
    assert ia.read_vectors(tmp_path / "y.vec").index_to_key == ["cat", "dog"]


@pytest.mark.parametrize(
    ("content", "arguments", "code", "message"),
    [
        ("2 2\na 1 2\nb 1\n", (), 3, "x.vec:3: expected 2 values, got 1"),
        ("2 2\na 1 2\nb 1 nan\n", (), 3, "x.vec:3: 'nan' is not a finite"),
        ("", (), 3, "empty file"),
        ("1 2\na 1 2\n", ("--limit", "0"), 2, "limit"),
    ],
)
def test_errors_are_one_line_with_an_exit_code(run, tmp_path, content, arguments, code, message):
    file = tmp_path / "x.vec"
    file.write_text(content)
    found = run("info", file, *arguments)
    assert found.code == code
    assert message in found.err
    assert found.out == ""
    if code == 3:
        assert found.err.count("\n") == 1


def test_bad_rows_can_be_skipped_and_are_counted(run, tmp_path):
    file = tmp_path / "x.vec"
    file.write_text("2 2\na 1 2\nb 1\n")
    found = run("info", file, "--skip-bad")
    assert found.code == 0
    assert "warning: " in found.err
    assert "1 bad rows were skipped" in found.err


def test_a_missing_file_has_its_own_exit_code(run, tmp_path):
    found = run("info", tmp_path / "nothing.vec")
    assert found.code == 5
    assert "no such file" in found.err


def test_a_name_without_a_known_format_is_refused(run, vectors, tmp_path):
    found = run("convert", vectors, tmp_path / "y.xyz")
    assert found.code == 3
    assert "cannot tell the format" in found.err


def test_env_names_blas_threads_and_extras(run):
    found = json.loads(run("env", "--json").out)
    assert found["blas"]
    assert found["threads"] >= 1
    assert "plot" in found["extras"]
    assert run("env", "--threads", 1, "--json").out.count('"threads": 1,') == 1


def run_python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_help_imports_no_numpy():
    code = "import sys; from isoalign.cli import app\ntry: app(['--help'])\nexcept SystemExit: pass\n"
    found = run_python(code + "assert 'numpy' not in sys.modules, 'numpy'; assert 'numba' not in sys.modules")
    assert found.returncode == 0, found.stderr
    assert "convert" in found.stdout


def test_a_traceback_comes_only_with_vv(run, tmp_path):
    (tmp_path / "x.vec").write_text("1 2\na 1\n")
    assert "Traceback" not in run("info", tmp_path / "x.vec", "-v").err
    assert "Traceback" in run("info", tmp_path / "x.vec", "-vv").err


def test_version_is_printed(run):
    assert run("--version").out == f"isoalign {ia.__version__}\n"
