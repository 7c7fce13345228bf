r"""Short contrastive learning on top of another map."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from isoalign._core.validate import check_count, check_number
from isoalign.alignment._base import AbstractAligner, AbstractIterativeAligner, LoopState, Maps, Trajectory, unit_space
from isoalign.alignment._contrast import contrast_steps
from isoalign.alignment._contrast_loss import MapPair
from isoalign.alignment._cost import Sizes
from isoalign.alignment._open import open_choices
from isoalign.alignment._problem import Problem
from isoalign.alignment._wrapper import AbstractWrapper
from isoalign.errors import ParameterError
from isoalign.maps import ComposedMap, MatrixMap

__all__ = ["Contrastive"]

_GRIDS = {"temperature": (0.1, 0.05, 0.2), "n_negatives": (30, 10, 100)}
_STOPS = (1.0, 2 / 3, 1 / 3, 0.0)  # shares of all steps


@dataclass(frozen=True, kw_only=True)
class _Moved(LoopState):
    """The inner maps, and the remaining steps."""

    below: Maps
    steps: Iterator[MapPair]


class Contrastive(AbstractWrapper, AbstractIterativeAligner[_Moved]):
    r"""Adjust the maps of another aligner so that the translation of a word is closer than its other neighbours.

    On unit rows z and t of the shared space, :math:`u = \mathrm{unit}(z (I + \Delta_s))` and
    :math:`v = \mathrm{unit}(t (I + \Delta_t))` minimise, over the pairs and over both directions,

    .. math:: -\log \frac{e^{u_i \cdot v_j / \tau}}
        {e^{u_i \cdot v_j / \tau} + \sum_{j' \in N(i)} e^{u_i \cdot v_{j'} / \tau}}

    The negatives N(i) are the words nearest to i on the other side before the first step; other known translations of
    i are not among them.

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
        Initial step length, in the Frobenius norm over both maps.

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
        steps = contrast_steps(
            unit_space(problem.X, below.source),
            unit_space(problem.Y, below.target),
            problem.known_pairs,
            n_steps=check_count(self.n_steps, name="n_steps"),
            n_negatives=check_count(defaults.get("n_negatives", self.n_negatives), name="n_negatives"),
            temperature=temperature,
            step_length=step_length,
        )
        next(steps)  # the identity, before the first step
        return _Moved(number=0, maps=below, below=below, steps=steps)

    def step(self, problem: Problem, state: _Moved) -> _Moved:  # noqa: ARG002
        """Take one step."""
        moved = next(state.steps)
        maps = Maps(
            ComposedMap([state.below.source, MatrixMap(moved.source)]).simplify(),
            ComposedMap([state.below.target, MatrixMap(moved.target)]).simplify(),
        )
        return _Moved(number=state.number + 1, maps=maps, below=state.below, steps=state.steps)
