"""A hostile vocabulary on a pseudo-terminal, in a pipe, and in the files that people open with other programs."""

import csv
import io
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from safetensors.numpy import save_file as write_tensors
from typer.main import get_command

import isoalign as ia
from hostile import CONTROLS, hostile_vectors
from isoalign.cli import app
from isoalign.cli._terminal import escape_controls
from isoalign.io import escape_formula
from token_files import SPECIAL, old_matrix, word_tokenizer

pty = pytest.importorskip("pty", reason="pseudo-terminals are a thing of POSIX")

RUN_ALL = """
import json, sys
from isoalign.cli import app
for arguments in json.loads(sys.argv[1]):
    try:
        app(arguments)
    except SystemExit:
        pass
    print("-- next --", flush=True)
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    vectors = hostile_vectors()
    ia.write_vectors(vectors, folder / "a.vec")
    words = [word for word in vectors.index_to_key if "\r" not in word]
    ia.write_lexicon(ia.Lexicon([(word, word) for word in words]), folder / "d.txt")
    (folder / "bad.vec").write_bytes(b"2 2\n\x1b[2J 1 x\x1b]0;t\x07\n")
    (folder / "bad.txt").write_bytes("\x1b[2J\u202e\n".encode())
    model = ia.align(vectors, vectors, ia.read_lexicon(folder / "d.txt"), method="procrustes")
    model.save(folder / "model")
    hostile, rng = list(vectors.index_to_key), np.random.default_rng(0)
    items = ia.Embeddings(
        [*hostile, *(f"item{row}" for row in range(200))], rng.standard_normal((200 + len(hostile), 6))
    )
    ia.write_vectors(items, folder / "items.vec")
    np.save(folder / "items.npy", items.vectors)
    (folder / "similar.txt").write_text("".join(f"{word}\tplain1\t{len(word)}\n" for word in words), encoding="utf-8")
    (folder / "relevant.txt").write_text("plain1 plain2\nitem1 \u202e\n", encoding="utf-8")
    (folder / "sweep.toml").write_text('source = "\\u001b[2J"\ntargets = ["\\u202e"]\n', encoding="utf-8")
    (folder / "join.toml").write_text('"\\u001b[2J" = 1\n', encoding="utf-8")
    write_results(folder, HOSTILE_CELL)
    word_tokenizer(words).save(str(folder / "tokenizer.json"))
    write_tensors({"w": old_matrix(len(words) + len(SPECIAL))}, folder / "tokens.safetensors")
    return folder


NAME = "\x1b[2Jn\u202e"  # of a file, a member or whatever else has one
HOSTILE_CELL = {"kind": "similarity", "source": NAME, "target": None, "normalize": NAME, "dataset": NAME}


def commands(files):
    a, model, dictionary = str(files / "a.vec"), str(files / "model"), str(files / "d.txt")
    items, adapter = str(files / "items.vec"), str(files / "adapter")
    columns = ["--table", NAME, "--column", NAME, "--to-column", f"{NAME}2"]
    tokens = ["-s", str(files / "tokenizer.json"), "-t", str(files / "tokenizer.json")]
    judged = ["--old-queries", items, "--new-queries", items, "--relevant", str(files / "relevant.txt")]
    return [
        ["translate", model, "\x1b[2J\x1b[H", "plain1", "-k", "30"],
        ["translate", model, "\x1b]0;title", "\u202egn"],  # unknown words and suggestions
        ["translate", model, "plain1", "--json"],
        ["induce", model],
        ["induce", model, "--json"],
        ["info", a],
        ["info", str(files / "bad.vec")],
        ["info", str(files / "no\x1b[2Jfile.vec")],
        ["convert", a, "-", "--format", "glove"],
        ["normalize", a, "-", "--format", "glove"],
        ["evaluate", "bli", model, "--lexicon", dictionary],
        ["evaluate", "bli", model, "--lexicon", str(files / "bad.txt")],
        ["align", a, a, "-d", str(files / "bad.txt"), "-o", str(files / "m2"), "-vv"],
        ["align", a, a, "-d", dictionary, "-o", str(files / f"m{NAME}"), "--langs", f"{NAME},fr"],
        ["join", f"{NAME}={a}", f"b={a}", "-d", f"{NAME}-b={dictionary}", "-o", str(files / f"j{NAME}")],
        ["join", f"a={a}", f"b={a}", "-d", f"a-{NAME}={dictionary}", "-o", str(files / "j2")],
        ["join", "--config", str(files / "join.toml"), "-o", str(files / "j2")],
        ["apply", model, a, "-", "--format", "glove"],
        ["apply", model, a, str(files / f"{NAME}.vec"), "--member", NAME],
        ["export", model, "-o", str(files / f"e{NAME}.vec"), "--prefixed", "--separator", NAME],
        ["export", model, "-o", str(files / "e"), "-m", NAME],
        ["translate", model, "plain1", "--from", NAME, "--to", NAME],
        ["compare", model, model, "--lexicon", dictionary, "--words", str(files / f"w{NAME}.tsv")],
        ["compare", str(files / "bad.txt"), str(files / NAME)],
        ["evaluate", "matrix", model, "-t", f"source-target={dictionary}", "--train", f"source-target={dictionary}"],
        ["evaluate", "matrix", model, "-t", f"source-{NAME}={dictionary}"],
        ["evaluate", "similarity", str(files / "similar.txt"), "--source", a, "--target", a],
        ["evaluate", "similarity", str(files / "bad.txt"), "--source", a],
        ["evaluate", "isomorphism", "--source", a, "--target", a, "--lexicon", str(files / "bad.txt")],
        ["migrate", "fit", items, items, "--use", NAME, "-o", str(files / "adapter")],
        ["migrate", "fit", items, items, "--use", "corpus", "-m", "procrustes", "-o", adapter, "--old-name", NAME],
        ["migrate", "evaluate", adapter, items, items, *judged],
        ["migrate", "plan", items, items, *judged, "-m", "procrustes"],
        ["migrate", "report", items, items, "-m", NAME, "-o", str(files / "report.html")],
        ["migrate", "report", items, items, *judged, "-m", "procrustes", "-o", str(files / f"r{NAME}.html")],
        ["migrate", "apply", adapter, items, "-o", str(files / f"mapped{NAME}")],
        ["migrate", "apply", adapter, str(files / "items.npy"), "-o", str(files / f"mapped{NAME}.npy")],
        ["migrate", "apply", adapter, "--from", f"sqlite:///{files / NAME}.db", *columns],
        ["sweep", str(files / "sweep.toml"), "-o", str(files / f"s{NAME}")],
        ["reproduce", NAME],
        ["report", str(files / "results")],
        ["report", str(files / "results"), "-o", str(files / f"r{NAME}.tex")],
        ["plot", "neighbors", "\x1b[2J\x1b[H", "--source", a, "-o", str(files / f"n{NAME}.svg")],
        ["plot", "neighbors", NAME, "--source", a, "-o", str(files / "n.svg")],
        ["plot", "spaces", model, "-d", dictionary, "-o", str(files / f"p{NAME}.svg")],
        ["plot", "convergence", a, "-o", str(files / f"c{NAME}.svg")],
        ["drift", f"{NAME}={a}", a, "-o", str(files / f"d{NAME}.tsv")],
        ["drift", a, items, "--words", str(files / "bad.txt")],
        ["transfer", model, *tokens, "-e", str(files / "tokens.safetensors"), "-o", str(files / f"t{NAME}")],
        ["transfer", model, *tokens, "-e", str(files / f"tokens.safetensors:{NAME}"), "-o", str(files / "t")],
        ["check-dictionary", a, a, "-d", str(files / "bad.txt")],
        ["check-dictionary", a, a, "-d", dictionary],
        ["serve", str(files / NAME)],
        ["methods", NAME],
        ["data", "list", NAME],
        ["data", "fetch", NAME],
        ["data", "verify", NAME],
        ["data", "path", NAME],
        ["env"],
        [NAME],
        [f"--{NAME}"],
        ["induce", model, f"--{NAME}"],
        ["translate", "--threads", NAME],
    ]


def on_a_terminal(arguments):
    """Run commands with a pseudo-terminal as their standard streams and return all that it was sent."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "NO_COLOR": "1"}
    streams = {"stdin": follower, "stdout": follower, "stderr": follower}
    process = subprocess.Popen([sys.executable, "-c", RUN_ALL, json.dumps(arguments)], env=environment, **streams)
    os.close(follower)
    sent = b""
    while True:
        try:
            piece = os.read(leader, 1 << 16)
        except OSError:  # how Linux says that the other side is closed
            piece = b""
        if not piece:
            break
        sent += piece
    os.close(leader)
    process.wait()
    return sent.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("most", [14, pytest.param(None, marks=pytest.mark.slow)])
def test_no_command_lets_control_characters_reach_a_terminal(files, most):
    chosen = commands(files)[:most]
    sent = on_a_terminal(chosen)
    parts = sent.split("-- next --\n")
    assert len(parts) == len(chosen) + 1
    for arguments, part in zip(chosen, parts, strict=False):
        assert not CONTROLS & set(part), arguments
        assert "\r" not in part, arguments
        assert "This is a bug" not in part, arguments
    assert r"\x1b[2J\x1b[H" in parts[0]
    assert r"\u202egnp.exe" in parts[3]


def test_every_command_meets_the_hostile_vocabulary(files):
    tried = {" ".join(arguments) for arguments in commands(files)}
    harmless = ["demo"]  # takes nothing from anybody
    for name in leaves(get_command(app)):
        assert name in harmless or any(arguments.startswith(name) for arguments in tried), name


def leaves(group, path=()):
    """Yield the names of all commands, such as ``migrate fit``."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from leaves(command, (*path, name))
        else:
            yield " ".join((*path, name))


def test_pipes_keep_every_byte(run, files):
    assert "\x1b[2J\x1b[H\t" in run("induce", files / "model").out
    assert "\x1b[2J\x1b[H " in run("convert", files / "a.vec", "-", "--format", "glove").out


@pytest.mark.parametrize("text", ["plain", "tab\tand\nline", "猫 café 😀", "a\u200bb"])
def test_what_steers_nothing_is_shown_as_it_is(text):
    assert escape_controls(text) == text


@pytest.mark.parametrize("word", ["=1+1", "+1+1", "-1+1", "@a", "\ta", "\ra", "＝1"])
def test_formulas_are_escaped(word):
    assert escape_formula(word) == f"'{word}"


@pytest.mark.parametrize("word", ["-1.5", "+2e-3", "word", "", "a=b", "'=1"])
def test_numbers_and_words_are_no_formulas(word):
    assert escape_formula(word) == word


def test_a_dictionary_for_a_spreadsheet_has_no_formulas(run, files, tmp_path):
    out = tmp_path / "d.tsv"
    assert run("induce", files / "model", "-o", out, "--spreadsheet").code == 0
    lines = out.read_text().split("\n")
    assert any(line.startswith("'=cmd|'/C'!A0\t'=cmd|'/C'!A0\t") for line in lines)
    assert any(line.startswith("'@SUM(1)\t") for line in lines)
    assert "=cmd|'/C'!A0\t=cmd|" in run("induce", files / "model").out


def test_a_report_for_a_spreadsheet_has_no_formulas(run, tmp_path):
    record = {"kind": "similarity", "source": "=1+1", "target": None, "normalize": "none", "dataset": "@set"}
    results = write_results(tmp_path, record)
    assert run("report", results, "-o", tmp_path / "t.csv", "--spreadsheet").code == 0
    rows = list(csv.reader(io.StringIO((tmp_path / "t.csv").read_text())))
    assert rows[1][0] == "'@set (=1+1)"
    refused = run("report", results, "-o", tmp_path / "t.md", "--spreadsheet")
    assert (refused.code, refused.err) == (
        2,
        "error: --spreadsheet is for .csv tables. Give such a file with -o.\n",
    )


def test_reports_write_hostile_names_and_obey_none(run, tmp_path):
    name = "<script>x</script>\n\\input{secret}|*[a](b)"
    results = write_results(
        tmp_path, {"kind": "similarity", "source": name, "target": None, "normalize": "none", "dataset": name}
    )
    markdown = run("report", results).out
    assert "<script>" not in markdown
    assert r"&lt;script&gt;x&lt;/script&gt; \\input{secret}\|\*\[a\](b)" in markdown
    assert run("report", results, "-o", tmp_path / "t.tex").code == 0
    assert r"\input" not in (tmp_path / "t.tex").read_text()
    assert run("report", results, "-o", tmp_path / "t.html").code == 0
    assert "<script>x" not in (tmp_path / "t.html").read_text()


def write_results(folder, cell):
    from isoalign.experiments import Cell, Record

    results = folder / "results"
    results.mkdir()
    values = {"spearman": 0.5, "pearson": 0.5, "n": 10, "coverage": 0.9, "ci95": [0.4, 0.6]}
    record = Record("key", Cell(**cell), values)
    (results / "records.jsonl").write_text(json.dumps(record.to_dict()) + "\n", "utf-8")
    return results
