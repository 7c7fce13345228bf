"""Random choice of the entries of a product that are kept: a function of a key and two rows, not a stream.

So only the few entries that could be chosen are evaluated, no matrix of random numbers is needed, and neither tiles nor
threads change a choice.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.compile import compiled
from isoalign._core.types import IntVector

__all__ = ["CoinKeys", "flip_coin", "is_kept", "keep_limit", "row_keys"]

CoinKeys = NDArray[np.uint64]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)


def row_keys(seed: int, iteration: int, direction: int, n: int) -> CoinKeys:
    """Return the key of every row, (n,), from which the random numbers of its entries are computed."""
    key = _GOLDEN
    for part in (seed, iteration, direction):
        key = _mix(np.array([(int(key) ^ part) & 0xFFFFFFFFFFFFFFFF], dtype=np.uint64))[0]
    return _mix(key ^ np.arange(n, dtype=np.uint64))


def _mix(values: CoinKeys) -> CoinKeys:
    """Scramble 64-bit numbers: the output function of the generator SplitMix64."""
    with np.errstate(over="ignore"):
        values = values + _GOLDEN
        values = (values ^ (values >> _SHIFTS[0])) * _FIRST
        values = (values ^ (values >> _SHIFTS[1])) * _SECOND
    mixed: CoinKeys = values ^ (values >> _SHIFTS[2])
    return mixed


def is_kept(keys: CoinKeys, columns: IntVector, keep: float) -> NDArray[np.bool_]:
    """Return whether entries are kept, given the keys of their rows and their columns; both broadcast."""
    with np.errstate(over="ignore"):
        coins = _mix(keys + columns.astype(np.uint64) * _GOLDEN)
    kept: NDArray[np.bool_] = coins <= keep_limit(keep)
    return kept


def keep_limit(keep: float) -> np.uint64:
    """Return the largest random number for which an entry is kept."""
    return np.uint64(min(int(keep * 2.0**64), 2**64 - 1))


@compiled(inline=True)
def flip_coin(key: Any, column: Any) -> Any:
    """Return the random number of an entry: `_mix` of the key of its row and its column, compiled."""
    value = key + np.uint64(column) * _GOLDEN + _GOLDEN
    value = (value ^ (value >> _SHIFTS[0])) * _FIRST
    value = (value ^ (value >> _SHIFTS[1])) * _SECOND
    return value ^ (value >> _SHIFTS[2])
