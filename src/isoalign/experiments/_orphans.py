"""End worker processes when their parent ends, however it ends, and without a word on Ctrl-C."""

import os
import signal
from multiprocessing import parent_process
from threading import Thread, current_thread, main_thread

__all__ = ["dask_setup", "follow_parent"]


def follow_parent() -> None:
    """Exit immediately and silently when the parent has ended, or on Ctrl-C."""
    if current_thread() is main_thread():
        signal.signal(signal.SIGINT, lambda *_: os._exit(128 + signal.SIGINT))
    Thread(target=_wait_for_parent, name="follow-parent", daemon=True).start()


def dask_setup(_worker: object) -> None:
    """Ignore Ctrl-C in a worker of Dask, which calls this when it starts: the parent ends its workers."""
    if current_thread() is main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _wait_for_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()  # waits on a pipe that the system closes, even after SIGKILL
        os._exit(1)
