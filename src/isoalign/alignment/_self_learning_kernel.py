"""Self-learning on arrays: a map induces a dictionary, from which the next map is learned.

A state contains everything that a step needs apart from the spaces, so a run can be stopped and resumed anywhere with
the same result.
"""

from dataclasses import dataclass, fields, replace
from hashlib import blake2b

import numpy as np

from isoalign._core.arrays import row_blocks, unit_rows
from isoalign._core.threads import map_threads, single_threaded_blas
from isoalign._core.types import DoubleVector, LinearMap, Matrix, RowPairs
from isoalign._core.validate import check_choice, check_count, check_number, check_row_pairs
from isoalign.alignment._checkpoint import Packed
from isoalign.alignment._procrustes import nearest_rotation
from isoalign.alignment._stochastic_dictionary import STOCHASTIC_DIRECTIONS, induce_stochastic
from isoalign.errors import ParameterError
from isoalign.neighbors import StochasticBest

__all__ = [
    "SelfLearningSettings",
    "SelfLearningState",
    "pack_state",
    "rotation",
    "start",
    "step",
    "unpack_state",
]

_BLOCK = 2048  # rows that one thread multiplies; the sum over blocks is the same for any number of threads


@dataclass(frozen=True)
class SelfLearningSettings:
    """Settings of induction and stopping, explained in `SelfLearning`.

    Attributes
    ----------
    limits
        Number of first rows of each side that induced dictionaries are restricted to.
    seed
        Seed of the random choices.
    """

    limits: tuple[int, int]
    k: int = 10
    keep: float = 0.1
    growth: float = 2.0
    patience: int = 50
    tol: float = 1e-6
    direction: str = "union"
    keep_seed: bool = True
    quirks: str | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice(self.direction, STOCHASTIC_DIRECTIONS, name="direction")
        if self.quirks is not None:
            check_choice(self.quirks, ("vecmap",), name="quirks")
        for name in ("k", "patience", "seed"):
            check_count(getattr(self, name), name=name, minimum=0)
        check_number(self.tol, name="tol")
        if not 0 < check_number(self.keep, name="keep") <= 1:
            raise ParameterError(f"keep must be above 0 and at most 1. Got {self.keep!r}.")
        if not check_number(self.growth, name="growth") > 1:
            raise ParameterError(f"growth must be above 1. Got {self.growth!r}.")

    @property
    def is_vecmap(self) -> bool:
        """Whether to follow VecMap's program."""
        return self.quirks == "vecmap"


@dataclass(frozen=True)
class SelfLearningState:
    """State of a run between two iterations.

    Attributes
    ----------
    pairs
        The current dictionary, (p, 2), including duplicates.
    W
        The rotation learned from it, (dim, dim).
    keep
        Probability of the next iteration.
    iteration
        Number of the next iteration, from 1.
    last_gain
        The last iteration in which the objective or the probability increased.
    objective, best_objective
        Mean similarity of words to their nearest words, in the last iteration and its maximum.
    mutual_share
        Share of the words of the smaller side that choose each other, in the last iteration.
    recent
        Fingerprints of the last dictionaries without dropped entries.
    choices
        Choices of both sides in the last iteration; they speed up the next one without changing it.
    done
        Whether the run has ended.
    """

    pairs: RowPairs
    W: LinearMap
    keep: float
    iteration: int = 1
    last_gain: int = 0
    objective: float = -np.inf
    best_objective: float = -np.inf
    mutual_share: float = 0.0
    recent: tuple[str, ...] = ()
    choices: StochasticBest | None = None
    done: bool = False


def start(
    X: Matrix, Z: Matrix, pairs: RowPairs, settings: SelfLearningSettings, *, weights: DoubleVector | None = None
) -> SelfLearningState:
    """Return the state before the first iteration.

    Parameters
    ----------
    X, Z
        Normalised spaces (n, dim) and (m, dim), most frequent words first.
    pairs
        The first dictionary: rows of X and Z, (p, 2), at least one.
    settings
        Settings of the run.
    weights
        Weights of the pairs in the first rotation, (p,).
    """
    return SelfLearningState(pairs=pairs, W=rotation(X, Z, pairs, weights), keep=float(settings.keep))


def step(
    X: Matrix, Z: Matrix, seed_pairs: RowPairs, state: SelfLearningState, settings: SelfLearningSettings
) -> SelfLearningState:
    """Induce the next dictionary with the rotation, learn the next rotation from it, and decide how to continue."""
    n, m = settings.limits
    S, T = _rotate(X[:n], state.W), Z[:m]
    if not settings.is_vecmap:
        S, T = unit_rows(S, out=S), unit_rows(T)
    found = induce_stochastic(
        S,
        T,
        keep=state.keep,
        k=settings.k,
        seed=settings.seed,
        iteration=state.iteration,
        direction=settings.direction,
        dropped_is_zero=settings.is_vecmap,
        about=state.choices,
    )
    pairs = found.pairs
    if settings.keep_seed and not settings.is_vecmap:
        pairs = np.concatenate([pairs, seed_pairs])
    gained = found.objective >= state.best_objective + settings.tol
    state = replace(
        state,
        # With few words there may be no entry left; the last dictionary is then kept.
        pairs=pairs if len(pairs) else state.pairs,
        W=rotation(X, Z, pairs) if len(pairs) else state.W,
        objective=found.objective,
        mutual_share=found.mutual_share,
        choices=found.choices,
        best_objective=found.objective if gained else state.best_objective,
        last_gain=state.iteration if gained else state.last_gain,
        iteration=state.iteration + 1,
    )
    return _decide(_compare_with_recent(state, settings) if state.keep >= 1 else state, settings)


def _compare_with_recent(state: SelfLearningState, settings: SelfLearningSettings) -> SelfLearningState:
    """Stop if the dictionary repeats, because the following iterations would repeat too."""
    fingerprint = blake2b(np.ascontiguousarray(state.pairs).tobytes(), digest_size=16).hexdigest()
    # Alternating dictionaries have alternating objectives; VecMap's result depends on which one is last.
    known = state.recent[-1:] if settings.is_vecmap else state.recent
    return replace(state, recent=(*state.recent, fingerprint)[-2:], done=fingerprint in known)


def _decide(state: SelfLearningState, settings: SelfLearningSettings) -> SelfLearningState:
    """Stop, continue, or increase the share of available entries."""
    if state.iteration - state.last_gain <= settings.patience:
        return state
    if state.keep >= 1:
        return replace(state, done=True)
    return replace(state, keep=min(1.0, settings.growth * state.keep), last_gain=state.iteration)


def rotation(X: Matrix, Z: Matrix, pairs: RowPairs, weights: DoubleVector | None = None) -> LinearMap:
    """Return the orthogonal map of paired rows, the same for any number of threads."""

    def multiply(block: slice) -> Matrix:
        i, j = pairs[block].T
        rows = X[i] if weights is None else X[i] * weights[block, None].astype(np.float32)
        product: Matrix = rows.T @ Z[j]
        return product

    with single_threaded_blas():
        products = map_threads(multiply, row_blocks(len(pairs), _BLOCK))
        covariance = np.zeros((X.shape[1], Z.shape[1]))
        for product in products:
            covariance += product
        return nearest_rotation(covariance)


def _rotate(X: Matrix, W: LinearMap) -> Matrix:
    """Return ``X @ W`` in float32, the same for any number of threads."""
    W32, mapped = W.astype(np.float32), np.empty_like(X)
    with single_threaded_blas():
        map_threads(lambda block: np.matmul(X[block], W32, out=mapped[block]), row_blocks(len(X), _BLOCK))
    return mapped


def pack_state(state: SelfLearningState) -> Packed:
    """Return a state without its choices, which only make the next iteration faster."""
    held = {
        field.name: (getattr(state, field.name), field.default) for field in fields(state) if field.name != "choices"
    }
    arrays = {name: value for name, (value, _) in held.items() if isinstance(value, np.ndarray)}
    others = {name: pair for name, pair in held.items() if name not in arrays}
    return Packed(arrays, {name: value for name, (value, default) in others.items() if value != default})


def unpack_state(packed: Packed, *, n: int, m: int) -> SelfLearningState:
    """Restore a state between spaces of ``n`` and ``m`` rows."""
    values = {**packed.arrays, **packed.values}
    values["pairs"] = check_row_pairs(values["pairs"], n=n, m=m)
    return SelfLearningState(**{**values, "recent": tuple(values.get("recent", ()))})
