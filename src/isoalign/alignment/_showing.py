"""Representation of an alignment in notebooks."""

from collections.abc import Iterable, Mapping
from typing import Any

from isoalign._core.display import html_table, sparkline
from isoalign.alignment._member import Member

__all__ = ["show_members"]


def show_members(members: Iterable[Member], residuals: Mapping[str, list[dict[str, Any]]], *, caption: str) -> str:
    """Return a table of members, with a small chart of the convergence of their normalisers."""
    rows = [
        (
            member.name,
            None if member.embeddings is None else f"{len(member.embeddings):,} × {member.map.dim_in}",
            repr(member.normalizer),
            sparkline([one["mean_norm"] for one in found]) if (found := residuals.get(member.name)) else None,
            repr(member.map),
        )
        for member in members
    ]
    header = ("member", "words × dimensions", "normaliser", "length of the mean per round", "map")
    return html_table(rows, header=header, caption=caption)
