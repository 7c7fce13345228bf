"""Shell completion of methods, normalisations, retrievals, starts, members and settings."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

import typer

from isoalign.alignment import ALIGNERS, DEFAULT_METHOD, JOINT_METHODS, RECIPES, STARTS
from isoalign.neighbors import RETRIEVERS
from isoalign.normalization import NORMALIZERS

__all__ = [
    "complete_adapter",
    "complete_entry",
    "complete_join",
    "complete_member",
    "complete_method",
    "complete_normalization",
    "complete_retrieval",
    "complete_setting",
    "complete_start",
]

Completions = list[tuple[str, str]]
"""Words, each with a one-line description."""


def complete_method(incomplete: str) -> Completions:
    """Complete a method or a recipe."""
    known = {**{entry.name: entry.about for entry in ALIGNERS.values()}, **{n: r.about for n, r in RECIPES.items()}}
    return _matching(known.items(), incomplete)


def complete_adapter(incomplete: str) -> Completions:
    """Complete an adapter of `migrate`."""
    from isoalign.migration import ADAPTERS

    return _matching(((entry.name, entry.about) for entry in ADAPTERS.values()), incomplete)


def complete_entry(incomplete: str) -> Completions:
    """Complete anything that `methods` describes."""
    completions = (complete_method, complete_join, complete_normalization, complete_retrieval, complete_start)
    return list(dict(found for complete in completions for found in complete(incomplete)).items())


def complete_join(incomplete: str) -> Completions:
    """Complete a method of `join`."""
    return _matching(((entry.name, entry.about) for entry in JOINT_METHODS.values()), incomplete)


def complete_normalization(incomplete: str) -> Completions:
    """Complete a normalisation, or the last step of a chain."""
    done, comma, last = incomplete.rpartition(",")
    steps = ((f"{done}{comma}{entry.name}", entry.about) for entry in NORMALIZERS.values())
    return _matching(steps, f"{done}{comma}{last}")


def complete_retrieval(incomplete: str) -> Completions:
    """Complete a retrieval."""
    return _matching(((entry.name, entry.about) for entry in RETRIEVERS.values()), incomplete)


def complete_start(incomplete: str) -> Completions:
    """Complete a start."""
    return _matching(((entry.name, entry.about) for entry in STARTS.values()), incomplete)


def complete_member(incomplete: str) -> Completions:
    """Complete a member of the model named on the command line."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")  # set by bash; by other shells
    for word in line.split():  # the parser cannot tell the model while an option lacks its value
        try:
            about = json.loads((Path(word) / "alignment.json").read_bytes())
            return _matching([(str(member["name"]), "member") for member in about["members"]], incomplete)
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return []


def complete_setting(ctx: typer.Context, incomplete: str) -> Completions:
    """Complete a setting of the method or recipe named on the command line, else of the default method."""
    registry = NORMALIZERS if ctx.info_name == "normalize" else ALIGNERS
    name = ctx.params.get("method") or DEFAULT_METHOD
    if ctx.info_name == "fit":
        from isoalign.migration import ADAPTERS

        registry = ADAPTERS
    if registry is ALIGNERS and name in RECIPES:
        name = RECIPES[name].method
    if name not in registry:
        return []
    settings = registry[name].settings()
    return _matching(((f"{one.name}=", f"{one.type}, default {one.default!r}") for one in settings), incomplete)


def _matching(known: Iterable[tuple[str, str]], incomplete: str) -> Completions:
    return [(name, about) for name, about in known if name.startswith(incomplete)]
