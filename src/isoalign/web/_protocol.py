"""Disconnect slow clients: uvicorn itself waits forever for the rest of a request and for a slow reader."""

import asyncio
import socket
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["impatient_protocol"]


class _Clock:
    """Abort a connection unless stopped in time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def start(self, transport: asyncio.Transport) -> None:
        """Start, unless running."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, transport.abort)

    def stop(self) -> None:
        """Stop, if running."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _ImpatientProtocol(H11Protocol):
    """HTTP protocol with time limits for sending a request and for reading each part of a response.

    Connections that stay open between two requests are closed by uvicorn's own ``timeout_keep_alive``.
    """

    patience: ClassVar[float]

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._arrival, self._departure = _Clock(self.patience), _Clock(self.patience)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock for the first request, and send answers without waiting for acknowledgements.

        asyncio sets ``TCP_NODELAY`` only if the listening socket was made with an explicit protocol; without it, every
        response is delayed by 40 ms.
        """
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._arrival.start(transport)

    def data_received(self, data: bytes) -> None:
        """Stop the clock once a request is complete, start it when the next one begins."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.more_body and not self.cycle.response_complete:
            self._arrival.stop()
        else:
            self._arrival.start(self.transport)

    def on_response_complete(self) -> None:
        """Stop the clock of a request that was answered before it was complete."""
        self._arrival.stop()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Start the clock for a reader that does not keep up."""
        super().pause_writing()
        self._departure.start(self.transport)

    def resume_writing(self) -> None:
        """Stop the clock: the reader has caught up."""
        self._departure.stop()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop both clocks."""
        self._arrival.stop()
        self._departure.stop()
        super().connection_lost(exc)


def impatient_protocol(patience: float) -> type[H11Protocol]:
    """Return a protocol class for uvicorn with this many seconds of patience."""
    return type("ImpatientProtocol", (_ImpatientProtocol,), {"patience": patience})
