"""Learned state as named arrays; the names of nested objects have a prefix."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from numpy.typing import NDArray

__all__ = ["State", "nest_state", "part_of_state"]

State: TypeAlias = dict[str, NDArray[Any]]


def nest_state(prefix: object, state: Mapping[str, NDArray[Any]]) -> State:
    """Return a state whose names begin with ``prefix`` and a dot."""
    return {f"{prefix}.{name}": array for name, array in state.items()}


def part_of_state(prefix: object, state: Mapping[str, NDArray[Any]]) -> State:
    """Return the part of a state that `nest_state` stored with a prefix."""
    start = f"{prefix}."
    return {name.removeprefix(start): array for name, array in state.items() if name.startswith(start)}
