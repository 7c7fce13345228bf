"""Checks, normalisers and dictionary rows for a call of `join`."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from isoalign._core.progress import Progress
from isoalign._core.types import LinearMap, Matrix, RowPairs
from isoalign._core.validate import check_count, check_matrix, check_number
from isoalign.alignment._given import is_start
from isoalign.alignment._graph import Edge, check_edges, spanning_tree
from isoalign.alignment._joint_maps import JointProblem
from isoalign.alignment._joint_rounds import JointRefinement
from isoalign.alignment._member import Member
from isoalign.alignment._problem import Problem
from isoalign.alignment._registry import JOINT_METHODS
from isoalign.alignment._result import copy_normalizer
from isoalign.alignment._unsupervised import find_dictionary
from isoalign.alignment._verdict import Verdict
from isoalign.errors import ParameterError
from isoalign.io import LexiconLike, given_lexicon
from isoalign.lexicon import Lexicon
from isoalign.maps import IdentityMap, MatrixMap
from isoalign.normalization import AbstractNormalizer
from isoalign.normalization import normalize as normalize_embeddings
from isoalign.vectors import Embeddings

__all__ = ["JoinRequest"]


class JoinRequest:
    """A validated call of `join` or `join_into`.

    Parameters
    ----------
    sides
        All embeddings.
    dictionaries, method, weights, refine_pairs, restarts, random_state
        As in `join`.
    fixed
        Members whose space is the shared one.
    """

    def __init__(
        self,
        sides: dict[str, Embeddings],
        dictionaries: Mapping[Edge, LexiconLike],
        fixed: tuple[str, ...],
        *,
        method: str,
        weights: Mapping[Edge, float] | None,
        refine_pairs: Iterable[Edge] | None,
        restarts: int | None,
        random_state: int,
    ) -> None:
        self.sides = sides
        self.fixed = fixed
        self.method = JOINT_METHODS.resolve(method)
        self.restarts = None if restarts is None else check_count(restarts, name="restarts")
        self.random_state = check_count(random_state, name="random_state", minimum=0)
        self.dictionaries: dict[Edge, Lexicon | str] = {
            edge: str(value) if is_start(value) else given_lexicon(value) for edge, value in dictionaries.items()
        }
        spanning_tree(sides, dict.fromkeys(self.dictionaries, 1.0), fixed)  # raises an error if they are not connected
        self.weights = {edge: _check_weight(edge, value, dictionaries) for edge, value in (weights or {}).items()}
        pairs = list(combinations(sides, 2)) if refine_pairs is None else list(refine_pairs)
        check_edges(pairs, sides)
        self.refined = [pair for pair in pairs if not {*pair} <= {*fixed}]
        self.known: dict[Edge, RowPairs] = {}
        self.verdicts: dict[Edge, Verdict] = {}

    def prepare(
        self, normalize: str | AbstractNormalizer, mapped: Mapping[str, Matrix], progress: Progress
    ) -> tuple[dict[str, AbstractNormalizer], JointRefinement]:
        """Normalise all spaces that are not yet mapped, and find the rows of all dictionaries."""
        normalizers = {name: copy_normalizer(normalize) for name in self.sides if name not in mapped}
        spaces = {
            name: mapped[name]
            if name in mapped
            else check_matrix(normalize_embeddings(side, normalizers[name], progress=progress).vectors, finite=False)
            for name, side in self.sides.items()
        }
        self.known = {edge: self._find_rows(edge, value, spaces, progress) for edge, value in self.dictionaries.items()}
        guessed = [edge for edge, value in self.dictionaries.items() if isinstance(value, str)]
        problem = JointProblem(spaces, self.known, self.weights, self.fixed)
        return normalizers, JointRefinement(problem, self.method, self.refined, guessed)

    def _find_rows(
        self, edge: Edge, value: Lexicon | str, spaces: Mapping[str, Matrix], progress: Progress
    ) -> RowPairs:
        sides = (self.sides[edge[0]], self.sides[edge[1]])
        if isinstance(value, str):
            problem = Problem.from_spaces(spaces[edge[0]], spaces[edge[1]], random_state=self.random_state)
            pairs, verdict = find_dictionary(
                value, problem, sides, restarts=self.restarts, what=f"{'-'.join(edge)}: ", progress=progress
            )
            if verdict is not None:
                self.verdicts[edge] = verdict
            return pairs
        return value.require_pairs(*sides, what=f"pair of the dictionary {edge}")

    def make_members(
        self, maps: Mapping[str, LinearMap], normalizers: Mapping[str, AbstractNormalizer]
    ) -> list[Member]:
        """Return the members that are not yet mapped."""
        return [
            Member(name, normalizer, _as_map(maps[name]), self.sides[name]) for name, normalizer in normalizers.items()
        ]

    def describe(self) -> dict[str, Any]:
        """Return the dictionaries as JSON values."""
        return {
            "-".join(edge): {
                "start": value if isinstance(value, str) else None,
                "pairs": None if isinstance(value, str) else len(value),
                "known_pairs": len(self.known[edge]),
                "weight": self.weights.get(edge, 1.0),
                "verdict": self.verdicts[edge].to_dict() if edge in self.verdicts else None,
            }
            for edge, value in self.dictionaries.items()
        }


def _check_weight(edge: Edge, value: Any, dictionaries: Mapping[Edge, Any]) -> float:
    if edge not in dictionaries:
        raise ParameterError(
            f"weights must name dictionaries. Got {edge}; there are {', '.join(map(str, dictionaries))}."
        )
    if not 0 < check_number(value, name=f"the weight of {edge}") < np.inf:
        raise ParameterError(f"The weight of {edge} must be positive. Got {value!r}.")
    return float(value)


def _as_map(W: LinearMap) -> MatrixMap | IdentityMap:
    is_identity = W.shape[0] == W.shape[1] and np.array_equal(W, np.eye(len(W)))
    return IdentityMap(len(W)) if is_identity else MatrixMap(W)
