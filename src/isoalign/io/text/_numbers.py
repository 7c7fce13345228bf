"""Parse decimal numbers exactly, in compiled code.

The result is the float32 nearest to the decimal number, not the float32 nearest to its nearest float64: if double
arithmetic cannot decide, the number is passed to exact, slower code. Positions are unsigned because numba then omits
the test for negative indices, which makes parsing three times faster.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from isoalign._core.compile import compiled

__all__ = ["POWERS", "exact_float32", "exact_float64", "is_number", "parse_number"]

POWERS: NDArray[np.float64] = np.array([float(f"1e{k}") for k in range(65)])
"""Powers of ten, from the 0th on."""

_0, _1, _9, _10, _19, _48 = (np.uint64(number) for number in (0, 1, 9, 10, 19, 48))
_LARGEST = 3.4028234e38
_MANTISSA_BITS, _TAIL_BITS = 52, 29  # of a float64: all, and those that a float32 has no room for
_FIRST_NORMAL, _MOST_LOST = 897, 26  # exponent bits of 2**-126; below, a float32 loses one more bit for every power
_UNSURE = 4  # more than the rounding errors of parse_number, in units of a float64's last place
_PLAIN = re.compile(rb"[-+.0-9eE ]*")  # on these characters, float() accepts only decimal numbers
# Possessive quantifiers: otherwise, rejecting n digits would take quadratic time.
_NUMBER = re.compile(rb"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:e[+-]?\d++)?|[+-]?(?:nan|inf(?:inity)?)", re.IGNORECASE)


@compiled()
def parse_number(data, start, bits, exact):  # type: ignore[no-untyped-def]
    """Parse the decimal number at ``data[start]``; it must be followed by something other than a digit.

    Parameters
    ----------
    data
        Bytes.
    start
        Unsigned position.
    bits
        Scratch: the same eight bytes as float64 (1,) and int64 (1,).
    exact
        Whether the float64 itself must be exact, and not only the float32 made from it.

    Returns
    -------
    value
        A float64 whose conversion to float32 is correctly rounded.
    stop
        The first byte after the number, or 0 if this function cannot guarantee the value.
    """
    i = start
    negative = data[i] == 45
    if negative or data[i] == 43:
        i += _1
    first = i
    mantissa, exponent = _0, 0
    digit = np.uint64(data[i]) - _48
    while digit <= _9:
        mantissa = mantissa * _10 + digit
        i += _1
        digit = np.uint64(data[i]) - _48
    n_digits = i - first
    if data[i] == 46:
        i += _1
        point = i
        digit = np.uint64(data[i]) - _48
        while digit <= _9:
            mantissa = mantissa * _10 + digit
            i += _1
            digit = np.uint64(data[i]) - _48
        n_digits += i - point
        exponent = -np.int64(i - point)
    if n_digits == _0:
        return 0.0, _0
    if n_digits > _19:
        mantissa, exponent = _leading_digits(data, first, i)
    if data[i] == 101 or data[i] == 69:
        power, i = _parse_exponent(data, i + _1)
        if i == _0:
            return 0.0, _0
        exponent += power
    if mantissa == _0:
        return (-0.0 if negative else 0.0), i
    if exponent > 64 or (exact and exponent < -64):
        return 0.0, _0
    if exponent < -64:  # 19 digits times 1e-65 is closer to zero than to the smallest float32
        return (-0.0 if negative else 0.0), i
    value = np.float64(mantissa)
    value = value / POWERS[np.uint64(-exponent)] if exponent < 0 else value * POWERS[np.uint64(exponent)]
    if exact:
        if n_digits > _19 or mantissa > np.uint64(1 << 53) or exponent < -22 or exponent > 22:
            return 0.0, _0
    else:
        bits[0][0] = value
        if value > _LARGEST or _is_near_midpoint(bits[1][0]):
            return 0.0, _0
    return (-value if negative else value), i


@compiled(inline=True)
def _is_near_midpoint(pattern):  # type: ignore[no-untyped-def]
    """Return whether a positive float64, given by its bits, may be on either side of a midpoint of two float32."""
    lost = _TAIL_BITS + min(max(_FIRST_NORMAL - (pattern >> _MANTISSA_BITS), 0), _MOST_LOST)
    mantissa = (pattern & ((1 << _MANTISSA_BITS) - 1)) | (1 << _MANTISSA_BITS)
    return abs((mantissa & ((1 << lost) - 1)) - (1 << (lost - 1))) <= _UNSURE


@compiled()
def _leading_digits(data, first, stop):  # type: ignore[no-untyped-def]
    """Return the first 19 significant digits and their power of ten."""
    mantissa, kept, exponent, behind_point = _0, 0, 0, 0
    for i in range(first, stop):
        if data[i] == 46:
            behind_point = 1
        elif kept < 19:
            mantissa = mantissa * _10 + (np.uint64(data[i]) - _48)
            kept += mantissa > _0
            exponent -= behind_point
        else:
            exponent += 1 - behind_point
    return mantissa, exponent


@compiled()
def _parse_exponent(data, i):  # type: ignore[no-untyped-def]
    minus = data[i] == 45
    if minus or data[i] == 43:
        i += _1
    power, first = 0, i
    digit = np.uint64(data[i]) - _48
    while digit <= _9:
        power = min(power * 10 + np.int64(digit), 100_000)
        i += _1
        digit = np.uint64(data[i]) - _48
    return (-power if minus else power), (_0 if i == first else i)


def is_number(token: bytes) -> bool:
    """Return whether a token is a decimal number, NaN or infinity."""
    return _NUMBER.fullmatch(token) is not None


def exact_float64(tokens: Sequence[bytes]) -> NDArray[np.float64]:
    """Return the float64 nearest to each of some decimal numbers of any length.

    Raises
    ------
    ValueError
        If a token is not a number.
    """
    if not _PLAIN.fullmatch(b" ".join(tokens)) and not all(map(is_number, tokens)):
        raise ValueError("a token is not a number")
    return np.array([float(token) for token in tokens])


def exact_float32(tokens: Sequence[bytes]) -> NDArray[np.float32]:
    """Return the float32 nearest to each of some decimal numbers of any length, ties to even.

    Raises
    ------
    ValueError
        If a token is not a number.
    """
    nearest = exact_float64(tokens)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        singles = nearest.astype(np.float32)
        # Rounding twice is wrong only if the float64 is halfway between two float32 but the number is not.
        away = np.nextafter(singles, np.where(nearest > singles, np.inf, -np.inf).astype(np.float32))
        halfway = np.isfinite(away) & (abs(nearest - singles) == abs(away.astype(np.float64) - nearest))
    for place in np.flatnonzero(halfway).tolist():
        distance = Fraction(Decimal(tokens[place].decode())) - Fraction(nearest[place])
        if distance:
            nearer = max if distance > 0 else min
            singles[place] = nearer(singles[place], away[place])
    return singles
