"""Check host, token and size of every request, and add the security headers to every answer."""

import asyncio
import hmac
import re
from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from isoalign.web._api import error_response
from isoalign.web._limits import LIMITS, Limits

__all__ = ["Guard"]

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:]*)(?::[0-9]*)?")
_HEADERS = [
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"cache-control", b"no-store"),
]


class Guard:
    """Guard an application.

    Parameters
    ----------
    app
        The application.
    token
        Required of requests for data, as ``Authorization: Bearer …``; the files of the page hold no data.
    hosts
        Accepted host names, so that no other web site can reach the server through a host name that resolves to it;
        None for any.
    limits
        Limits of concurrent requests, of the body, and of the time to send it.
    """

    def __init__(
        self, app: ASGIApp, *, token: str | None, hosts: Iterable[str] | None, limits: Limits = LIMITS
    ) -> None:
        self._app = app
        self._token = None if token is None else f"Bearer {token}".encode()
        self._hosts = None if hosts is None else frozenset(hosts)
        self._limits = limits
        self._active = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        self._active += 1
        try:
            await self._answer(scope, receive, send_with_headers)
        finally:
            self._active -= 1

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        refusal = self._refuse(scope["path"], headers)
        body = b""
        if refusal is None:
            try:
                async with asyncio.timeout(self._limits.patience):
                    body = await _read_body(receive, headers, self._limits.body)
            except TimeoutError:
                refusal = (408, "The request took too long to arrive.")
            except OverflowError:
                refusal = (413, f"The body must be at most {self._limits.body} bytes.")
        if refusal is None:
            await self._app(scope, _replay(body, receive), send)
            return
        response = error_response(*refusal)
        response.headers["Connection"] = "close"  # the rest of a body left unread would look like a request
        await response(scope, receive, send)

    def _refuse(self, path: str, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        """Return status and message for a request that is rejected unread, or None."""
        if self._active > self._limits.connections:
            return 503, "The server is busy. Try again in a second."
        host = headers.get(b"host", b"").decode("latin-1").lower()
        found = _HOST.fullmatch(host)
        if self._hosts is not None and (found is None or found[1] not in self._hosts):
            return 421, "This server answers only to loopback names. Start it with --host for others."
        if self._token is not None and path.startswith("/api/"):
            given = headers.get(b"authorization", b"")
            if not hmac.compare_digest(given, self._token):
                return 401, "This server needs its token: Authorization: Bearer TOKEN."
        return None


async def _read_body(receive: Receive, headers: dict[bytes, bytes], limit: int) -> bytes:
    """Return the whole body, which must not exceed the limit."""
    length = headers.get(b"content-length", b"0")
    if length.isdigit() and int(length) > limit:
        raise OverflowError
    body = bytearray()
    more = True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > limit:
            raise OverflowError
    return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a receiver of a body already read, and then of further messages."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again
