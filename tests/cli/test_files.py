"""``info``, ``convert`` and ``env``, and the conventions that every command follows."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import isoalign as ia
from vector_files import unprivileged  # noqa: F401  (a fixture)

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


def test_info_on_an_alignment_says_what_it_is(run, animals):
    refused = run("info", animals)
    assert refused.code == 3
    assert f"{animals}: is an alignment, not a vector file. Write its vectors with isoalign export" in refused.err


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


def test_a_file_without_permission_is_bad_input(run, vectors, tmp_path, request):
    tmp_path.chmod(0o711)
    vectors.chmod(0o000)
    (tmp_path / "locked").mkdir(mode=0o000)
    request.getfixturevalue("unprivileged")
    for path in (vectors, tmp_path / "locked", tmp_path / "locked" / "x.vec"):
        found = run("info", path)
        assert found.code == 3
        assert found.err.startswith(f"error: {path}: ")
        assert "Permission denied" in found.err
        assert found.err.count("\n") == 1


def test_a_name_that_is_too_long_is_one_line(run, tmp_path):
    found = run("info", tmp_path / ("x" * 300))
    assert found.code == 3
    assert found.err.endswith(": File name too long.\n")


def test_a_pipe_is_read_like_a_file(run, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for content, code in ((ROWS, 0), ("1 2\na 1\n", 3)):
        writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=[content])
        writer.start()
        found = run("info", tmp_path / "pipe", "--json")
        writer.join()
        assert found.code == code
        assert (str(tmp_path / "pipe") in found.out) if code == 0 else (f"{tmp_path / 'pipe'}:2: " in found.err)


def test_errors_and_results_call_standard_input_by_its_name(run):
    assert json.loads(run("info", "-", "--json", stdin=ROWS).out)["path"] == "-"
    assert run("info", "-", stdin="1 2\na 1\n").err.startswith("error: -:2: ")


@pytest.mark.parametrize("name", ["native", "numpy"])
def test_several_files_do_not_go_to_standard_output(run, vectors, name):
    found = run("convert", vectors, "-", "--format", name)
    assert (found.code, found.out) == (2, "")
    assert "takes a single file" in found.err


def test_a_full_standard_output_is_one_line(vectors):
    for arguments in (["info", vectors], ["convert", vectors, "-", "-q"]):
        with Path("/dev/full").open("wb") as full:
            found = subprocess.run(
                [sys.executable, "-m", "isoalign", *arguments], stdout=full, stderr=subprocess.PIPE, check=False
            )
        assert found.returncode == 3
        *warnings, error = found.stderr.splitlines()  # those that -q withheld
        assert error == b"error: standard input or output: No space left on device."
        assert all(line.startswith(b"warning: ") for line in warnings)


def test_an_output_that_cannot_hold_the_words_is_one_line(vectors):
    found = subprocess.run(
        [sys.executable, "-m", "isoalign", "info", vectors],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert found.returncode == 1
    assert found.stdout == b""
    assert found.stderr.startswith(b"error: the encoding ascii cannot write ")
    assert found.stderr.endswith(b". Set PYTHONIOENCODING=utf-8 for standard output.\n")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_leaves_nothing_behind(tmp_path, number, code):
    program = (
        "import signal, time; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import isoalign.io._native as native\n"
        "native.json.dumps = lambda *_, **__: (print('writing', flush=True), time.sleep(60))\n"
        "from isoalign.cli import main; main()"
    )
    (tmp_path / "x.txt").write_text("a 1 2\n")
    arguments = [sys.executable, "-c", program, "convert", tmp_path / "x.txt", tmp_path / "y.vec"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "writing\n"
        assert len(list(tmp_path.glob(".y.vec.*"))) == 2
        process.send_signal(number)
        assert process.wait(20) == code
        assert process.stderr.read() == ""
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["x.txt"]


def test_info_shows_words_that_a_terminal_would_obey_as_escapes(run, tmp_path):
    (tmp_path / "x.vec").write_text("1 1\n\x1b[31m猫\u00a0 1\n")
    assert "\\x1b[31m猫\\xa0\n" in run("info", tmp_path / "x.vec").out


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


def test_a_command_imports_only_what_it_needs(animals):
    code = "import sys; sys.argv[1:] = ['translate', sys.argv[1], 'cat']; from isoalign.cli import main\n"
    code += "try: main()\nexcept SystemExit as end: assert not end.code\n"
    code += "unused = {'isoalign.cli.align', 'scipy.linalg', 'scipy.optimize', 'pydantic', 'yaml'} & set(sys.modules)\n"
    code += "assert not unused, unused"
    for _ in range(2):  # the first run may compile kernels, and then numba imports scipy
        found = subprocess.run([sys.executable, "-c", code, animals], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr


def test_a_traceback_comes_only_with_vv(run, tmp_path):
    (tmp_path / "x.vec").write_text("1 2\na 1\n")
    assert "Traceback" not in run("info", tmp_path / "x.vec", "-v").err
    assert "Traceback" in run("info", tmp_path / "x.vec", "-vv").err


def test_version_is_printed(run):
    assert run("--version").out == f"isoalign {ia.__version__}\n"
