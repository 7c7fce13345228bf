"""Recognise text that is no UTF-8, and say how to read it."""

import shlex
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path

from isoalign.errors import FormatError

__all__ = ["decode_text", "describe_encoding", "guess_encoding", "refuse_utf16"]

_KANA = ("\u3040", "\u30ff")
_IDEOGRAPHS = ("\u4e00", "\u9fff")
_LEAST, _MOST = 4, 1 << 16  # bytes that are looked at


def guess_encoding(data: bytes | bytearray) -> str | None:
    r"""Name the encoding that text which is no UTF-8 seems to have; None for UTF-8 and for what is no text.

    >>> guess_encoding("caf\xe9 noir".encode("latin-1")), guess_encoding("猫".encode("utf-16"))
    ('latin-1', 'utf-16')
    """
    head = data[:_MOST].rpartition(b"\n")[0] or data[:_MOST]
    if head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in head:
        even, odd = head[::2].count(0), head[1::2].count(0)
        if len(head) < _LEAST or 2 * max(even, odd) < len(head) // 2:
            return None
        return "utf-16-le" if odd > even else "utf-16-be"
    try:
        head.decode()
    except UnicodeDecodeError:
        return _guess_east_asian(head) or ("cp1252" if any(0x80 <= byte <= 0x9F for byte in head) else "latin-1")
    return None


def _guess_east_asian(head: bytes | bytearray) -> str | None:
    """Name the encoding of Chinese or Japanese text: nearly all that is not ASCII must become kana or ideographs."""
    for codec in ("gb2312", "shift_jis"):
        foreign = [char for char in head.decode(codec, errors="replace") if char > "\x7f"]
        kana, ideographs = (sum(low <= char <= high for char in foreign) for low, high in (_KANA, _IDEOGRAPHS))
        if kana + ideographs > 0.9 * len(foreign):
            if codec == "gb2312":  # the rows of kana are those of EUC-JP
                return "euc_jp" if 20 * kana > len(foreign) else "gb18030"
            if 5 * kana > len(foreign):  # accents before plain letters become ideographs only
                return codec
    return None


def describe_encoding(data: bytes | bytearray, path: Path) -> str:
    """Say which encoding a file seems to have and what to do about it; nothing if it seems to have none."""
    encoding = guess_encoding(data)
    if encoding is None:
        return ""
    name = {"latin-1": "Latin-1", "cp1252": "Windows-1252"}.get(encoding, encoding.upper())
    iconv = f"iconv -f {encoding.upper()} -t UTF-8 {shlex.quote(str(path))} > utf-8.txt"
    return f" The file looks like {name}: read it with encoding={encoding!r}, or convert it: {iconv}"


def decode_text(data: bytes | bytearray, encoding: str, path: Path) -> bytes:
    """Return text in another encoding as UTF-8."""
    try:
        return data.decode(encoding).removeprefix("\ufeff").encode()
    except LookupError:
        raise FormatError(f"{path}: Python knows no encoding {encoding!r}. Try utf-8, utf-16 or latin-1.") from None
    except UnicodeError as error:
        raise FormatError(f"{path}: is no text in {encoding} ({error}).{describe_encoding(data, path)}") from None


def refuse_utf16(data: bytes, path: Path) -> None:
    """Refuse text whose first bytes are the mark of UTF-16."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        convert = f"iconv -f UTF-16 -t UTF-8 {shlex.quote(str(path))} > utf-8.txt"
        raise FormatError(f"{path}: is text in UTF-16. Convert it to UTF-8: {convert}")
