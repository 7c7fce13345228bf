"""The settings of an adapter that are tried on held-out items."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

__all__ = ["grid_of", "with_grid"]

F = TypeVar("F", bound=Callable[..., Any])


def with_grid(**grid: Sequence[Any]) -> Callable[[F], F]:
    """Attach the values to try, by setting; settings are chosen one after another, in this order."""

    def attach(fit: F) -> F:
        fit.grid = grid  # type: ignore[attr-defined]
        return fit

    return attach


def grid_of(fit: Callable[..., Any]) -> Mapping[str, Sequence[Any]]:
    """Return the values to try; none for an adapter without a grid."""
    grid: Mapping[str, Sequence[Any]] = getattr(fit, "grid", {})
    return grid
