r"""Self-learning: extend a tiny or rough dictionary to all frequent words."""

from dataclasses import dataclass, replace
from typing import Any

from isoalign._core.validate import check_choice, check_count
from isoalign.alignment._base import AbstractIterativeAligner, LoopState, Maps
from isoalign.alignment._checkpoint import Packed
from isoalign.alignment._cost import Sizes
from isoalign.alignment._loop import AbstractResumableSteps
from isoalign.alignment._problem import Problem
from isoalign.alignment._procrustes import Procrustes
from isoalign.alignment._self_learning_kernel import (
    SelfLearningSettings,
    SelfLearningState,
    pack_state,
    start,
    step,
    unpack_state,
)
from isoalign.alignment._vecmap import VecMap
from isoalign.maps import IdentityMap, MatrixMap

__all__ = ["SelfLearning"]

_TYPICAL_STEPS = 400  # of a run with the default settings


@dataclass(frozen=True, kw_only=True)
class _Iteration(LoopState):
    """State of an iteration, with everything that the next one needs."""

    inner: SelfLearningState


class SelfLearning(AbstractIterativeAligner[_Iteration], AbstractResumableSteps[Problem, _Iteration]):
    r"""Learn a rotation, induce a dictionary with it, learn from that dictionary, until nothing improves.

    At first only a random tenth of all pairs of words is available, which prevents the run from settling on an early
    guess; the share doubles whenever the objective stagnates. 25 pairs, or the rough dictionary of a start, are enough
    to begin with.

    Parameters
    ----------
    max_rank
        Restrict induced dictionaries to the most frequent words on each side. None: all words.
    k
        Neighbours in a CSLS mean; 0 for plain cosines.
    keep
        Initial probability that an entry of the similarity matrix is available.
    growth
        Factor by which this probability grows when the objective stagnates.
    patience, tol
        The objective stagnates if it improves by less than ``tol`` in more than ``patience`` iterations.
    direction
        ``"union"``: every word of both sides chooses, mutual choices count twice; ``"forward"``: sources choose;
        ``"matching"``: one-to-one matching of the best candidates.
    keep_seed
        Whether to keep the given pairs in every dictionary. Pairs guessed by a start are never kept.
    final
        Maps learned from the best dictionary: ``"vecmap"``, with re-weighting, or ``"orthogonal"``.
    quirks
        ``"vecmap"`` follows VecMap's program: dropped entries score 0, words are compared by inner products, given
        pairs are used for the first map only, and the last dictionary is used rather than the best.
    max_iter
        Maximum number of iterations.

    Attributes
    ----------
    history_
        For every iteration its number, the keep probability, the objective (the mean similarity of words to their
        nearest words), the share of words that chose each other, and the size of the dictionary.

    References
    ----------
    Artetxe, Labaka, Agirre (2017), "Learning bilingual word embeddings with (almost) no bilingual data", and (2018),
    "A robust self-learning method for fully unsupervised cross-lingual mappings of word embeddings".
    """

    grows_pairs = True
    is_random = True
    can_continue = True

    def __init__(
        self,
        max_rank: int | None = 20_000,
        k: int = 10,
        keep: float = 0.1,
        growth: float = 2.0,
        patience: int = 50,
        tol: float = 1e-6,
        direction: str = "union",
        keep_seed: bool = True,
        final: str = "vecmap",
        quirks: str | None = None,
        max_iter: int = 2000,
    ) -> None:
        self.max_rank = max_rank
        self.k = k
        self.keep = keep
        self.growth = growth
        self.patience = patience
        self.tol = tol
        self.direction = direction
        self.keep_seed = keep_seed
        self.final = final
        self.quirks = quirks
        self.max_iter = max_iter

    def max_steps(self) -> int:
        """Return the maximum number of iterations; most runs end much earlier."""
        return check_count(self.max_iter, name="max_iter")

    def start(self, problem: Problem) -> _Iteration:
        """Learn the first rotation from the given pairs."""
        check_choice(self.final, ("vecmap", "orthogonal"), name="final")
        settings = self._settings(problem)
        return self._iteration(
            problem, start(problem.X, problem.Y, problem.known_pairs, settings, weights=problem.weights)
        )

    def step(self, problem: Problem, state: _Iteration) -> _Iteration:
        """Induce a dictionary and learn from it."""
        found = step(problem.X, problem.Y, problem.known_pairs, state.inner, self._settings(problem))
        record = {
            "iteration": state.number + 1,
            "keep": state.inner.keep,
            "objective": found.objective,
            "mutual_share": found.mutual_share,
            "dictionary_size": len(found.pairs),
        }
        # Without dropped entries, objectives can be compared; VecMap takes the last dictionary, not the best.
        value = found.objective if state.inner.keep >= 1 and self.quirks is None else None
        return self._iteration(problem, found, record, value)

    def finished(self, state: _Iteration) -> bool:
        """Return whether the objective stagnates although all entries are available."""
        return state.inner.done

    def finish(self, problem: Problem, last: _Iteration, best: _Iteration | None) -> _Iteration:
        """Learn the maps from the best dictionary."""
        learner = VecMap() if self.final == "vecmap" else Procrustes()
        pairs = (last if best is None else best).inner.pairs
        return replace(last, maps=learner.fit_problem(problem.with_pairs(pairs)).maps_)

    def pack(self, state: _Iteration) -> Packed:
        """Return the dictionaries, the rotation and the counters."""
        return pack_state(state.inner)

    def unpack(self, problem: Problem, packed: Packed) -> _Iteration:
        """Restore an iteration."""
        return self._iteration(problem, unpack_state(packed, n=len(problem.X), m=len(problem.Y)))

    def cost(self, sizes: Sizes) -> float:
        """Return the operations of a typical run: one product of the frequent words for each iteration."""
        n, m = (size if self.max_rank is None else min(size, self.max_rank) for size in (sizes.n, sizes.m))
        return min(self.max_steps(), _TYPICAL_STEPS) * 2.0 * n * m * sizes.dim

    def _settings(self, problem: Problem) -> SelfLearningSettings:
        max_rank = None if self.max_rank is None else check_count(self.max_rank, name="max_rank")
        own = self.get_params(deep=False)
        del own["max_rank"], own["final"], own["max_iter"]
        own["keep_seed"] = self.keep_seed and not problem.is_guess
        return SelfLearningSettings(limits=problem.limits(max_rank), seed=problem.random_state, **own)

    def _iteration(
        self,
        problem: Problem,
        inner: SelfLearningState,
        record: dict[str, Any] | None = None,
        value: float | None = None,
    ) -> _Iteration:
        maps = Maps(MatrixMap(inner.W), IdentityMap(problem.Y.shape[1]))
        return _Iteration(number=inner.iteration - 1, maps=maps, record=record, value=value, inner=inner)
