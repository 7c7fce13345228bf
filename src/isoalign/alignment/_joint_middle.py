"""Meeting in the middle: after any maps, move words towards the mean of themselves and their translations."""

from collections.abc import Mapping

import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign._core.types import IntVector, LinearMap
from isoalign.alignment._joint_maps import JointProblem
from isoalign.alignment._least_squares import least_squares_map

__all__ = ["meet_in_the_middle"]

_RIDGE = 1.0  # the weight of one word among thousands: only affects directions without dictionary words


def meet_in_the_middle(problem: JointProblem, maps: Mapping[str, LinearMap]) -> dict[str, LinearMap]:
    """Return linear maps of every space onto the meeting points of its dictionary words.

    The meeting point of a word is the mean of its mapped unit vector and those of all its known translations. For a
    single pair this is the midpoint; words of several languages that are all translations of each other meet in one
    point.

    Parameters
    ----------
    problem
        Spaces and dictionaries.
    maps
        Maps of all spaces into the shared one.

    References
    ----------
    Doval, Camacho-Collados, Espinosa-Anke, Schockaert (2018).
    """
    found = {}
    for name, X in problem.spaces.items():
        incident = [edge for edge in problem.pairs if name in edge]
        words = np.unique(np.concatenate([problem.pairs[edge][:, edge.index(name)] for edge in incident]))
        points = unit_rows(X[words] @ maps[name])
        counts = np.ones(len(words), dtype=np.float32)
        for edge in incident:
            side = edge.index(name)
            pairs, other = problem.pairs[edge], edge[1 - side]
            mapped = unit_rows(problem.spaces[other][pairs[:, 1 - side]] @ maps[other])
            places: IntVector = np.searchsorted(words, pairs[:, side])
            np.add.at(points, places, mapped)
            counts += np.bincount(places, minlength=len(words)).astype(np.float32)
        found[name] = least_squares_map(X[words], points / counts[:, None], ridge=_RIDGE)
    return found
