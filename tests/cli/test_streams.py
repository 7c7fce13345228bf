"""Whatever the shell does to standard input and output, no command ends in a traceback."""

import os
import subprocess
import sys

import pytest

ASCII = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
COMMAND = f"{sys.executable} -m isoalign"


def run_shell(line, *, env=None):
    done = subprocess.run(["sh", "-c", line], capture_output=True, env={**os.environ, **(env or {})}, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("arguments", ["--help", "translate {} cat"])
def test_a_closed_output_costs_a_warning(animals, arguments):
    code, _, err = run_shell(f"{COMMAND} {arguments.format(animals)} >&-")
    assert (code, err) == (0, "warning: standard output is closed; output is discarded.\n")


def test_a_closed_input_holds_no_words(animals):
    assert run_shell(f"{COMMAND} translate {animals} <&-") == (0, "", "")


def test_an_ascii_locale_gets_utf8(animals):
    code, out, err = run_shell(f"{COMMAND} --help && {COMMAND} translate {animals} cat -k 1", env=ASCII)
    assert (code, err) == (0, "")
    assert "languages × normalisations" in out
    assert "猫" in out


def test_words_are_utf8_in_an_ascii_locale(animals):
    asked = f"{COMMAND} translate {animals} 猫 --reverse -k 1"
    assert run_shell(asked, env=ASCII) == run_shell(f"echo 猫 | {COMMAND} translate {animals} -r -k 1", env=ASCII)
    assert run_shell(asked, env=ASCII)[1].split()[:2] == ["猫", "cat"]


def test_an_encoding_that_was_asked_for_stays(animals):
    code, _, err = run_shell(f"{COMMAND} translate {animals} cat", env={"PYTHONIOENCODING": "ascii"})
    assert code == 1
    assert err.startswith("error: the encoding ascii cannot write ")
