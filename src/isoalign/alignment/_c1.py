r"""Contrastive maps with the published settings of stage C1: long descents, in rounds that add confident pairs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign._core.types import IntVector, Matrix, RowPairs
from isoalign._core.validate import check_count, check_number
from isoalign.alignment._base import AbstractIterativeAligner, LoopState, Maps
from isoalign.alignment._contrast import joint_norm, step_along
from isoalign.alignment._contrast_loss import ContrastiveLoss, MapPair, mine_negatives
from isoalign.alignment._cost import Sizes
from isoalign.alignment._problem import Problem
from isoalign.alignment._vecmap import multi_step_maps
from isoalign.errors import ParameterError
from isoalign.maps import MatrixMap
from isoalign.neighbors import Best, csls_best

__all__ = ["C1", "c1_rounds", "c1_steps", "confident_pairs"]


def c1_steps(
    S: Matrix,
    T: Matrix,
    pairs: RowPairs,
    start: MapPair,
    *,
    n_steps: int = 201,
    n_negatives: int = 150,
    max_rank: int = 60_000,
    lr: float = 1.5,
    decay: float = 0.99,
    clip: float = 0.15,
    temperature: float = 1.0,
    mine_every: int = 5,
) -> Iterator[MapPair]:
    r"""Yield the maps of both sides after 0, 1, …, ``n_steps`` steps.

    Step t is :math:`W \leftarrow W - \eta\, \gamma^t g`, with the gradient g of the joint loss over both sides scaled
    to a norm of at most ``clip``.

    Parameters
    ----------
    S, T
        All words of both sides, (n, d_s) and (m, d_t), most frequent first.
    pairs
        Row pairs to learn from, (p, 2).
    start
        Maps to start from.
    n_steps
        Number of steps.
    n_negatives
        Neighbours of every dictionary word on the other side; known translations among them are excluded.
    max_rank
        Restrict negatives to the `max_rank` most frequent words on each side.
    lr, decay
        :math:`\eta` and :math:`\gamma`.
    clip
        Largest norm of the gradient, over both sides.
    temperature
        :math:`\tau` of the softmax over cosines.
    mine_every
        Number of steps between two searches for negatives; 1 is the published setting.
    """
    maps = start
    yield maps
    for step in range(n_steps):
        if step % mine_every == 0:
            U, V = (unit_rows(X[:max_rank] @ W.astype(np.float32)) for X, W in zip((S, T), maps, strict=True))
            objective = _objective(S, T, U, V, pairs, n_negatives, temperature)
        _, gradient = objective.evaluate(maps)
        maps = step_along(maps, gradient, lr * decay**step * min(clip, joint_norm(gradient)))
        yield maps


def _objective(
    S: Matrix, T: Matrix, U: Matrix, V: Matrix, pairs: RowPairs, n_negatives: int, temperature: float
) -> ContrastiveLoss:
    """Return the loss over the pairs, with negatives for those of their words that are in U and V."""
    ranked = pairs[(pairs[:, 0] < len(U)) & (pairs[:, 1] < len(V))]
    negatives = mine_negatives(U, V, ranked, n_negatives)
    return ContrastiveLoss(S, T, ranked, negatives, temperature=temperature, joint=True, constant_norms=True)


def c1_rounds(
    S: Matrix,
    T: Matrix,
    seeds: RowPairs,
    start: Callable[[Matrix, Matrix], MapPair],
    *,
    n_rounds: int = 2,
    n_added: int = 10_000,
    added_rank: int = 60_000,
    learn_added: bool = False,
    **settings: Any,
) -> Iterator[MapPair]:
    """Yield the maps after every step of several rounds; each starts again with the confident pairs of the one before.

    The defaults are the published ones for 5,000 seeds. Those for 1,000 are ``n_rounds=3, n_added=6000,
    added_rank=20000, learn_added=True, n_steps=51, n_negatives=60, lr=2, decay=1``.

    Parameters
    ----------
    S, T
        All words of both sides, (n, d_s) and (m, d_t), most frequent first.
    seeds
        Row pairs of the dictionary, (p, 2).
    start
        Returns the maps to start from, given paired rows; published with the multi-step map.
    n_rounds
        Number of rounds.
    n_added
        Number of confident pairs added in each direction.
    added_rank
        Restrict them to the `added_rank` most frequent words on each side.
    learn_added
        Whether to learn from added pairs too; otherwise they only determine the start of a round.
    settings
        Settings of :func:`c1_steps`.

    References
    ----------
    Li, Liu, Collier, Korhonen, Vulić, "Improving word translation via two-stage contrastive learning", ACL 2022,
    section 2.1. Here no known translation is ever a negative.
    """
    pairs = seeds
    for round_number in range(n_rounds):
        first = start(S[pairs[:, 0]], T[pairs[:, 1]])
        for maps in c1_steps(S, T, pairs if learn_added else seeds, first, **settings):
            yield maps
        if round_number + 1 < n_rounds:
            U, V = (unit_rows(X[:added_rank] @ W.astype(np.float32)) for X, W in zip((S, T), maps, strict=True))
            pairs = np.concatenate([seeds, confident_pairs(U, V, seeds, n_added)])


def confident_pairs(U: Matrix, V: Matrix, seeds: RowPairs, n_added: int) -> RowPairs:
    """Return the most confident translations by CSLS, in each direction, of words that are in no seed pair.

    Parameters
    ----------
    U, V
        Both mapped spaces, rows of unit length.
    seeds
        Row pairs of the dictionary.
    n_added
        Number of pairs in each direction; a mutual pair is returned once.
    """
    best = csls_best(U, V, 1)
    forward = _surest(best.forward, seeds[:, 0], seeds[:, 1], n_added)
    backward = _surest(best.backward, seeds[:, 1], seeds[:, 0], n_added)[:, ::-1]
    return np.unique(np.concatenate([forward, backward]), axis=0)


def _surest(best: Best, known: IntVector, known_answers: IntVector, n_added: int) -> RowPairs:
    answers = best.rows[:, 0]
    new = np.flatnonzero(~np.isin(np.arange(len(answers)), known) & ~np.isin(answers, known_answers))
    surest = new[np.argsort(-best.scores[new, 0], kind="stable")[:n_added]]
    return np.column_stack([surest, answers[surest]])


@dataclass(frozen=True, kw_only=True)
class _Descending(LoopState):
    """The steps still to come."""

    steps: Iterator[MapPair]


class C1(AbstractIterativeAligner[_Descending]):
    """Learn both maps contrastively with hard negatives, like stage C1 of ContrastiveBLI.

    The defaults are the published settings for 5,000 pairs, except that negatives are searched only every fifth step.
    For 1,000 pairs the authors use ``n_rounds=3, n_added=6000, added_rank=20000, learn_added=True, n_steps=51,
    n_negatives=60, lr=2, decay=1``.

    Parameters
    ----------
    n_rounds, n_added, added_rank, learn_added
        See `c1_rounds`.
    n_steps, n_negatives, max_rank, lr, decay, clip, temperature, mine_every
        See `c1_steps`.

    References
    ----------
    Li, Liu, Collier, Korhonen, Vulić, "Improving word translation via two-stage contrastive learning", ACL 2022. Here
    no known translation is ever a negative.
    """

    same_dim = False

    def __init__(
        self,
        n_rounds: int = 2,
        n_added: int = 10_000,
        added_rank: int = 60_000,
        learn_added: bool = False,
        n_steps: int = 201,
        n_negatives: int = 150,
        max_rank: int = 60_000,
        lr: float = 1.5,
        decay: float = 0.99,
        clip: float = 0.15,
        temperature: float = 1.0,
        mine_every: int = 5,
    ) -> None:
        self.n_rounds = n_rounds
        self.n_added = n_added
        self.added_rank = added_rank
        self.learn_added = learn_added
        self.n_steps = n_steps
        self.n_negatives = n_negatives
        self.max_rank = max_rank
        self.lr = lr
        self.decay = decay
        self.clip = clip
        self.temperature = temperature
        self.mine_every = mine_every

    def cost(self, sizes: Sizes) -> float:
        """Return the operations of all searches for negatives, and of inducing pairs between rounds."""
        searches = self.n_rounds * -(-self.n_steps // self.mine_every)
        return searches * sizes.descent + (self.n_rounds - 1) * sizes.product

    def max_steps(self) -> int:
        """Return the number of steps; that from one round to the next counts too."""
        n_rounds, n_steps = check_count(self.n_rounds, name="n_rounds"), check_count(self.n_steps, name="n_steps")
        return n_rounds * (n_steps + 1) - 1

    def start(self, problem: Problem) -> _Descending:
        """Learn the first maps."""
        for name in ("n_added", "added_rank", "n_negatives", "max_rank", "mine_every"):
            check_count(getattr(self, name), name=name)
        for name in ("lr", "decay", "clip", "temperature"):
            if not check_number(getattr(self, name), name=name) > 0:
                raise ParameterError(f"{name} must be positive. Got {getattr(self, name)!r}.")

        def begin(X: Matrix, Y: Matrix) -> MapPair:
            return MapPair(*multi_step_maps(X, Y))

        steps = c1_rounds(problem.X, problem.Y, problem.known_pairs, begin, **self.get_params())
        return _next(0, steps)

    def step(self, problem: Problem, state: _Descending) -> _Descending:  # noqa: ARG002
        """Take one step, or begin the next round."""
        return _next(state.number + 1, state.steps)


def _next(number: int, steps: Iterator[MapPair]) -> _Descending:
    maps = next(steps)
    return _Descending(number=number, maps=Maps(MatrixMap(maps.source), MatrixMap(maps.target)), steps=steps)
