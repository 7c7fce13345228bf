"""The reference names everything that is public."""

import inspect
import sys
from pathlib import Path

import typer

import isoalign as ia
from isoalign.cli import app

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "docs" / "_ext"))


def test_every_public_name_has_a_docstring_and_a_place_in_the_reference():
    from reference_pages import api_page

    page = api_page()
    for name in ia._PUBLIC:
        assert f":: isoalign.{name}\n" in page
        assert (getattr(ia, name).__doc__ or "").strip(), name


def test_every_command_and_its_options_are_explained():
    from reference_pages import command_page, list_commands

    page = command_page()
    commands = list_commands()
    assert {("align",), ("evaluate", "bli"), ("data", "fetch")} <= commands.keys()
    every, *sections = page.split("\n## ")[1:]
    assert len(sections) == len(commands)
    for (command, callback), section in zip(commands.items(), sections, strict=True):
        assert section.startswith(f"isoalign {' '.join(command)}\n\n{inspect.getdoc(callback)}\n")
        group = typer.main.get_command(app)
        for part in command:
            group = group.commands[part]
        for option in (name for parameter in group.params for name in (*parameter.opts, *parameter.secondary_opts)):
            assert not option.startswith("-") or f"`{option}`" in section + every, (command, option)
