"""``isoalign methods`` and the help texts: both say what the registries hold."""

import json
import re

import pytest

from isoalign.alignment import ALIGNERS, JOINT_METHODS, RECIPES, STARTS
from isoalign.neighbors import RETRIEVERS
from isoalign.normalization import NORMALIZERS

KINDS = {
    "methods": ALIGNERS,
    "recipes": RECIPES,
    "joins": JOINT_METHODS,
    "normalizers": NORMALIZERS,
    "retrievals": RETRIEVERS,
    "starts": STARTS,
}


def test_everything_registered_is_listed_with_a_line_about_it(run):
    found = json.loads(run("methods", "--json").out)
    assert found.pop("schema") == "isoalign/methods/1"
    assert {kind: [one["name"] for one in some] for kind, some in found.items()} == {
        kind: [*registry] for kind, registry in KINDS.items()
    }
    text = run("methods").out
    for one in (one for some in found.values() for one in some):
        assert one["about"]
        assert f"  {one['name']} " in text
        assert one["about"] in text


@pytest.mark.parametrize("kind", ["methods", "normalizers", "retrievals", "starts"])
def test_settings_are_those_of_the_class(run, kind):
    for name, entry in KINDS[kind].items():
        found = json.loads(run("methods", name, "--json").out)
        assert (found["name"], found["class"]) == (name, entry.place)
        assert {one["name"] for one in found["settings"]} == set(entry.load()().get_params(deep=False))


def test_settings_have_types_and_defaults(run):
    lines = [line.split("  ") for line in run("methods", "rcsls").out.split("\n")]
    cells = [[cell.strip() for cell in line if cell] for line in lines]
    assert ["lr", "float | None", "None"] in cells
    assert ["k", "int", "10"] in cells
    assert "No settings." in run("methods", "unit").out


def test_types_and_defaults_are_short(run):
    assert "lazy     LazySettings  LazySettings\n" in run("methods", "csls").out + "\n"
    assert "AbstractAligner | str | None" in run("methods", "kernel").out
    assert "isoalign." not in run("methods", "kernel").out


def test_the_default_is_marked(run):
    marked = [line.split()[0] for line in run("methods").out.split("\n") if line.endswith("The default.")]
    assert marked == ["contrast-kernel"]


def test_aliases_and_recipes_have_settings_too_and_other_names_a_suggestion(run):
    assert run("methods", "IN").out == run("methods", "iternorm").out
    recipe = json.loads(run("methods", "fasttext-rcsls", "--json").out)
    assert (recipe["method"], recipe["settings"]["lr"]) == ("rcsls", 25.0)
    refused = run("methods", "rcls")
    assert (refused.code, refused.out) == (2, "")
    assert "Did you mean 'rcsls'?" in refused.err


@pytest.mark.parametrize(
    ("command", "kinds"),
    [
        (("align",), ("methods", "normalizers", "starts")),
        (("join",), ("joins", "normalizers")),
        (("normalize",), ("normalizers",)),
        (("translate",), ("retrievals",)),
        (("evaluate", "bli"), ("retrievals",)),
    ],
)
def test_help_names_everything_registered(run, command, kinds):
    for name in (name for kind in kinds for name in KINDS[kind]):
        assert name in help_words(run, *command)


def test_help_names_the_defaults(run):
    assert {"(default:", "contrast-kernel)", "iternorm)"} <= help_words(run, "align")


def help_words(run, *command):
    return set(re.split(r"[\s,.;]+", run(*command, "--help").out))
