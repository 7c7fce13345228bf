"""HTTP requests for a file, or for the rest of a partially downloaded file that may have changed since."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from importlib import metadata
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from isoalign.errors import DownloadError

__all__ = ["InterruptedTransferError", "Transfer", "open_transfer"]

_CHUNK_BYTES = 1 << 16
_LONGEST_WAIT = 60
_SLOW_SECONDS, _SLOW_BYTES = 60, 1 << 16  # a server that sends less in a minute is too slow
_MOST_BYTES = 16 << 30  # for a file of unknown length
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
    """A failure that may not recur at the next attempt.

    Attributes
    ----------
    wait
        Seconds that the server asks to wait, or None.
    """

    def __init__(self, trouble: str, *, wait: int | None = None) -> None:
        super().__init__(trouble)
        self.wait = wait


@dataclass(frozen=True)
class Transfer:
    """The response of a server.

    Attributes
    ----------
    chunks
        Bytes as they arrive. Iterating raises `InterruptedTransferError` if the connection breaks.
    start
        Offset of the first byte in the file: the requested one, or 0 if the server sends the whole file.
    total
        Length of the whole file, or None if the server does not send it.
    version
        Validator that distinguishes versions of the file, or None if the server sends none.
    ends
        Whether its end can be distinguished from a broken connection.
    """

    chunks: Iterator[bytes]
    start: int
    total: int | None
    version: str | None
    ends: bool = True


@contextmanager
def open_transfer(url: str, *, start: int = 0, version: str | None = None, timeout: float = 30) -> Iterator[Transfer]:
    """Request a file from byte ``start`` on.

    Parameters
    ----------
    url
        Address of the file.
    start, version
        Number of bytes already downloaded, and the version they belong to. The server sends the rest if its file is
        still that version, otherwise the whole file. If it sends another range, the whole file is requested.
    timeout
        Seconds without data after which the connection counts as broken.
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
        ends = total is not None or response.chunked is True
        yield Transfer(_read_chunks(response, total), start, total, _version(response.headers), ends)


class _UnfitRangeError(InterruptedTransferError):
    """The server cannot resume a partial file, or sends a range that was not requested."""


def _ask(url: str, timeout: float, start: int = 0, version: str | None = None) -> HTTPResponse:
    """Return a response with status 200, or with status 206 and exactly the bytes of that version from ``start``."""
    headers = {"Accept-Encoding": "identity", "User-Agent": f"isoalign/{metadata.version('isoalign')}"}
    if start and version:
        headers |= {"Range": f"bytes={start}-", "If-Range": version}
    try:
        response: HTTPResponse = build_opener(_SafeRedirects).open(Request(url, headers=headers), timeout=timeout)
    except DownloadError:
        raise  # raised by a redirect
    except HTTPError as error:
        error.close()
        raise _explain(url, error) from None
    except URLError as error:
        raise InterruptedTransferError(f"cannot connect ({error.reason})") from error
    except (OSError, HTTPException) as error:
        raise InterruptedTransferError(f"the connection broke ({error!r})") from error
    if response.status == HTTPStatus.PARTIAL_CONTENT and not (
        _whole_length(response.headers, start) is not None and _version(response.headers) == version
    ):
        response.close()
        raise _UnfitRangeError("the server sends another part of the file than we asked for")
    if response.headers.get_content_type() == "text/html":
        response.close()
        raise DownloadError(f"{url}: received a web page instead of the file. Does the network require a login?")
    encoding = response.headers.get("Content-Encoding", "identity").lower()
    if encoding != "identity" and not url.endswith(
        ".gz"
    ):  # some servers announce the compression of the file itself in this way
        response.close()
        raise DownloadError(
            f"{url}: the server sends the file compressed ({encoding}), although this was not requested."
        )
    return response


class _SafeRedirects(HTTPRedirectHandler):
    """Follow redirects, but never from https to http, or to another protocol."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> Request | None:
        """Return the request for the new address."""
        before, after = urlsplit(req.full_url).scheme, urlsplit(newurl).scheme
        if after not in ("http", "https") or (before, after) == ("https", "http"):
            raise DownloadError(
                f"{req.full_url}: the server redirects from {before} to {after} ({newurl[:200]}), which is refused: "
                "anybody on the network could change the file."
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _explain(url: str, error: HTTPError) -> Exception:
    if error.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
        return _UnfitRangeError("the server's file is shorter than our part of it")
    if error.code in _PASSING:
        wait = _number(error.headers.get("Retry-After"))
        trouble = f"the server answers {error.code} {error.reason}"
        return InterruptedTransferError(trouble, wait=wait and min(wait, _LONGEST_WAIT))
    if 300 <= error.code < 400 and "not allowed" in str(error.reason):
        return DownloadError(f"{url}: the server redirects to an address that is neither http nor https.")
    if 300 <= error.code < 400:
        return DownloadError(f"{url}: the server redirects in a loop ({error.code}).")
    return DownloadError(f"{url}: the server answers {error.code} {error.reason}.")


def _read_chunks(response: HTTPResponse, total: int | None) -> Iterator[bytes]:
    size, window_start, window_bytes = 0, time.monotonic(), 0
    while True:
        try:
            chunk = response.read1(_CHUNK_BYTES)
        except (OSError, HTTPException) as error:
            raise InterruptedTransferError(f"the connection broke ({error!r})") from error
        if not chunk:
            return
        size += len(chunk)
        if total is None and size > _MOST_BYTES:
            raise DownloadError(f"The server sends no length and does not stop after {_MOST_BYTES:,} bytes.")
        yield chunk
        window_bytes += len(chunk)
        if (elapsed := time.monotonic() - window_start) > _SLOW_SECONDS:
            if window_bytes < _SLOW_BYTES:
                raise InterruptedTransferError(f"the server sent {window_bytes} bytes in {elapsed:.0f} seconds")
            window_start, window_bytes = time.monotonic(), 0


def _whole_length(headers: Message, start: int) -> int | None:
    """Return the length of the whole file if the response begins at ``start``, otherwise None."""
    found = _CONTENT_RANGE.fullmatch(headers.get("Content-Range", ""))
    return int(found[2]) if found and int(found[1]) == start else None


def _version(headers: Message) -> str | None:
    """Return a validator for ``If-Range``: a strong entity tag, otherwise the date."""
    tag = headers.get("ETag")
    return tag if tag and not tag.startswith("W/") else headers.get("Last-Modified")


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() else None
