"""Let a worker process end with the process that started it, however that one ends."""

import os
import signal
from multiprocessing import parent_process
from threading import Thread, current_thread, main_thread

__all__ = ["follow_parent"]


def follow_parent() -> None:
    """Leave at once, and in silence, when the parent is gone or Ctrl-C reaches this process too."""
    if current_thread() is main_thread():
        signal.signal(signal.SIGINT, lambda *_: os._exit(128 + signal.SIGINT))
    Thread(target=_wait_for_parent, name="follow-parent", daemon=True).start()


def _wait_for_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()  # waits on a pipe that the system closes, also after SIGKILL
        os._exit(1)
