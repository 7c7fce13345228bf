"""Exchange two folders atomically, if the system supports it."""

import ctypes
import errno
import os
import sys
from pathlib import Path

__all__ = ["exchange"]

_AT_FDCWD = -100
_EXCHANGE = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS
_UNABLE = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}


def exchange(first: Path, second: Path) -> bool:
    """Exchange two existing names on one disk, so that neither is ever missing.

    Returns
    -------
    bool
        False, and nothing is changed, if the system or the file system has no such call.
    """
    names = os.fsencode(first), os.fsencode(second)
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            failed = libc.renamex_np(*names, _EXCHANGE)
        else:
            failed = libc.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _EXCHANGE)
    except (AttributeError, OSError, TypeError):  # no such function, or no C library
        return False
    if not failed:
        return True
    code = ctypes.get_errno()
    if code in _UNABLE:
        return False
    raise OSError(code, os.strerror(code), str(second))
