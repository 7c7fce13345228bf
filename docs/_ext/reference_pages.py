"""Generate the reference from the package itself: public names by room, and what every command says of itself."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.testing import CliRunner

import isoalign
from isoalign.cli import app as commands

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_ROOMS = {
    "isoalign.vectors": "Hold: vectors",
    "isoalign.lexicon": "Hold: dictionaries",
    "isoalign.io": "Read and write",
    "isoalign.datasets": "Data",
    "isoalign.normalization": "Normalise",
    "isoalign.alignment": "Align",
    "isoalign.translation": "Translate",
    "isoalign.evaluation": "Measure",
}


def list_commands() -> Iterator[tuple[str, ...]]:
    """Yield every command, with its group where it has one."""
    for entry in commands.registered_commands:
        yield (entry.name or str(getattr(entry.callback, "__name__", "")),)
    for group in commands.registered_groups:
        assert group.typer_instance is not None
        for entry in group.typer_instance.registered_commands:
            yield (str(group.name), entry.name or str(getattr(entry.callback, "__name__", "")))


def api_page() -> str:
    """Return the page of all public names."""
    by_room: dict[str, list[str]] = {}
    for name, room in isoalign._PUBLIC.items():
        by_room.setdefault(room, []).append(name)
    lines = [
        "# Python",
        "",
        "Everything here is `import isoalign as ia` away; a module is imported when it is first used.",
        "",
    ]
    for room in sorted(by_room, key=lambda room: (list(_ROOMS).index(room) if room in _ROOMS else 99, room)):
        lines += [f"## {_ROOMS.get(room, room)}", ""]
        for name in sorted(by_room[room]):
            kind = "autoclass" if isinstance(getattr(isoalign, name), type) else "autofunction"
            lines += ["```{eval-rst}", f".. {kind}:: isoalign.{name}", "```", ""]
    lines += [
        "## Errors",
        "",
        "```{eval-rst}",
        ".. automodule:: isoalign.errors",
        "   :no-inherited-members:",
        "```",
        "",
    ]
    return "\n".join(lines)


def command_page() -> str:
    """Return the page of all commands."""
    lines = [
        "# Commands",
        "",
        "Results go to standard output, progress, notes and errors to standard error. Exit codes: 0 done,",
    ]
    lines += ["1 failed while running, 2 wrong usage, 3 bad input, 4 missing extra, 5 not found, 130 interrupted.", ""]
    for command in sorted(list_commands()):
        text = CliRunner().invoke(commands, [*command, "--help"], env={"TERM": "dumb", "COLUMNS": "100"}).stdout
        lines += [f"## isoalign {' '.join(command)}", "", "```text", text.strip("\n"), "```", ""]
    return "\n".join(line.rstrip() for line in "\n".join(lines).split("\n"))


def _write_pages(app: "Sphinx") -> None:
    os.environ["COLUMNS"] = "100"
    folder = Path(app.srcdir) / "reference"
    folder.mkdir(exist_ok=True)
    for name, text in {"api.md": api_page(), "commands.md": command_page()}.items():
        page = folder / name
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


def setup(app: "Sphinx") -> dict[str, Any]:
    """Write the pages before Sphinx reads any."""
    app.connect("builder-inited", _write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
