"""Print float32 numbers in compiled code: the shortest decimal that reads back as the same bits.

Positions are unsigned, as in `isoalign.io.text._numbers`.
"""

import numpy as np
from numpy.typing import NDArray

from isoalign._core.compile import compiled
from isoalign.io.text._numbers import POWERS

__all__ = ["NUMBER_BYTES", "format_number"]

NUMBER_BYTES = 20
"""Maximum length of a number printed by `format_number`."""

_0, _1, _9, _10, _48 = (np.uint64(number) for number in (0, 1, 9, 10, 48))
# By the exponent bits of a float32: half its last place, and the power of ten that scales it to nine or ten digits.
_HALF_GAPS: NDArray[np.float64] = np.array([2.0 ** (max(biased, 1) - 151) for biased in range(256)])
_SCALES: NDArray[np.int64] = np.array([8 - int(np.floor((max(b, 1) - 127) * np.log10(2))) for b in range(256)])


@compiled()
def format_number(value, out, at, bits):  # type: ignore[no-untyped-def]
    """Print a finite float32 at ``out[at]`` so that it reads back as the same bits, and return its end.

    The number is scaled to nine digits; then digits are dropped as long as the result is still in the interval that
    rounds to the number. Decimals of six digits or fewer are always found, by rounding to six digits.

    Parameters
    ----------
    at
        Unsigned position, followed by at least `NUMBER_BYTES` bytes.
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
        reach /= 2  # below a power of two, numbers are twice as dense
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
    return value * POWERS[np.uint64(scale)] if scale >= 0 else value / POWERS[np.uint64(-scale)]


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
