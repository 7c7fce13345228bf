r"""Contrastive maps with the published settings of stage C1: long descents, in rounds that add confident pairs."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign._core.types import IntVector, Matrix, RowPairs
from isoalign._core.validate import check_count, check_number
from isoalign.alignment._base import AbstractIterativeAligner, LoopState, Maps
from isoalign.alignment._contrast_loss import ContrastiveLoss, MapPair, joint_norm, mine_negatives, step_along
from isoalign.alignment._cost import Sizes
from isoalign.alignment._problem import Problem
from isoalign.alignment._vecmap import multi_step_maps
from isoalign.errors import ParameterError
from isoalign.maps import MatrixMap
from isoalign.neighbors import Best, csls_best

__all__ = ["C1", "C1State", "c1_step", "confident_pairs"]


class C1State(NamedTuple):
    """A descent after some steps.

    Attributes
    ----------
    maps
        Maps of both sides.
    number
        Number of steps taken.
    loss
        The loss with the negatives of the last search; None before the first.
    """

    maps: MapPair
    number: int = 0
    loss: ContrastiveLoss | None = None


def c1_step(
    S: Matrix,
    T: Matrix,
    pairs: RowPairs,
    state: C1State,
    *,
    n_negatives: int = 150,
    max_rank: int = 60_000,
    lr: float = 1.5,
    decay: float = 0.99,
    clip: float = 0.15,
    temperature: float = 1.0,
    mine_every: int = 5,
) -> C1State:
    r"""Return the descent after one more step.

    Step t is :math:`W \leftarrow W - \eta\, \gamma^t g`, with the gradient g of the joint loss over both sides scaled
    to a norm of at most ``clip``.

    Parameters
    ----------
    S, T
        All words of both sides, (n, d_s) and (m, d_t), most frequent first.
    pairs
        Row pairs to learn from, (p, 2).
    state
        The descent so far.
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
    maps, number, loss = state
    if loss is None or number % mine_every == 0:
        U, V = (unit_rows(X[:max_rank] @ W.astype(np.float32)) for X, W in zip((S, T), maps, strict=True))
        loss = _objective(S, T, U, V, pairs, n_negatives, temperature)
    _, gradient = loss.evaluate(maps)
    length = lr * decay**number * min(clip, joint_norm(gradient))
    return C1State(step_along(maps, gradient, length), number + 1, loss)


def _objective(
    S: Matrix, T: Matrix, U: Matrix, V: Matrix, pairs: RowPairs, n_negatives: int, temperature: float
) -> ContrastiveLoss:
    """Return the loss over the pairs, with negatives for those of their words that are in U and V."""
    ranked = pairs[(pairs[:, 0] < len(U)) & (pairs[:, 1] < len(V))]
    negatives = mine_negatives(U, V, ranked, n_negatives)
    return ContrastiveLoss(S, T, ranked, negatives, temperature=temperature, joint=True, constant_norms=True)


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
    """The pairs that the descent of this round started from, and the descent."""

    pairs: RowPairs
    inner: C1State


class C1(AbstractIterativeAligner[_Descending]):
    """Learn both maps contrastively with hard negatives, like stage C1 of ContrastiveBLI.

    The defaults are the published settings for 5,000 pairs, except that negatives are searched only every fifth step.
    For 1,000 pairs the authors use ``n_rounds=3, n_added=6000, added_rank=20000, learn_added=True, n_steps=51,
    n_negatives=60, lr=2, decay=1``.

    Parameters
    ----------
    n_rounds
        Number of rounds; each starts again from the multi-step maps, with the confident pairs of the one before.
    n_added
        Number of confident pairs added in each direction.
    added_rank
        Restrict them to the `added_rank` most frequent words on each side.
    learn_added
        Whether to learn from added pairs too; otherwise they only determine the start of a round.
    n_steps
        Number of steps in a round.
    n_negatives, max_rank, lr, decay, clip, temperature, mine_every
        See `c1_step`.

    References
    ----------
    Li, Liu, Collier, Korhonen, Vulić, "Improving word translation via two-stage contrastive learning", ACL 2022,
    section 2.1. Here no known translation is ever a negative.
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
        return self._begin_round(problem, 0, problem.known_pairs)

    def step(self, problem: Problem, state: _Descending) -> _Descending:
        """Take one step, or begin the next round."""
        S, T, seeds = problem.X, problem.Y, problem.known_pairs
        if state.inner.number == self.n_steps:
            U, V = (
                unit_rows(X[: self.added_rank] @ W.astype(np.float32))
                for X, W in zip((S, T), state.inner.maps, strict=True)
            )
            added = confident_pairs(U, V, seeds, self.n_added)
            return self._begin_round(problem, state.number + 1, np.concatenate([seeds, added]))
        inner = c1_step(
            S,
            T,
            state.pairs if self.learn_added else seeds,
            state.inner,
            n_negatives=self.n_negatives,
            max_rank=self.max_rank,
            lr=self.lr,
            decay=self.decay,
            clip=self.clip,
            temperature=self.temperature,
            mine_every=self.mine_every,
        )
        return _after(state.number + 1, state.pairs, inner)

    def _begin_round(self, problem: Problem, number: int, pairs: RowPairs) -> _Descending:
        maps = MapPair(*multi_step_maps(problem.X[pairs[:, 0]], problem.Y[pairs[:, 1]]))
        return _after(number, pairs, C1State(maps))


def _after(number: int, pairs: RowPairs, inner: C1State) -> _Descending:
    maps = Maps(MatrixMap(inner.maps.source), MatrixMap(inner.maps.target))
    return _Descending(number=number, maps=maps, pairs=pairs, inner=inner)
