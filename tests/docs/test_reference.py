"""The reference names everything that is public."""

import sys
from pathlib import Path

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
    commands = set(list_commands())
    assert {("align",), ("evaluate", "bli"), ("data", "fetch")} <= commands
    for command in commands:
        assert f"## isoalign {' '.join(command)}\n" in page
    for entry in app.registered_commands:
        assert (entry.callback.__doc__ or "").strip(), entry
