r"""Short contrastive learning on top of another map."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from isoalign._core.validate import check_count, check_number
from isoalign.alignment._base import AbstractAligner, AbstractIterativeAligner, LoopState, Maps, Trajectory, unit_space
from isoalign.alignment._contrast_loss import ContrastiveLoss, MapPair, mine_negatives, step_along
from isoalign.alignment._cost import Sizes
from isoalign.alignment._open import open_choices
from isoalign.alignment._problem import Problem
from isoalign.alignment._wrapper import AbstractWrapper
from isoalign.errors import ParameterError
from isoalign.maps import ComposedMap, MatrixMap

__all__ = ["Contrastive"]

_GRIDS = {"temperature": (0.1, 0.05, 0.2), "n_negatives": (30, 10, 100)}
_STOPS = (1.0, 2 / 3, 1 / 3, 0.0)  # shares of all steps
_MOMENTUM = 0.8


@dataclass(frozen=True, kw_only=True)
class _Moved(LoopState):
    """The inner maps, the loss over rows that they mapped, the maps added to them, and the momentum."""

    below: Maps
    loss: ContrastiveLoss
    added: MapPair
    momentum: MapPair


class Contrastive(AbstractWrapper, AbstractIterativeAligner[_Moved]):
    r"""Adjust the maps of another aligner so that the translation of a word is closer than its other neighbours.

    On unit rows z and t of the shared space, :math:`u = \mathrm{unit}(z (I + \Delta_s))` and
    :math:`v = \mathrm{unit}(t (I + \Delta_t))` minimise, over the pairs and over both directions,

    .. math:: -\log \frac{e^{u_i \cdot v_j / \tau}}
        {e^{u_i \cdot v_j / \tau} + \sum_{j' \in N(i)} e^{u_i \cdot v_{j'} / \tau}}

    The negatives N(i) are the words nearest to i on the other side before the first step; other known translations of
    i are not among them. With the gradient g over both sides, and :math:`m = \Delta = 0` at first, step s = 0, 1, … is

    .. math::

        m \leftarrow 0.8\, m + 0.2\, g, \qquad
        \Delta \leftarrow \Delta - \eta \left(1 - \frac{s}{\mathrm{steps}}\right) \frac{m}{\lVert m \rVert}

    Parameters
    ----------
    aligner
        The inner aligner, or its name; None is the multi-step map, `VecMap`.
    stop
        Number of steps, possibly 0. None leaves it open for `align` to choose; ``fit`` then takes all steps.
    n_steps
        Number of steps after which the decreasing step length would be zero.
    n_negatives
        Neighbours of every dictionary word on the other side; None leaves it open; ``fit`` then uses 30.
    temperature
        :math:`\tau`; None leaves it open; ``fit`` then uses 0.1.
    step_length
        Initial step length :math:`\eta`, in the Frobenius norm over both maps.

    References
    ----------
    A short form of stage C1 of Li, Liu, Collier, Korhonen, Vulić (2022): 15 normalised steps with momentum instead of
    several hundred, and a single search for negatives.
    """

    default_aligner: ClassVar[str] = "vecmap"

    def __init__(
        self,
        aligner: AbstractAligner | str | None = None,
        stop: int | None = None,
        n_steps: int = 15,
        n_negatives: int | None = 30,
        temperature: float | None = 0.1,
        step_length: float = 0.3,
    ) -> None:
        self.aligner = aligner
        self.stop = stop
        self.n_steps = n_steps
        self.n_negatives = n_negatives
        self.temperature = temperature
        self.step_length = step_length

    def max_steps(self) -> int:
        """Return the number of steps."""
        n_steps = check_count(self.n_steps, name="n_steps")
        return n_steps if self.stop is None else min(check_count(self.stop, name="stop", minimum=0), n_steps)

    def trajectories(self) -> list[Trajectory]:
        """One fit for each open temperature, number of negatives and candidate of the inner aligner."""
        n_steps = self.max_steps()
        stops = sorted({round(share * n_steps) for share in _STOPS}) if self.stop is None else [n_steps]
        below = [trajectory.settings for trajectory in super().trajectories()] or [{}]
        found = [{**settings, **choice} for settings in below for choice in open_choices(self, _GRIDS)]
        if found == [{}] and self.stop is not None:
            return []
        return [Trajectory(settings, {stop: {**settings, "stop": stop} for stop in stops}) for settings in found]

    def cost(self, sizes: Sizes) -> float:
        """Return the operations of the inner aligner and of one search for negatives; the steps cost little."""
        return self._make_inner().cost(sizes) + sizes.descent

    def start(self, problem: Problem) -> _Moved:
        """Fit the inner aligner and find the negatives."""
        defaults = open_choices(self, _GRIDS)[0]
        temperature = check_number(defaults.get("temperature", self.temperature), name="temperature")
        step_length = check_number(self.step_length, name="step_length")
        if not (temperature > 0 and step_length > 0):
            raise ParameterError(
                f"temperature and step_length must be positive. Got {temperature!r} and {step_length!r}."
            )
        below = self._make_inner().fit_problem(problem).maps_
        U, V, pairs = unit_space(problem.X, below.source), unit_space(problem.Y, below.target), problem.known_pairs
        n_negatives = check_count(defaults.get("n_negatives", self.n_negatives), name="n_negatives")
        loss = ContrastiveLoss(U, V, pairs, mine_negatives(U, V, pairs, n_negatives), temperature=temperature)
        added = MapPair(np.eye(U.shape[1]), np.eye(V.shape[1]))
        momentum = MapPair(np.zeros_like(added.source), np.zeros_like(added.target))
        return _Moved(number=0, maps=below, below=below, loss=loss, added=added, momentum=momentum)

    def step(self, problem: Problem, state: _Moved) -> _Moved:  # noqa: ARG002
        """Step along the momentum."""
        _, gradient = state.loss.evaluate(state.added)
        momentum = MapPair(
            *(_MOMENTUM * old + (1 - _MOMENTUM) * new for old, new in zip(state.momentum, gradient, strict=True))
        )
        length = check_number(self.step_length, name="step_length") * (1 - state.number / self.n_steps)
        added = step_along(state.added, momentum, length)
        maps = Maps(
            ComposedMap([state.below.source, MatrixMap(added.source)]).simplify(),
            ComposedMap([state.below.target, MatrixMap(added.target)]).simplify(),
        )
        return replace(state, number=state.number + 1, maps=maps, added=added, momentum=momentum)
