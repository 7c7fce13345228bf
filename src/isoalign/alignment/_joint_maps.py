"""Map many spaces into one: by rotations if dimensions agree, else by least squares."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from isoalign._core.arrays import row_blocks
from isoalign._core.types import LinearMap, Matrix, RowPairs
from isoalign.alignment._generalized_procrustes import JointRotations, generalized_procrustes
from isoalign.alignment._graph import Edge, components, spanning_tree
from isoalign.alignment._joint_multi_step import joint_multi_step
from isoalign.alignment._registry import DEFAULT_JOINT_METHOD, JOINT_METHODS

__all__ = ["JointMaps", "JointProblem", "can_reweight", "map_from_the_pivot", "rotate_jointly", "solve_joint"]

_BLOCK_ROWS = 1024


@dataclass(frozen=True)
class JointProblem:
    """Learning problem for maps of many spaces.

    Attributes
    ----------
    spaces
        Normalised rows of every space, most frequent first.
    pairs
        Rows that belong together, (p, 2), for every dictionary.
    weights
        Weights of the dictionaries, regardless of their size; 1 if not given.
    fixed
        Spaces whose rows are already in the shared space; at least one.
    """

    spaces: Mapping[str, Matrix]
    pairs: Mapping[Edge, RowPairs]
    weights: Mapping[Edge, float]
    fixed: tuple[str, ...]

    @property
    def dim(self) -> int:
        """Number of columns of the shared space."""
        return int(self.spaces[self.fixed[0]].shape[1])

    def with_pairs(self, pairs: Mapping[Edge, RowPairs]) -> "JointProblem":
        """Return the same problem with other dictionaries."""
        return replace(self, pairs=pairs)

    def rows(self, edge: Edge) -> tuple[Matrix, Matrix]:
        """Return the paired rows of a dictionary."""
        pairs = self.pairs[edge]
        return self.spaces[edge[0]][pairs[:, 0]], self.spaces[edge[1]][pairs[:, 1]]

    def share(self, edge: Edge) -> float:
        """Return the weight of one pair of a dictionary."""
        return self.weights.get(edge, 1.0) / len(self.pairs[edge])


class JointMaps(NamedTuple):
    """Maps of many spaces.

    Attributes
    ----------
    maps
        One matrix (d_l, dim) per space.
    objective
        Objective of the rotations of the largest part, at the start and after every sweep.
    """

    maps: dict[str, LinearMap]
    objective: list[float]


def solve_joint(problem: JointProblem, *, method: str = DEFAULT_JOINT_METHOD, reweight: bool = False) -> JointMaps:
    """Return a map for every space.

    Parameters
    ----------
    problem
        Spaces and dictionaries; every space must be connected with the fixed ones.
    method
        Name of a registered method.
    reweight
        Weight the directions of the shared space by how well the dictionaries agree in them, see `joint_multi_step`.
        Only for methods that can do so.
    """
    solve = JOINT_METHODS.load(method)
    maps: JointMaps = solve(problem, reweight=True) if reweight else solve(problem)
    return maps


def can_reweight(method: str) -> bool:
    """Return whether a registered method can weight the directions of the shared space."""
    entry = JOINT_METHODS[JOINT_METHODS.resolve(method)]
    return any(setting.name == "reweight" for setting in entry.settings())


def rotate_jointly(problem: JointProblem, *, reweight: bool = False) -> JointMaps:
    """Rotate spaces that are connected by dictionaries and have the same dimension onto each other.

    Such a part that does not contain the shared space is then mapped into it as a whole by least squares, learned from
    the dictionaries that connect the two.
    """
    dims = {name: X.shape[1] for name, X in problem.spaces.items()}
    return _solve(problem, [edge for edge in problem.pairs if dims[edge[0]] == dims[edge[1]]], reweight=reweight)


def map_from_the_pivot(problem: JointProblem) -> JointMaps:
    """Map every space by least squares, from the shared space outwards."""
    return _solve(problem, [], reweight=False)


def _solve(problem: JointProblem, same: list[Edge], *, reweight: bool) -> JointMaps:
    """Rotate the parts that some dictionaries connect, and map them into the shared space by least squares."""
    parts = components(problem.spaces, [*same, *((problem.fixed[0], name) for name in problem.fixed[1:])])
    part_of = {name: number for number, part in enumerate(parts) for name in part}
    home = part_of[problem.fixed[0]]
    maps, objective = _rotate(problem, parts[home], problem.fixed, reweight=reweight)
    bridges: dict[Edge, float] = {}
    for a, b in problem.pairs:
        if part_of[a] != part_of[b]:
            bridge = (str(part_of[a]), str(part_of[b]))
            bridges[bridge] = bridges.get(bridge, 0.0) + len(problem.pairs[a, b])
    for _, new in spanning_tree([*map(str, range(len(parts)))], bridges, [str(home)]):
        part = parts[int(new)]
        local = _rotate(problem, part, part[:1], reweight=False).maps
        W = _least_squares(problem, local, maps)
        maps |= {name: R @ W for name, R in local.items()}
    return JointMaps(maps, objective)


def _rotate(
    problem: JointProblem, part: list[str], fixed: tuple[str, ...] | list[str], *, reweight: bool
) -> JointRotations:
    """Rotate the spaces of one part onto each other."""
    inside = [edge for edge in problem.pairs if edge[0] in part and edge[1] in part and not {*edge} <= {*fixed}]
    identity = np.eye(problem.spaces[part[0]].shape[1])
    products, grams, weights = dict[Edge, LinearMap](), dict[str, LinearMap](), dict[str, float]()
    for edge in inside:
        X, Z = problem.rows(edge)
        share = problem.share(edge)
        products[edge] = share * _cross_product(X, Z)
        for name, rows in zip(edge, (X, Z), strict=True) if reweight else ():
            grams[name] = grams.get(name, 0.0) + share * _cross_product(rows, rows)
            weights[name] = weights.get(name, 0.0) + problem.weights.get(edge, 1.0)
    if reweight and products:
        return joint_multi_step(products, {name: G / weights[name] for name, G in grams.items()}, fixed[0])
    return generalized_procrustes(products, dict.fromkeys(fixed, identity))


def _cross_product(X: Matrix, Z: Matrix) -> LinearMap:
    """Return the product of paired rows, summed in float64 without copying all of them."""
    total = np.zeros((X.shape[1], Z.shape[1]))
    for rows in row_blocks(len(X), _BLOCK_ROWS):
        total += X[rows].astype(np.float64).T @ Z[rows].astype(np.float64)
    return total


def _least_squares(problem: JointProblem, local: Mapping[str, LinearMap], known: Mapping[str, LinearMap]) -> LinearMap:
    """Return the least-squares map from the axes of one part to the shared space, from its known translations."""
    dims = len(next(iter(local.values()))), problem.dim
    gram, moment = np.zeros((dims[0], dims[0])), np.zeros(dims)
    for edge in problem.pairs:
        for (own, other), turn in ((edge, 1), (edge[::-1], -1)):
            if own in local and other in known:
                X, Z = problem.rows(edge)[::turn]
                own_rows, points = X @ local[own], Z @ known[other]
                gram += problem.share(edge) * (own_rows.T @ own_rows)
                moment += problem.share(edge) * (own_rows.T @ points)
    return np.linalg.lstsq(gram, moment, rcond=None)[0].astype(np.float64, copy=False)
