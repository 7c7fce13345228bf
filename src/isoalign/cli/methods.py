"""``isoalign methods``: list everything registered by name, with settings."""

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from isoalign.alignment import ALIGNERS, DEFAULT_METHOD, JOINT_METHODS, RECIPES, STARTS
from isoalign.cli._command import command
from isoalign.cli._completion import complete_entry
from isoalign.cli._console import Console
from isoalign.neighbors import RETRIEVERS
from isoalign.normalization import NORMALIZERS

if TYPE_CHECKING:
    from isoalign._core.registry import Entry

__all__ = ["methods"]

_REGISTRIES = {
    "joins": JOINT_METHODS,  # first, because a name that is also a method's is looked up there
    "methods": ALIGNERS,
    "normalizers": NORMALIZERS,
    "retrievals": RETRIEVERS,
    "starts": STARTS,
}
_TITLES = {
    "methods": "Methods (align --method)",
    "recipes": "Recipes: complete configurations, most of them of published systems (align --method)",
    "joins": "Methods for many spaces (join --method)",
    "normalizers": "Normalisations (--normalize)",
    "retrievals": "Retrievals (--retrieval)",
    "starts": "Starts: first dictionaries (align --start)",
}


@command(
    "isoalign methods",
    "isoalign methods rcsls",
)
def methods(
    console: Console,
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Show the settings of this entry.", autocompletion=complete_entry),
    ] = None,
) -> None:
    """List methods, recipes, normalisations, retrievals and starts, or show the settings of NAME."""
    if name is None:
        _print_all(console)
    elif name in RECIPES:
        _print_recipe(console, name)
    else:
        _print_entry(console, _find(name))


def _print_all(console: Console) -> None:
    found = {kind: [_brief(entry) for entry in registry.values()] for kind, registry in _REGISTRIES.items()}
    found["recipes"] = [{"name": name, "label": name, "about": recipe.about} for name, recipe in RECIPES.items()]
    width = max(len(one["name"]) for some in found.values() for one in some)
    parts = [
        "\n".join([title, *(f"  {one['name']:{width}}  {one['about']}{_mark(one['name'])}" for one in found[kind])])
        for kind, title in _TITLES.items()
    ]
    console.result("methods", found, text="\n\n".join(parts))


def _mark(name: str) -> str:
    return " The default." if name == DEFAULT_METHOD else ""


def _print_recipe(console: Console, name: str) -> None:
    about, rest = RECIPES[name].about, {key: one for key, one in asdict(RECIPES[name]).items() if key != "about"}
    data = {"name": name, "about": about, **rest}
    console.result("method", data, text=f"{name}: {about}\n\n{console.table(rest.items())}")


def _print_entry(console: Console, entry: "Entry") -> None:
    settings = entry.settings()
    rows = [(setting.name, _show_type(setting.type), _show_default(setting.default)) for setting in settings]
    table = console.table(rows, header=("setting", "type", "default")) if rows else "No settings."
    listed = [{**asdict(setting), "default": _as_json(setting.default)} for setting in settings]
    about = entry.describe()
    data = {**_brief(entry), "about": about, "class": entry.place, "settings": listed}
    console.result("method", data, text=f"{entry.name}: {about}\n\n{table}")


def _find(name: str) -> "Entry":
    """Return the entry with a name or alias; the error for unknown names contains a suggestion."""
    from isoalign._core.validate import check_choice

    entries = {known: registry[known] for registry in _REGISTRIES.values() for known in registry}
    entries |= {
        alias: registry[known] for registry in _REGISTRIES.values() for alias, known in registry.aliases.items()
    }
    known = name if name in entries else name.lower()
    return entries[check_choice(known, entries, name="NAME")]


def _brief(entry: "Entry") -> dict[str, str]:
    return {"name": entry.name, "label": entry.label, "about": entry.about}


def _show_type(name: str) -> str:
    """Return a type without the modules of its classes."""
    return re.sub(r"\b(?:\w+\.)+", "", name)


def _show_default(default: Any) -> str:
    """Return a default value as Python source; of a tuple of settings only the name of its class."""
    return type(default).__name__ if isinstance(default, tuple) and hasattr(default, "_fields") else repr(default)


def _as_json(default: Any) -> Any:
    """Return a default value as JSON if possible, else as Python source."""
    return default if default is None or isinstance(default, (bool, int, float, str)) else repr(default)
