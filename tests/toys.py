"""Methods, a map, a start, a normaliser and a retrieval as another package would write them."""

from dataclasses import dataclass

import numpy as np

from isoalign.alignment import AbstractDirectAligner, AbstractIterativeAligner, LoopState, Maps, orthogonal_map
from isoalign.alignment.starts import AbstractStart
from isoalign.maps import AbstractMap, IdentityMap, MatrixMap
from isoalign.neighbors import AbstractRetriever
from isoalign.normalization import AbstractNormalizer


class BentMap(AbstractMap):
    """Rotate rows, then bend them: a map that is not linear."""

    def __init__(self, matrix, strength=0.2):
        self.matrix, self.strength = np.asarray(matrix, dtype=np.float64), strength

    @property
    def dim_in(self):
        return len(self.matrix)

    @property
    def dim_out(self):
        return self.matrix.shape[1]

    def _apply(self, X):
        Z = X @ self.matrix.astype(np.float32)
        return Z + np.float32(self.strength) * np.tanh(Z)

    def describe(self):
        return {"strength": self.strength}

    def get_state(self):
        return {"matrix": self.matrix}

    @classmethod
    def from_state(cls, description, state):
        return cls(state["matrix"], description["strength"])


class Shifted(AbstractDirectAligner):
    """Direct: rotate, then move the mean of the pairs onto that of their translations."""

    def _solve(self, problem):
        X, Y = problem.paired_rows()
        W = orthogonal_map(X, Y)
        return Maps(MatrixMap(W, Y.mean(axis=0) - X.mean(axis=0) @ W), IdentityMap(Y.shape[1]))


@dataclass(frozen=True, kw_only=True)
class Halfway(LoopState):
    W: np.ndarray


class Approaching(AbstractIterativeAligner[Halfway]):
    """Iterative: begin at least squares and go half the way to the rotation in every step."""

    def __init__(self, n_iter=3):
        self.n_iter = n_iter

    def max_steps(self):
        return self.n_iter

    def start(self, problem):
        X, Y = (rows.astype(np.float64) for rows in problem.paired_rows())
        return self._state(0, np.linalg.lstsq(X, Y, rcond=None)[0])

    def step(self, problem, state):
        return self._state(state.number + 1, (state.W + orthogonal_map(*problem.paired_rows())) / 2)

    def _state(self, number, W):
        record = {"step": number, "size": float(np.linalg.norm(W))}
        return Halfway(number=number, maps=Maps(MatrixMap(W), IdentityMap(W.shape[1])), record=record, W=W)


class PrincipalAxes(AbstractDirectAligner):
    """Unsupervised: lay the principal axes of both spaces onto each other, each turned by its third moment."""

    needs_pairs = False

    def _solve(self, problem):
        axes = [self._axes(rows.astype(np.float64)) for rows in (problem.X, problem.Y)]
        return Maps(MatrixMap(axes[0] @ axes[1].T), IdentityMap(problem.Y.shape[1]))

    @staticmethod
    def _axes(rows):
        vectors = np.linalg.eigh(rows.T @ rows)[1]
        return vectors * np.where(((rows @ vectors) ** 3).sum(axis=0) < 0, -1, 1)


class Bent(AbstractDirectAligner):
    """Nonlinear: a rotation, both sides bent."""

    def __init__(self, strength=0.2):
        self.strength = strength

    def _solve(self, problem):
        X, Y = problem.paired_rows()
        identity = np.eye(Y.shape[1])
        return Maps(BentMap(orthogonal_map(X, Y), self.strength), BentMap(identity, self.strength))


class Staged(AbstractDirectAligner):
    """A rotation, and a query stage from source to target alone."""

    def _solve(self, problem):
        X, Y = problem.paired_rows()
        dim = Y.shape[1]
        return Maps(MatrixMap(orthogonal_map(X, Y)), IdentityMap(dim), forward=BentMap(np.eye(dim), 3.0))


class SameRow(AbstractStart):
    """Pair rows of the same number."""

    def find_pairs(self, problem, words=None, *, progress=None):
        rows = np.arange(min(len(problem.X), len(problem.Y)))
        return np.stack([rows, rows], axis=1)


class Halved(AbstractNormalizer):
    """Subtract half the mean."""

    _learned = ("mean_",)

    def _learn(self, X):
        self.mean_ = X.mean(axis=0, dtype=np.float64) / 2

    def _apply(self, X):
        X -= self.mean_.astype(np.float32)


class Plain(AbstractRetriever):
    """Rank targets by inner product, all at once."""

    def __init__(self, *, metric="cosine"):
        self.metric = metric

    def fit(self, Y, X=None, *, progress=None):
        self._prepare_targets(Y)
        return self

    def _best(self, queries, k, progress):
        scores = queries @ self.targets_.T
        rows = np.argsort(-scores, axis=1, kind="stable")[:, :k]
        return np.take_along_axis(scores, rows, axis=1), rows

    def _ranks(self, queries, rows, progress):
        scores = queries @ self.targets_.T
        return 1 + (scores > scores[np.arange(len(rows)), rows][:, None]).sum(axis=1)


METHODS = {
    "toy_direct": Shifted,
    "toy_iterative": Approaching,
    "toy_unsupervised": PrincipalAxes,
    "toy_nonlinear": Bent,
    "toy_staged": Staged,
}


def looks_like_toy(head, path):
    """Know a toy file by its name; its first bytes could be anybody's."""
    return path.suffix == ".toy" and bool(head)
