"""Options and connections for computing on a Dask cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from isoalign.experiments import Executor

__all__ = ["DaskParts", "DaskSearch", "connect"]

DaskParts = Annotated[
    str | None,
    typer.Option(
        "--dask", metavar="ADDRESS", help="Scheduler (tcp://host:8786), or local: distribute the parts of IN."
    ),
]
DaskSearch = Annotated[
    str | None,
    typer.Option("--dask", metavar="ADDRESS", help="Scheduler (tcp://host:8786), or local: distribute the search."),
]


@contextmanager
def connect(address: str | None) -> Iterator["Executor | None"]:
    """Yield a connection to a Dask scheduler, or to a cluster started on this machine; None without an address."""
    if address is None:
        yield None
        return
    from isoalign._core.threads import thread_count
    from isoalign.experiments import Dask

    with Dask(None if address == "local" else address, jobs=max(thread_count(), 2)) as executor:
        yield executor
