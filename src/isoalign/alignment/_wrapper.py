"""Base class of aligners that build on another aligner."""

from typing import Any, ClassVar, Self

from isoalign.alignment._base import AbstractAligner, Trajectory
from isoalign.alignment._registry import as_aligner

__all__ = ["AbstractWrapper"]


class AbstractWrapper(AbstractAligner):
    """An aligner with a setting ``aligner``: another aligner, its name, or None for a default.

    Settings of the inner aligner are set as ``aligner__name``, even if it was given by its name.
    """

    default_aligner: ClassVar[str]
    aligner: AbstractAligner | str | None

    @property
    def same_dim(self) -> bool:  # type: ignore[override]
        """Whether the inner aligner needs both sides to have the same number of columns."""
        return self._make_inner().same_dim

    @property
    def is_random(self) -> bool:  # type: ignore[override]
        """Whether the inner aligner depends on the seed."""
        return self._make_inner().is_random

    def set_params(self, **params: Any) -> Self:
        """Change settings by name and return ``self``; unknown names are errors."""
        if any(name.startswith("aligner__") for name in params):
            self.aligner = as_aligner(params.pop("aligner", self.aligner), default=self.default_aligner)
        return super().set_params(**params)

    def _make_inner(self) -> AbstractAligner:
        return as_aligner(self.aligner, default=self.default_aligner)

    def trajectories(self) -> list[Trajectory]:
        """Return one trajectory for each candidate of the inner aligner, its settings under ``aligner__``."""
        candidates = [
            {f"aligner__{name}": value for name, value in settings.items()}
            for trajectory in self._make_inner().trajectories()
            for settings in trajectory.candidates.values()
        ]
        return [Trajectory(settings, {0: settings}) for settings in candidates]
