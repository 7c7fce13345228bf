"""Open the port and run the application on it."""

import socket
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import uvicorn

from isoalign.errors import ParameterError
from isoalign.web._addresses import LOOPBACK_NAMES, host_name, is_loopback
from isoalign.web._app import make_app
from isoalign.web._limits import LIMITS, Limits
from isoalign.web._models import Model
from isoalign.web._protocol import impatient_protocol

if TYPE_CHECKING:
    from isoalign.drift import Drift

__all__ = ["serve"]


def serve(
    models: Sequence[Model],
    *,
    drift: "Sequence[Drift]" = (),
    host: str = "127.0.0.1",
    port: int = 8017,
    token: str | None = None,
    max_rank: int = 10_000,
    announce: Callable[[str], None] = lambda _url: None,
    access_log: bool = False,
    limits: Limits = LIMITS,
) -> None:
    """Answer requests until interrupted.

    Parameters
    ----------
    models, drift
        As in `make_app`.
    host, port
        Address to listen on; port 0 chooses a free one.
    token
        Required of requests for data, as ``Authorization: Bearer …``.
    max_rank
        Number of most frequent words of each member that induced dictionaries are restricted to.
    announce
        Called with the address of the page once the port is open.
    access_log
        Whether to log every request.
    limits
        Largest sizes of requests.
    """
    name = host_name(host)
    hosts = {*LOOPBACK_NAMES, name} if is_loopback(host) and token is None else None
    app = make_app(models, drift=drift, token=token, hosts=hosts, max_rank=max_rank, limits=limits)
    with _listen(host, port, backlog=limits.connections) as listener:
        config = uvicorn.Config(
            app,
            http=impatient_protocol(limits.patience),
            ws="none",
            log_config=None,
            access_log=access_log,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=2
            * limits.connections,  # the application itself rejects requests, as JSON, above half of that
            timeout_keep_alive=5,
            timeout_graceful_shutdown=2,
        )
        announce(f"http://{name}:{listener.getsockname()[1]}/" + (f"#token={token}" if token else ""))
        uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int, *, backlog: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=backlog)
    except OSError as error:
        raise ParameterError(
            f"Cannot listen on {host} port {port}: {error.strerror or error}. Choose another with --host and --port; "
            "--port 0 chooses a free one."
        ) from None
