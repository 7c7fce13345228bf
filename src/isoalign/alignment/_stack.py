r"""Stacked models: the cosine is the weighted mean of the cosines of the parts."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from isoalign._core.progress import Progress
from isoalign.alignment._base import AbstractAligner, Maps, StepCallback, Trajectory
from isoalign.alignment._checkpoint import Checkpoint
from isoalign.alignment._cost import Sizes
from isoalign.alignment._problem import Problem
from isoalign.alignment._registry import as_aligner
from isoalign.errors import ParameterError
from isoalign.maps import AbstractMap, BlockMap, IdentityMap, StackedMap
from isoalign.normalization import make_normalizer

__all__ = ["Stack"]

_DEFAULT_ALIGNERS = ("contrast-kernel", "geomm-kernel")


class Stack(AbstractAligner):
    r"""Learn several maps and concatenate their spaces.

    .. math:: x \mapsto [\sqrt{\alpha_1}\, u_1(x), \dots, \sqrt{\alpha_m}\, u_m(x)], \qquad \textstyle\sum \alpha = 1

    The cosine in the stacked space is the mean of the cosines :math:`u_m(x) \cdot v_m(y)` with weights
    :math:`\alpha_m`: if models make mistakes on different words, their mean makes fewer. The space has the columns of
    all models together.

    Parameters
    ----------
    aligners
        At least one: aligners, or names of methods or recipes. Only the method and the settings of a recipe are used;
        all parts share one normalisation. Settings that parts leave open keep their defaults. None is the recipes
        ``contrast-kernel`` and ``geomm-kernel``.
    weights
        :math:`\alpha`, in any scale; ``"equal"``; None leaves them open for `align` to choose: equal weights, one part
        twice the others, or one part alone. ``fit`` then uses equal weights.
    """

    def __init__(
        self,
        aligners: Sequence[AbstractAligner | str] | str | None = None,
        weights: Sequence[float] | str | None = "equal",
    ) -> None:
        self.aligners = aligners
        self.weights = weights

    @property
    def same_dim(self) -> bool:  # type: ignore[override]
        """Whether a part needs both sides to have the same number of columns."""
        return any(part.same_dim for part in self._make_parts())

    @property
    def is_random(self) -> bool:  # type: ignore[override]
        """Whether a part depends on the seed."""
        return any(part.is_random for part in self._make_parts())

    def unfitted_copy(self) -> "Stack":
        """Return a new stack with the same settings, including copies of the parts."""
        given = self.aligners
        if given is not None and not isinstance(given, str):
            given = tuple(part if isinstance(part, str) else part.unfitted_copy() for part in given)
        return type(self)(given, self.weights)

    def trajectories(self) -> list[Trajectory]:
        """One fit that passes through all weights of the grid, if they are open."""
        if self.weights is not None:
            return []
        grid = _weight_grid(len(self._make_parts()))
        return [Trajectory({}, {step: {"weights": weights} for step, weights in enumerate(grid)})]

    def cost(self, sizes: Sizes) -> float:
        """Return the operations of all parts."""
        return sum(part.cost(sizes) for part in self._make_parts())

    def _make_parts(self) -> list[AbstractAligner]:
        given = self.aligners
        names = _DEFAULT_ALIGNERS if given is None else given.split(",") if isinstance(given, str) else given
        if not names:
            raise ParameterError("A stack needs at least one aligner.")
        return [as_aligner(part.strip() if isinstance(part, str) else part, default="") for part in names]

    def _learn(
        self, problem: Problem, callback: StepCallback, progress: Progress, checkpoint: Checkpoint | None
    ) -> tuple[Maps, list[dict[str, Any]]]:
        parts = self._make_parts()
        weights = self._check_weights(len(parts))
        learned = []
        for number, part in enumerate(parts):
            progress("stacking", number, len(parts))
            learned.append(part.fit_problem(problem, checkpoint=checkpoint).maps_)
        progress("stacking", len(parts), len(parts))
        for step, some in enumerate(_weight_grid(len(parts)) if self.weights is None else [weights]):
            callback(step, _stack_maps(learned, some))
        return _stack_maps(learned, weights), []

    def _check_weights(self, n: int) -> list[float]:
        if self.weights is None or self.weights == "equal":
            return [1.0] * n
        if isinstance(self.weights, str) or len(self.weights) != n:
            raise ParameterError(
                f"weights must be 'equal' or one number for each of the {n} aligners. Got {self.weights!r}."
            )
        return [float(weight) for weight in self.weights]


def _weight_grid(n: int) -> list[list[float]]:
    """Return equal weights, then each part doubled, then each part alone."""
    alone = np.eye(n)
    return [[1.0] * n, *([] if n == 1 else [*(1 + alone).tolist(), *alone.tolist()])]


def _stack_maps(learned: Sequence[Maps], weights: Sequence[float]) -> Maps:
    """Return the maps of the stack; parts of weight zero are omitted."""
    used = [(maps, weight) for maps, weight in zip(learned, weights, strict=True) if weight]
    if len(used) == 1:
        return used[0][0]

    def stack(maps: list[tuple[AbstractMap, float]]) -> StackedMap:
        rows = np.zeros((1, maps[0][0].dim_in), dtype=np.float32)
        return StackedMap([(make_normalizer("none").fit(rows), one, weight) for one, weight in maps])

    def stage(stages: list[tuple[AbstractMap | None, float]]) -> BlockMap | None:
        if all(one is None for one, _ in stages):
            return None
        dims = [maps.source.dim_out for maps, _ in used]
        return BlockMap([(one or IdentityMap(dim), weight) for (one, weight), dim in zip(stages, dims, strict=True)])

    return Maps(
        stack([(maps.source, weight) for maps, weight in used]),
        stack([(maps.target, weight) for maps, weight in used]),
        stage([(maps.forward, weight) for maps, weight in used]),
        stage([(maps.backward, weight) for maps, weight in used]),
    )
