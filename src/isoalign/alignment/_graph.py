"""The graph of spaces connected by dictionaries."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from isoalign._core.validate import check_choice
from isoalign.errors import ParameterError

__all__ = ["Edge", "Link", "check_edges", "components", "spanning_tree"]

Edge: TypeAlias = tuple[str, str]
"""Names of the two spaces that a dictionary belongs to."""


class Link(NamedTuple):
    """An edge of a spanning tree.

    Attributes
    ----------
    known, new
        The space that was already reached, and the one that this edge reaches.
    """

    known: str
    new: str


def check_edges(edges: Iterable[Edge], names: Collection[str]) -> None:
    """Raise an error for dictionaries of unknown spaces, or of a space with itself."""
    for edge in edges:
        if not isinstance(edge, tuple) or len(edge) != 2:
            raise ParameterError(f"A dictionary is named by two spaces, such as ('en', 'fr'). Got {edge!r}.")
        for name in edge:
            check_choice(name, names, name=f"each space of the dictionary {edge}")
        if edge[0] == edge[1]:
            raise ParameterError(f"A dictionary must belong to two different spaces. Got {edge}.")


def components(names: Iterable[str], edges: Iterable[Edge]) -> list[list[str]]:
    """Return the connected components of the spaces, each as a list in the given order."""
    part = {name: [name] for name in names}
    for a, b in edges:
        if part[a] is not part[b]:
            part[a].extend(part[b])
            for name in part[b]:
                part[name] = part[a]
    place = {name: number for number, name in enumerate(part)}
    found = {id(some): some for some in part.values()}
    return [sorted(some, key=place.__getitem__) for some in found.values()]


def spanning_tree(names: Iterable[str], edges: Mapping[Edge, float], roots: Collection[str]) -> list[Link]:
    """Return the edges of the maximum spanning tree from the roots, in the order in which they are added.

    Parameters
    ----------
    names
        All spaces.
    edges
        Weight of every edge.
    roots
        Spaces to start from.

    Raises
    ------
    ParameterError
        If spaces cannot be reached; the message names them and a dictionary that would connect them.
    """
    reached = dict.fromkeys(roots)
    missing = [name for name in names if name not in reached]
    tree: list[Link] = []
    while missing:
        crossing = [edge for edge in edges if (edge[0] in reached) != (edge[1] in reached)]
        if not crossing:
            listed, known = (", ".join(map(repr, some)) for some in (missing, reached))
            raise ParameterError(
                f"No chain of dictionaries connects {listed} with {known}. "
                f"Add one, such as ({next(iter(reached))!r}, {missing[0]!r})."
            )
        a, b = max(crossing, key=edges.__getitem__)  # the first of ties
        known, new = (a, b) if a in reached else (b, a)
        tree.append(Link(known, new))
        reached[new] = None
        missing.remove(new)
    return tree
