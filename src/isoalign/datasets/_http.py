"""Ask a server for a file, or for the rest of one that may have changed since the first half arrived."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from importlib import metadata
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from isoalign.errors import DownloadError

__all__ = ["InterruptedTransferError", "Transfer", "open_transfer"]

_CHUNK_BYTES = 1 << 16
_LONGEST_WAIT = 60
_PASSING = {
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.INTERNAL_SERVER_ERROR,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
}
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")


class InterruptedTransferError(Exception):
    """A trouble that may have passed when we ask again.

    Attributes
    ----------
    wait
        Seconds that the server asks us to wait, None when it does not say.
    """

    def __init__(self, trouble: str, *, wait: int | None = None) -> None:
        super().__init__(trouble)
        self.wait = wait


@dataclass(frozen=True)
class Transfer:
    """A server's answer.

    Attributes
    ----------
    chunks
        The bytes as they arrive. Reading raises `InterruptedTransferError` when the connection breaks.
    start
        Where in the file they begin: where we asked, or 0 when the server sends all of it.
    total
        Length of the whole file, None when the server does not say.
    version
        What tells this file from a later one of the same address, None when the server names nothing fit for that.
    """

    chunks: Iterator[bytes]
    start: int
    total: int | None
    version: str | None


@contextmanager
def open_transfer(url: str, *, start: int = 0, version: str | None = None, timeout: float = 30) -> Iterator[Transfer]:
    """Ask for a file from byte ``start`` on.

    Parameters
    ----------
    start, version
        How much of the file is here, and of which version. The server sends the rest only if its file still is that
        version, else all of it; an answer that fits neither is not used and the whole file is asked for.
    timeout
        Seconds of silence after which the connection counts as broken.
    """
    try:
        response = _ask(url, timeout, start, version)
    except _UnfitRangeError:
        response = _ask(url, timeout)
    with response:
        if response.status == HTTPStatus.PARTIAL_CONTENT:
            total = _whole_length(response.headers, start)
        else:
            start, total = 0, _number(response.headers.get("Content-Length"))
        yield Transfer(_read_chunks(response), start, total, _version(response.headers))


class _UnfitRangeError(InterruptedTransferError):
    """The server cannot continue our part, or sends one that does not fit it."""


def _ask(url: str, timeout: float, start: int = 0, version: str | None = None) -> HTTPResponse:
    """Return an answer whose status is 200, or 206 with exactly the bytes from ``start`` on of that version."""
    headers = {"Accept-Encoding": "identity", "User-Agent": f"isoalign/{metadata.version('isoalign')}"}
    if start and version:
        headers |= {"Range": f"bytes={start}-", "If-Range": version}
    try:
        response: HTTPResponse = urlopen(Request(url, headers=headers), timeout=timeout)
    except HTTPError as error:
        error.close()
        raise _explain(url, error) from None
    except URLError as error:
        raise InterruptedTransferError(f"cannot connect ({error.reason})") from error
    except (OSError, HTTPException) as error:
        raise InterruptedTransferError(f"the connection broke ({error!r})") from error
    if response.status == HTTPStatus.PARTIAL_CONTENT and not (
        _whole_length(response.headers, start) is not None and _version(response.headers) in (version, None)
    ):
        response.close()
        raise _UnfitRangeError("the server sends another part of the file than we asked for")
    if response.headers.get_content_type() == "text/html":
        response.close()
        raise DownloadError(f"{url}: a web page comes instead of the file. Does the network ask for a login?")
    return response


def _explain(url: str, error: HTTPError) -> Exception:
    if error.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
        return _UnfitRangeError("the server's file is shorter than our part of it")
    if error.code in _PASSING:
        wait = _number(error.headers.get("Retry-After"))
        trouble = f"the server answers {error.code} {error.reason}"
        return InterruptedTransferError(trouble, wait=wait and min(wait, _LONGEST_WAIT))
    if 300 <= error.code < 400:
        return DownloadError(f"{url}: the server sends us in circles ({error.code}).")
    return DownloadError(f"{url}: the server answers {error.code} {error.reason}.")


def _read_chunks(response: HTTPResponse) -> Iterator[bytes]:
    while True:
        try:
            chunk = response.read1(_CHUNK_BYTES)
        except (OSError, HTTPException) as error:
            raise InterruptedTransferError(f"the connection broke ({error!r})") from error
        if not chunk:
            return
        yield chunk


def _whole_length(headers: Message, start: int) -> int | None:
    """Return the whole file's length if the answer begins at ``start``, else None."""
    found = _CONTENT_RANGE.fullmatch(headers.get("Content-Range", ""))
    return int(found[2]) if found and int(found[1]) == start else None


def _version(headers: Message) -> str | None:
    """Return what ``If-Range`` accepts: a strong entity tag, else the date."""
    tag = headers.get("ETag")
    return tag if tag and not tag.startswith("W/") else headers.get("Last-Modified")


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() else None
