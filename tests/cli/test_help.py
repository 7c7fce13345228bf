"""Help and completion: nothing is cut, every command shows how it is called, the shell knows the names."""

import os
import shlex
import subprocess
import sys

import pytest
import typer

from isoalign.cli import app
from isoalign.migration import ADAPTERS


def list_commands(group=None, path=()):
    group = group or typer.main.get_command(app)
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from list_commands(command, (*path, name))
        else:
            yield (*path, name), command


COMMANDS = {" ".join(path): command for path, command in list_commands()}


def list_examples(text):
    return [line.strip() for line in text.partition("Examples:\n")[2].splitlines() if line.strip()]


@pytest.mark.parametrize("path", ["", "data", "evaluate", "migrate", "plot"])
def test_the_help_of_a_group_ends_with_two_examples_of_its_commands(run, path):
    examples = list_examples(run(*path.split(), "--help").out)
    assert len(examples) == 2
    for example in examples:
        words = shlex.split(example)[1:]
        command = next(command for name, command in COMMANDS.items() if words[: len(name.split())] == name.split())
        assert example.startswith(f"isoalign {path}")
        with command.make_context(path, words[len(example.split()[1 : 2 + bool(path)]) :]) as context:
            assert context.params


def test_every_command_that_reads_a_dictionary_takes_its_encoding():
    options = {path: {name for one in command.params for name in one.opts} for path, command in COMMANDS.items()}
    readers = {path for path, names in options.items() if names & {"-d", "--lexicon", "--dictionary"}}
    assert len(readers) >= 9
    assert {path for path in readers if "--encoding" not in options[path]} == set()


@pytest.mark.parametrize("path", COMMANDS)
def test_help_shows_every_option_in_full_and_two_examples_that_parse(run, monkeypatch, path):
    monkeypatch.setenv("COLUMNS", "80")
    command, text = COMMANDS[path], run(*path.split(), "--help").out
    assert max(map(len, text.splitlines())) <= 80
    for name in (name for parameter in command.params for name in parameter.opts if name.startswith("--")):
        assert name in text
    titles = [line for line in text.splitlines() if line in ("Arguments:", "Options:", "Output:")]
    assert titles == ["Arguments:", "Options:", "Output:"][-len(titles) :]
    assert "[[" not in text
    examples = list_examples(text)
    assert len(examples) == 2
    for example in examples:
        program, *arguments = shlex.split(example.partition(" <")[0].partition(" |")[0])
        assert [program, *arguments][: 1 + len(path.split())] == ["isoalign", *path.split()]
        with command.make_context(path, arguments[len(path.split()) :]) as context:
            assert context.params


def test_help_groups_the_commands_and_cuts_no_summary(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = run("--help").out
    titles = ["Look at data:", "Align:", "Use:", "Measure:", "Experiments:", "Serve:"]
    assert [line for line in text.splitlines() if line in titles] == titles
    assert "..." not in text.partition("Look at data:")[2]


def test_the_help_of_migrate_names_every_adapter(run):
    text = " ".join(run("migrate", "fit", "--help").out.split())
    assert f"Adapter: {', '.join(entry.name for entry in ADAPTERS.values())}; auto chooses" in text


def test_defaults_are_shown(run):
    assert "[default: 5" in run("translate", "--help").out
    assert "[default: mutual]" in run("induce", "--help").out


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("isoalign align a b --method rc", {"rcsls"}),
        ("isoalign align a b --method muse", {"muse-supervised"}),
        ("isoalign align a b --start sim", {"similarity"}),
        ("isoalign align a b --normalize unit,cent", {"unit,center", "unit,center_length"}),
        ("isoalign align a b --method rcsls --set l", {"lr="}),
        ("isoalign align a b --method fasttext-rcsls --set l", {"lr="}),
        ("isoalign align a b --set band", {"bandwidth="}),
        ("isoalign translate {} --retrieval cs", {"csls"}),
        ("isoalign translate {} --from e", {"en"}),
        ("isoalign translate nowhere --from e", set()),
        ("isoalign tran", {"transfer", "translate"}),
        ("isoalign methods rc", {"rcsls"}),
        ("isoalign methods cs", {"csls"}),
        ("isoalign drift a b --normalize spec", {"spec_norm"}),
        ("isoalign check-dictionary a b --normalize spec", {"spec_norm"}),
        ("isoalign migrate fit a b --method re", {"reduced_rank"}),
        ("isoalign migrate fit a b --method mlp --set wi", {"width="}),
    ],
)
def test_the_shell_completes_names(animals, line, expected):
    words = line.format(animals)
    env = {**os.environ, "_ISOALIGN_COMPLETE": "complete_bash", "COMP_WORDS": words}
    env["COMP_CWORD"] = str(len(words.split()) - 1)
    code = "import sys; sys.argv[0] = 'isoalign'; from isoalign.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, timeout=60)
    assert set(done.stdout.split()) == expected, done.stderr
