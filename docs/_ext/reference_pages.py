"""Generate the reference from the package itself: public names by room, and what every command says of itself."""

import inspect
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from typer.models import CommandInfo, OptionInfo

import isoalign
from isoalign.cli import app as commands

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_ROOMS = {
    "isoalign.vectors": "Vectors",
    "isoalign.lexicon": "Dictionaries",
    "isoalign.io": "Read and write",
    "isoalign.datasets": "Data",
    "isoalign.normalization": "Normalise",
    "isoalign.alignment": "Align",
    "isoalign.translation": "Translate",
    "isoalign.evaluation": "Measure",
    "isoalign.transfer": "New vocabularies for language models",
    "isoalign._core.registry": "Extend",
}


def list_commands() -> dict[tuple[str, ...], Callable[..., Any]]:
    """Return every command, with its group where it has one, and the function behind it."""
    found = {(_name(entry),): entry.callback for entry in commands.registered_commands}
    for group in commands.registered_groups:
        assert group.typer_instance is not None
        for entry in group.typer_instance.registered_commands:
            found[str(group.name), _name(entry)] = entry.callback
    return {name: callback for name, callback in sorted(found.items()) if callback is not None}


def _name(entry: CommandInfo) -> str:
    return entry.name or str(getattr(entry.callback, "__name__", ""))


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
    callbacks = list_commands()
    shared = set.intersection(*({*inspect.signature(callback).parameters} for callback in callbacks.values()))
    lines = [
        "# Commands",
        "",
        "Results go to standard output, progress, notes and errors to standard error. Exit codes: 0 done,",
        "1 failed while running, 2 wrong usage, 3 bad input, 4 missing extra, 5 not found, 130 interrupted.",
        "",
        "## Every command",
        "",
        *_table(callbacks["env",], shared),
    ]
    for command, callback in callbacks.items():
        about = inspect.getdoc(callback) or ""
        own = [name for name in inspect.signature(callback).parameters if name not in shared]
        lines += [f"## isoalign {' '.join(command)}", "", about, "", *_table(callback, own)]
    return "\n".join(lines) + "\n"


def _table(callback: Callable[..., Any], names: Collection[str]) -> list[str]:
    """Return a line for every argument, then for every option, in the order of the function."""
    parameters = [value for name, value in inspect.signature(callback).parameters.items() if name in names]
    rows = [(_describe(parameter), parameter.annotation.__metadata__[0]) for parameter in parameters]
    rows.sort(key=lambda row: isinstance(row[1], OptionInfo))
    return ["|  |  |", "|---|---|", *(row for row, _ in rows), ""] if rows else []


def _describe(parameter: inspect.Parameter) -> str:
    kind, info = parameter.annotation.__origin__, parameter.annotation.__metadata__[0]
    flag = kind is bool or bool in get_args(kind) or getattr(info, "count", False)
    about = [info.help or ""]
    if parameter.default is inspect.Parameter.empty and isinstance(info, OptionInfo):
        about.append("Required.")
    elif parameter.default not in (inspect.Parameter.empty, None) and not flag:
        about.append(f"Default: `{parameter.default}`.")
    if info.envvar:
        about.append(f"Or the variable `{info.envvar}`.")
    if not isinstance(info, OptionInfo):
        spelled = info.metavar or parameter.name.upper()
        return f"| `{spelled}` | {' '.join(about)} |"
    value = "" if flag else f" {info.metavar or _value(kind)}"
    # Inside Annotated the first name of an option arrives in place of its default.
    first = [info.default] if isinstance(info.default, str) else []
    names = [name for both in (*first, *(info.param_decls or ())) for name in both.split("/")]
    if not names:
        plain = parameter.name.replace("_", "-")
        names = [f"--{plain}", f"--no-{plain}"] if flag else [f"--{plain}"]
    spelled = ", ".join(f"`{name}`" for name in names)
    return f"| {spelled}{value} | {' '.join(about)} |"


def _value(kind: Any) -> str:
    """Return the placeholder for a value of a type, of ``X | None`` or of ``list[X]``."""
    kinds = {kind, *get_args(kind), *(inner for part in get_args(kind) for inner in get_args(part))}
    return next((name for known, name in ((Path, "PATH"), (int, "N"), (float, "X")) if known in kinds), "TEXT")


def _write_pages(app: "Sphinx") -> None:
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
