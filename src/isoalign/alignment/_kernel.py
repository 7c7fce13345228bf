r"""A nonlinear correction of queries, in each direction, on top of another map."""

from typing import Any, ClassVar

import numpy as np

from isoalign._core.progress import Progress
from isoalign._core.types import Matrix, RowPairs
from isoalign._core.validate import check_count, check_number
from isoalign.alignment._base import AbstractAligner, Maps, StepCallback, Trajectory, unit_space
from isoalign.alignment._checkpoint import Checkpoint
from isoalign.alignment._cost import Sizes
from isoalign.alignment._kernel_ranking import MAX_STEPS, rank_correction
from isoalign.alignment._open import open_choices
from isoalign.alignment._problem import Problem
from isoalign.alignment._wrapper import AbstractWrapper
from isoalign.errors import ParameterError
from isoalign.maps import KernelCorrection

__all__ = ["Kernel"]

_DEFAULTS = {"bandwidth": 0.25, "penalty": 1.0}
_GRIDS = {"bandwidth": (0.25, 0.15, 0.4), "penalty": (1.0, 0.3, 3.0)}


class Kernel(AbstractWrapper):
    r"""Learn the residuals of another map as a smooth function on the space.

    The spaces of two languages are not exact rotations of each other, and after the best linear map the residuals of
    neighbouring words are similar. With dictionary words :math:`u_i` in the shared space and the mean residual
    :math:`r_i` to their translations, queries are corrected by

    .. math:: u'(x) = \mathrm{unit}\Big(u(x) + \sum_i e^{(u(x) \cdot u_i - 1) / h}\, \alpha_i\Big), \qquad
        \alpha = (K + \lambda I)^{-1} R

    Only queries are corrected; the other direction has its own correction.

    Parameters
    ----------
    aligner
        The inner aligner, or its name; None is the multi-step map, `VecMap`.
    bandwidth, penalty
        h and :math:`\lambda`. None leaves either open for `align` to choose; ``fit`` then uses 0.25 and 1.
    omit_self
        Whether to correct a dictionary word by the other dictionary words only, like a new word. False pulls it onto
        its known translations, even if a test asks for another one.
    ranking_steps
        Number of steps, at most 12, that move the ridge solution so that translations overtake their nearest rivals.
        With more than 10,000 dictionary words the ridge solution is kept.
    """

    default_aligner: ClassVar[str] = "vecmap"

    def __init__(
        self,
        aligner: AbstractAligner | str | None = None,
        bandwidth: float | None = 0.25,
        penalty: float | None = 1.0,
        omit_self: bool = True,
        ranking_steps: int = 0,
    ) -> None:
        self.aligner = aligner
        self.bandwidth = bandwidth
        self.penalty = penalty
        self.omit_self = omit_self
        self.ranking_steps = ranking_steps

    def cost(self, sizes: Sizes) -> float:
        """Return the operations of the inner aligner, of both linear systems, and of correcting and ranking."""
        n, m = sizes.train
        kernels = 4.0 * sizes.dim * (n * sizes.n + m * sizes.m)
        solving = (n**3 + m**3) / 3
        ranking = 0.0
        if self.ranking_steps:  # the nearest rivals once, the kernel between anchors in every step
            ranking = 2.0 * sizes.dim * (n * sizes.m + m * sizes.n + (self.ranking_steps + 1) * (n**2 + m**2))
        return self._make_inner().cost(sizes) + kernels + solving + ranking

    def trajectories(self) -> list[Trajectory]:
        """One fit for each candidate of the inner aligner, which passes through all open bandwidths and penalties."""
        below = super().trajectories()
        choices = open_choices(self, _GRIDS)
        if choices == [{}]:
            return below
        return [
            Trajectory(settings, {step: {**settings, **choice} for step, choice in enumerate(choices)})
            for settings in ([trajectory.settings for trajectory in below] or [{}])
        ]

    def _learn(
        self,
        problem: Problem,
        callback: StepCallback,
        progress: Progress,
        checkpoint: Checkpoint | None,
    ) -> tuple[Maps, list[dict[str, Any]]]:
        below = self._make_inner().fit_problem(problem, progress=progress, checkpoint=checkpoint).maps_
        U, V = unit_space(problem.X, below.source), unit_space(problem.Y, below.target)
        pairs = problem.known_pairs
        choices = open_choices(self, _GRIDS)
        if choices != [{}]:
            for step, choice in enumerate(choices):
                callback(step, Maps(below.source, below.target, self._correct(U, V, pairs, choice)))
        maps = Maps(below.source, below.target, self._correct(U, V, pairs), self._correct(V, U, pairs[:, ::-1]))
        if choices == [{}]:
            callback(0, maps)
        return maps, []

    def _correct(
        self, queries: Matrix, others: Matrix, pairs: RowPairs, choice: dict[str, float] | None = None
    ) -> KernelCorrection:
        """Fit the correction of one direction; chosen values of open settings override their defaults."""
        chosen = _DEFAULTS | {name: getattr(self, name) for name in _DEFAULTS if getattr(self, name) is not None}
        numbers = {name: check_number(value, name=name) for name, value in (chosen | (choice or {})).items()}
        if not min(numbers.values()) > 0:
            raise ParameterError(f"bandwidth and penalty must be positive. Got {numbers}.")
        ridge = KernelCorrection.fit(queries, others, pairs, omit_self=bool(self.omit_self), **numbers)
        n_steps = check_count(self.ranking_steps, name="ranking_steps", minimum=0)
        sources = np.unique(pairs[:, 0])
        if not n_steps or len(ridge.anchors) < len(sources):
            return ridge
        return rank_correction(ridge, others, sources, pairs, n_steps=min(n_steps, MAX_STEPS))
