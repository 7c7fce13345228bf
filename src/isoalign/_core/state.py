"""What an object has learned as plain arrays under names; nested objects put a prefix before the names of theirs."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from numpy.typing import NDArray

__all__ = ["State", "nest_state", "part_of_state"]

State: TypeAlias = dict[str, NDArray[Any]]


def nest_state(prefix: object, state: Mapping[str, NDArray[Any]]) -> State:
    """Return a state whose names begin with ``prefix`` and a dot."""
    return {f"{prefix}.{name}": array for name, array in state.items()}


def part_of_state(prefix: object, state: Mapping[str, NDArray[Any]]) -> State:
    """Return what `nest_state` put under a prefix."""
    start = f"{prefix}."
    return {name.removeprefix(start): array for name, array in state.items() if name.startswith(start)}
