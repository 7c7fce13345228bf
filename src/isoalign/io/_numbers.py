"""Parse and print float32 numbers exactly, in compiled code.

Reading gives the float32 nearest to the decimal number, not the float32 nearest to its nearest float64: where double
arithmetic cannot tell, the number is handed back to exact, slower code. Printing gives the shortest decimal that
reads back as the same float32. Positions are unsigned because numba then leaves out the test for negative indices,
which makes parsing three times faster.
"""

import re
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from isoalign._compile import compiled

__all__ = ["NUMBER_BYTES", "exact_float32", "exact_float64", "format_number", "is_number", "parse_number"]

NUMBER_BYTES = 20
"""No number that `format_number` prints is longer."""

_0, _1, _9, _10, _19, _48 = (np.uint64(number) for number in (0, 1, 9, 10, 19, 48))
_POWERS: NDArray[np.float64] = np.array([float(f"1e{k}") for k in range(65)])
_LARGEST = 3.4028234e38
_MANTISSA_BITS, _TAIL_BITS = 52, 29  # of a float64: all, and those that a float32 has no room for
_FIRST_NORMAL, _MOST_LOST = 897, 26  # exponent bits of 2**-126; below, a float32 loses one more bit for every power
_UNSURE = 4  # more than the rounding errors of parse_number, in units of a float64's last place
_PLAIN = re.compile(rb"[-+.0-9eE ]*")  # of these characters, float() makes a number of nothing that is none
_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(nan|inf(inity)?)", re.IGNORECASE)
# By the exponent bits of a float32: half its last place, and the power of ten that scales it to nine or ten digits.
_HALF_GAPS: NDArray[np.float64] = np.array([2.0 ** (max(biased, 1) - 151) for biased in range(256)])
_SCALES: NDArray[np.int64] = np.array([8 - int(np.floor((max(b, 1) - 127) * np.log10(2))) for b in range(256)])


@compiled()
def parse_number(data, start, bits, exact):  # type: ignore[no-untyped-def]
    """Parse the decimal number at ``data[start]``; something that is no digit must follow it.

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
        The first byte behind the number, or 0 where this function cannot vouch for the value.
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
    if exponent < -64:  # 19 digits times 1e-65 is nearer to zero than to the smallest float32
        return (-0.0 if negative else 0.0), i
    value = np.float64(mantissa)
    value = value / _POWERS[np.uint64(-exponent)] if exponent < 0 else value * _POWERS[np.uint64(exponent)]
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
    """Tell whether a positive float64, given by its bits, may lie on either side of a midpoint of two float32."""
    lost = _TAIL_BITS + min(max(_FIRST_NORMAL - (pattern >> _MANTISSA_BITS), 0), _MOST_LOST)
    mantissa = (pattern & ((1 << _MANTISSA_BITS) - 1)) | (1 << _MANTISSA_BITS)
    return abs((mantissa & ((1 << lost) - 1)) - (1 << (lost - 1))) <= _UNSURE


@compiled()
def _leading_digits(data, first, stop):  # type: ignore[no-untyped-def]
    """Return the first 19 digits that count, and the power of ten that belongs to them."""
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
    """Tell whether a token is a decimal number, NaN or infinity."""
    return _NUMBER.fullmatch(token) is not None


def exact_float64(tokens: Sequence[bytes]) -> NDArray[np.float64]:
    """Return the float64 nearest to each of some decimal numbers of any length.

    Raises
    ------
    ValueError
        If a token is no number.
    """
    if not _PLAIN.fullmatch(b" ".join(tokens)) and not all(map(is_number, tokens)):
        raise ValueError("a token is no number")
    return np.array([float(token) for token in tokens])


def exact_float32(tokens: Sequence[bytes]) -> NDArray[np.float32]:
    """Return the float32 nearest to each of some decimal numbers of any length, ties to even.

    Raises
    ------
    ValueError
        If a token is no number.
    """
    nearest = exact_float64(tokens)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        singles = nearest.astype(np.float32)
        # Rounding twice goes wrong only when the float64 lies halfway between two float32 but the number does not.
        away = np.nextafter(singles, np.where(nearest > singles, np.inf, -np.inf).astype(np.float32))
        halfway = np.isfinite(away) & (abs(nearest - singles) == abs(away.astype(np.float64) - nearest))
    for place in np.flatnonzero(halfway).tolist():
        distance = Fraction(tokens[place].decode()) - Fraction(nearest[place])
        if distance:
            nearer = max if distance > 0 else min
            singles[place] = nearer(singles[place], away[place])
    return singles


@compiled()
def format_number(value, out, at, bits):  # type: ignore[no-untyped-def]
    """Print a finite float32 at ``out[at]`` so that it reads back as the same bits, and return where it ends.

    The number is scaled to nine digits; then digits are dropped as long as the rest still lies inside the interval
    that rounds to the number. No decimal of six digits or fewer is missed that way: rounding to six finds it.

    Parameters
    ----------
    at
        Unsigned position with `NUMBER_BYTES` of room behind it.
    bits
        Scratch: the same four bytes as float32 (1,) and int32 (1,).
    """
    bits[0][0] = value
    pattern = bits[1][0]
    if pattern < 0:
        out[at] = 45
        at += _1
    magnitude = np.float64(abs(value))
    if magnitude == 0.0:
        out[at] = 48
        return at + _1
    biased = np.uint64((pattern >> 23) & 0xFF)
    scale = _SCALES[biased]
    scaled = _scale(magnitude, scale)
    while scaled < 1e8:  # a subnormal number
        scale += 1
        scaled = _scale(magnitude, scale)
    if scaled >= 1e9:
        scale -= 1
        scaled = _scale(magnitude, scale)
    reach = _scale(_HALF_GAPS[biased], scale)
    if pattern & 0x7FFFFF == 0 and biased > _1:
        reach /= 2  # below a power of two the numbers lie twice as close
    reach -= 1e-5  # more than the errors of scaling
    number, length = np.uint64(scaled * 1e-3 + 0.5), 6
    if abs(np.float64(number) * 1e3 - scaled) < reach:
        while number % _10 == _0:
            number //= _10
            length -= 1
        if length < 1:  # all nines, rounded up to the next power of ten
            length, scale = 1, scale - 1
    else:
        number, length = np.uint64(scaled * 1e-2 + 0.5), 7
        if abs(np.float64(number) * 1e2 - scaled) >= reach:
            number, length = np.uint64(scaled * 1e-1 + 0.5), 8
            if abs(np.float64(number) * 1e1 - scaled) >= reach:
                number, length = np.uint64(scaled + 0.5), 9
    point = 9 - scale  # digits before the decimal point
    if -4 <= point <= 0:
        out[at] = 48
        out[at + _1] = 46
        at += np.uint64(2)
        for _ in range(-point):
            out[at] = 48
            at += _1
        return _print_digits(number, length, out, at)
    if 0 < point <= 9:
        return _print_split(number, length, point, out, at)
    at = _print_split(number, length, 1, out, at)
    return _print_exponent(point - 1, out, at)


@compiled()
def _scale(value, scale):  # type: ignore[no-untyped-def]
    return value * _POWERS[np.uint64(scale)] if scale >= 0 else value / _POWERS[np.uint64(-scale)]


@compiled()
def _print_digits(number, length, out, at):  # type: ignore[no-untyped-def]
    stop = at + np.uint64(length)
    i = stop
    while i > at:
        i -= _1
        out[i] = _48 + number % _10
        number //= _10
    return stop


@compiled()
def _print_split(number, length, point, out, at):  # type: ignore[no-untyped-def]
    """Print a number with ``point`` digits before the decimal point."""
    for _ in range(point - length):
        number *= _10
        length += 1
    if point == length:
        return _print_digits(number, length, out, at)
    stop = _print_digits(number, length, out, at + _1)
    for _ in range(point):
        out[at] = out[at + _1]
        at += _1
    out[at] = 46
    return stop


@compiled()
def _print_exponent(exponent, out, at):  # type: ignore[no-untyped-def]
    out[at] = 101
    at += _1
    if exponent < 0:
        out[at] = 45
        at += _1
    size = np.uint64(abs(exponent))
    return _print_digits(size, 2 if size > _9 else 1, out, at)
