"""Change a few bytes of a valid file in ways that programs tend to miss."""

import random

__all__ = ["mutate"]

_BYTES = b'\x00\x01\x07\x08\t\n\r \x1b"#,-.09:=[]{}\x7f\x80\xbf\xc0\xed\xef\xfe\xff'
_TOKENS = (
    b"nan",
    b"-inf",
    b"1e400",
    b"3e38",
    b"1e20",
    b"1e-46",
    b"-0",
    b"0x1p3",
    b"1_0",
    b"99999999999999999999",
    b"9223372036854775808",
    b"4294967295",
    b"-1",
    b"1" * 400,
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b"\xed\xa0\x80",
    b"\xff\xfe",
    b"PK\x03\x04",
    b"\x1f\x8b\x08",
    b"[" * 3000,
    b" " * 70_000,
    b"w" * 70_000,
    b"null",
    b"true",
    b"{}",
    b"../",
    b"{lang.x}",
    b"{lang:999999999}",
    b"1979-05-27",
    b"\\ud800",
    b"\\u0000",
)
_NUMBERS = (0, 1, -1, 127, 128, 255, 256, 32767, 65535, 2**31 - 1, -(2**31), 2**32 - 1, 2**62, 2**63 - 1, -(2**63))


def mutate(data: bytes, rng: random.Random) -> bytes:
    """Return a copy with one to four random changes."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        rng.choice(_CHANGES)(changed, rng)
    return bytes(changed)


def _place(data: bytearray, rng: random.Random) -> int:
    """Choose a position, half of the time near the beginning, where headers are."""
    size = len(data)
    return rng.randrange(min(size, 64) if rng.random() < 0.5 else size) if size else 0


def _flip_bit(data: bytearray, rng: random.Random) -> None:
    if data:
        data[_place(data, rng)] ^= 1 << rng.randrange(8)


def _set_byte(data: bytearray, rng: random.Random) -> None:
    if data:
        data[_place(data, rng)] = rng.choice(_BYTES)


def _insert_bytes(data: bytearray, rng: random.Random) -> None:
    place = _place(data, rng)
    data[place:place] = bytes(rng.choice(_BYTES) for _ in range(rng.randint(1, 4)))


def _insert_token(data: bytearray, rng: random.Random) -> None:
    place = _place(data, rng)
    data[place:place] = rng.choice(_TOKENS)


def _replace_field(data: bytearray, rng: random.Random) -> None:
    """Replace the text between separators by a token."""
    start = _place(data, rng)
    stop = start
    while start > 0 and data[start - 1] not in b' \t\n,:"[]{}=':
        start -= 1
    while stop < len(data) and data[stop] not in b' \t\n,:"[]{}=':
        stop += 1
    data[start:stop] = rng.choice(_TOKENS)


def _set_number(data: bytearray, rng: random.Random) -> None:
    place, width = _place(data, rng), rng.choice((1, 2, 4, 8))
    number = rng.choice(_NUMBERS) & ((1 << 8 * width) - 1)
    data[place : place + width] = number.to_bytes(width, rng.choice(("little", "big")))


def _delete(data: bytearray, rng: random.Random) -> None:
    place = _place(data, rng)
    del data[place : place + rng.choice((1, 2, 3, 4, 8, 16, 100))]


def _repeat(data: bytearray, rng: random.Random) -> None:
    place = _place(data, rng)
    piece = data[place : place + rng.choice((1, 4, 16, 64))]
    data[place:place] = piece * rng.choice((1, 2, 16, 1000))


def _cut(data: bytearray, rng: random.Random) -> None:
    del data[rng.randrange(len(data) + 1) :]


def _swap(data: bytearray, rng: random.Random) -> None:
    """Exchange two pieces."""
    size = rng.choice((1, 4, 8, 32))
    first, second = sorted((_place(data, rng), _place(data, rng)))
    if first + size <= second:
        data[first : first + size], data[second : second + size] = (
            data[second : second + size],
            data[first : first + size],
        )


_CHANGES = (
    _flip_bit,
    _set_byte,
    _insert_bytes,
    _insert_token,
    _replace_field,
    _set_number,
    _delete,
    _repeat,
    _cut,
    _swap,
)
