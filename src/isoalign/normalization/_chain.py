"""Chains of normalisers; creating normalisers from names, and describing them in JSON."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from numpy.typing import NDArray

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.spill import copy_rows
from isoalign._core.state import State
from isoalign._core.types import Matrix
from isoalign.errors import ParameterError
from isoalign.normalization._base import AbstractNormalizer, RowStep
from isoalign.normalization._registry import load_normalizer, name_of
from isoalign.normalization._row_parts import RowParts

__all__ = ["Chain", "describe_normalizer", "make_normalizer", "restore_normalizer"]


class Chain(AbstractNormalizer):
    """Apply normalisers in order, each fitted to the output of the one before.

    Parameters
    ----------
    steps
        Normalisers, which remain unfitted.

    Attributes
    ----------
    steps_
        Fitted copies of the steps.

    Examples
    --------
    >>> make_normalizer("unit,center,unit")
    Chain(steps=(Unit(), Center(), Unit()))
    """

    steps_: list[AbstractNormalizer]

    def __init__(self, steps: Sequence[AbstractNormalizer]) -> None:
        self.steps = steps

    def _learn(self, X: Matrix) -> None:
        self._learn_and_apply(copy_rows(X), ignore_progress)

    def _learn_parts(self, rows: RowParts) -> None:
        self.steps_ = []
        for step in self.steps:
            self.steps_.append(step.unfitted_copy().fit_parts(rows))
            rows = rows.after(self.steps_[-1].transform)

    def _learn_and_apply(self, X: Matrix, progress: Progress) -> None:
        self.steps_ = [step.unfitted_copy() for step in self.steps]
        for number, step in enumerate(self.steps_, start=1):
            step.fit_transform(X, copy=False)
            progress("normalize", number, len(self.steps_))

    def _apply(self, X: Matrix) -> None:
        for step in self.steps_:
            step.transform(X, copy=False)

    def scaling_steps(self) -> list[RowStep] | None:
        """Return the steps of all normalisers in order; None if one of them does more than scale and centre."""
        steps: list[RowStep] = []
        for step in self.steps_:
            own = step.scaling_steps()
            if own is None:
                return None
            steps += own
        return steps

    def get_state(self) -> State:
        """Return the learned attributes of all steps; names are prefixed with the number of the step."""
        state = super().get_state()
        for number, step in enumerate(self.steps_):
            state |= {f"{number}.{name}": array for name, array in step.get_state().items()}
        return state

    def set_state(self, state: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the result of ``get_state`` of a chain of the same steps, instead of calling ``fit``."""
        self.steps_ = []
        for number, step in enumerate(self.steps):
            own = {
                name.removeprefix(f"{number}."): array for name, array in state.items() if name.startswith(f"{number}.")
            }
            self.steps_.append(step.unfitted_copy().set_state(own))
        return super().set_state(state)


def make_normalizer(name: str, **settings: Any) -> AbstractNormalizer:
    """Create an unfitted normaliser from its name, or a chain from several names separated by commas.

    Parameters
    ----------
    name
        One of `NORMALIZERS`, such as ``"iternorm"`` or ``"center_length"``, also by an alias (``"IN"``, ``"C+L"``), or
        a chain such as ``"unit,center,unit"``.
    settings
        Settings of the normaliser. A chain takes none.
    """
    names = [word for word in name.split(",") if word.strip()]
    if not names:
        raise ParameterError(f"A normalization needs a name such as 'iternorm' or 'unit,center,unit'. Got {name!r}.")
    if len(names) == 1:
        return load_normalizer(names[0])().set_params(**settings)
    if settings:
        raise ParameterError(f"A chain takes no settings. Got {', '.join(settings)} for {name!r}.")
    return Chain(tuple(load_normalizer(word)() for word in names))


def describe_normalizer(normalizer: AbstractNormalizer) -> dict[str, Any]:
    """Return the name and settings of a normaliser as JSON values; see `restore_normalizer`."""
    if isinstance(normalizer, Chain):
        return {"name": "chain", "steps": [describe_normalizer(step) for step in normalizer.steps]}
    return {"name": name_of(normalizer), "settings": normalizer.get_params(deep=False)}


def restore_normalizer(
    description: Mapping[str, Any], state: Mapping[str, NDArray[Any]] | None = None
) -> AbstractNormalizer:
    """Create the normaliser that `describe_normalizer` described; with the arrays of ``get_state`` it is fitted."""
    if description["name"] == "chain":
        normalizer: AbstractNormalizer = Chain(tuple(restore_normalizer(step) for step in description["steps"]))
    else:
        normalizer = make_normalizer(description["name"], **description["settings"])
    return normalizer if state is None else normalizer.set_state(state)
