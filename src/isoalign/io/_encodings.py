"""Recognise text that is not UTF-8, and suggest how to read it."""

import shlex
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path

from isoalign.errors import FormatError

__all__ = ["decode_text", "describe_encoding", "guess_encoding", "refuse_utf16"]

_KANA = ("\u3040", "\u30ff")
_IDEOGRAPHS = ("\u4e00", "\u9fff")
_HANGUL = ("\uac00", "\ud7a3")
_LETTERS = (_KANA, _IDEOGRAPHS, _HANGUL)
# In this order: the characters typical of a codec, their minimum share of the non-ASCII text, and the minimum mean
# number of high bytes per character.
_EAST_ASIAN = (
    ("shift_jis", _KANA, 0.2, 1.0),
    ("euc_jp", _KANA, 0.05, 1.9),
    ("euc_kr", _HANGUL, 0.95, 1.9),
    ("gb18030", (_KANA[0], _IDEOGRAPHS[1]), 0.95, 1.7),
    ("big5", _IDEOGRAPHS, 0.95, 1.4),
)
# Names that iconv knows on all systems, by Python's names.
_ICONV_NAMES = {
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16LE",
    "utf-16-be": "UTF-16BE",
    "latin-1": "ISO-8859-1",
    "cp1252": "CP1252",
    "shift_jis": "SHIFT_JIS",
    "euc_jp": "EUC-JP",
    "euc_kr": "EUC-KR",
    "gb18030": "GB18030",
    "big5": "BIG5",
}
_LEAST_HANGUL = 8  # fewer Chinese characters may all look like Hangul
_LEAST, _MOST = 4, 1 << 16  # bytes examined


def guess_encoding(data: bytes | bytearray) -> str | None:
    r"""Guess the encoding of text that is not UTF-8; None for UTF-8 and for data that is not text.

    >>> guess_encoding("caf\xe9 noir".encode("latin-1")), guess_encoding("猫".encode("utf-16"))
    ('latin-1', 'utf-16')
    """
    whole = data[:_MOST].rpartition(b"\n")[0] or data[:_MOST]  # lines
    head = data if len(data) <= _MOST else whole
    if head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in head:
        even, odd = whole[::2].count(0), whole[1::2].count(0)
        if len(whole) < _LEAST or 2 * max(even, odd) < len(whole) // 2:
            return None
        return "utf-16-le" if odd > even else "utf-16-be"
    try:
        head.decode()
    except UnicodeDecodeError:
        return _guess_east_asian(head) or ("cp1252" if any(0x80 <= byte <= 0x9F for byte in head) else "latin-1")
    return None


def _guess_east_asian(head: bytes | bytearray) -> str | None:
    """Guess the encoding of Chinese, Japanese or Korean text.

    Nearly all non-ASCII bytes must decode to characters of these languages, and enough of them to characters that are
    typical of the codec. Latin-1 seldom has two accents in a row, so most characters must consist of two high bytes,
    except in Shift JIS, where kana are enough.
    """
    n_high = sum(byte > 0x7F for byte in head)
    for codec, (low, high), least, bytes_each in _EAST_ASIAN:
        foreign = [char for char in head.decode(codec, errors="replace") if char > "\x7f"]
        letters = sum(any(first <= char <= last for first, last in _LETTERS) for char in foreign)
        if codec == "euc_kr" and len(foreign) < _LEAST_HANGUL:
            continue
        typical = sum(low <= char <= high for char in foreign)
        if n_high >= bytes_each * len(foreign) > 0 and letters > 0.95 * len(foreign) and typical > least * len(foreign):
            return codec
    return None


def describe_encoding(data: bytes | bytearray, path: Path) -> str:
    """Return a hint on the encoding of a file and what to do about it; empty if the encoding is unclear."""
    encoding = guess_encoding(data)
    if encoding is None:
        return ""
    iconv_name = _ICONV_NAMES[encoding]
    name = {"latin-1": "Latin-1", "cp1252": "Windows-1252", "shift_jis": "Shift JIS"}.get(encoding, iconv_name)
    iconv = f"iconv -f {iconv_name} -t UTF-8 {shlex.quote(str(path))} > utf-8.txt"
    return f" The file looks like {name}: read it with encoding={encoding!r}, or convert it: {iconv}"


def decode_text(data: bytes | bytearray, encoding: str, path: Path) -> bytes:
    """Return text in another encoding as UTF-8."""
    try:
        return data.decode(encoding).removeprefix("\ufeff").encode()
    except LookupError:
        raise FormatError(f"{path}: unknown encoding {encoding!r}. Try utf-8, utf-16 or latin-1.") from None
    except UnicodeError as error:
        raise FormatError(f"{path}: is not text in {encoding} ({error}).{describe_encoding(data, path)}") from None


def refuse_utf16(data: bytes, path: Path) -> None:
    """Raise an error for text that begins with the byte order mark of UTF-16."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        convert = f"iconv -f UTF-16 -t UTF-8 {shlex.quote(str(path))} > utf-8.txt"
        raise FormatError(f"{path}: is UTF-16 text. Convert it to UTF-8: {convert}")
