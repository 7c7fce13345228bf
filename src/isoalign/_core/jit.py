"""Compile functions with numba, and cache the result in the user's cache folder."""

import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

from isoalign._core.export import save_code
from isoalign._core.machine_code import cache_folder
from isoalign._core.optional import hide_modules
from isoalign.errors import IsoalignWarning

# If they are installed, numba imports coverage, in case it measures, scipy, to refuse old versions, and yaml, for
# settings: a fifth of its own import.
with hide_modules("coverage", "scipy", *(() if Path(".numba_config.yaml").exists() else ("yaml",))):
    import numba
    from numba.core import caching as _caching
    from numba.core import config as _config
    from numba.core import runtime as _runtime

__all__ = ["make_dispatcher"]

caching: Any = _caching  # untyped
config: Any = _config  # numba fills this module at run time
runtime: Any = _runtime

Function = Callable[..., Any]

# Before numba loads cached code, it imports everything that compiling needs, including scipy, which takes half a
# second. In the versions that we know, machine code needs only numba's runtime; if there is no cached code, the
# compiler imports the rest.
_LOADS_ALONE = numba.version_info[:2] <= (0, 68)

_warned = Event()


def make_dispatcher(function: Function, *, fastmath: bool | set[str], inline: bool) -> Any:
    """Return a function that numba compiles at its first call; with ``NUMBA_DISABLE_JIT``, the function itself."""
    kernel: Any = numba.njit(
        function, nogil=True, fastmath=fastmath, inline="always" if inline else "never", error_model="numpy"
    )
    if kernel is not function:
        kernel._cache = _make_cache(function)
        kernel._compilation_chain_init_hook = _load_no_extensions
    return kernel


def _load_no_extensions() -> None:
    """Load no extensions of numba from other packages, which takes long with many packages; compiling loads them."""


def _make_cache(function: Function) -> Any:
    before = config.CACHE_DIR
    # numba reads the cache folder when it decorates; restore its setting for the kernels of the host program.
    config.CACHE_DIR = str(cache_folder())
    try:
        return _KernelCache(function)
    except (RuntimeError, OSError) as error:
        return _NoCache(error)
    finally:
        config.CACHE_DIR = before


class _KernelCache(caching.FunctionCache):  # type: ignore[misc]
    """numba's cache of one function; errors of a damaged cache never reach the caller.

    After a failure the index is removed, so that the next save writes index and code again.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return cached code, or None if it has to be compiled."""
        try:
            if not _LOADS_ALONE:
                found = super().load_overload(sig, target_context)
            else:
                runtime.rtsys.initialize(target_context)
                with self._guard_against_spurious_io_errors():
                    found = self._load_overload(sig, target_context)
        except Exception as error:  # noqa: BLE001  (unpickling damaged bytes raises anything)
            self._forget(error)
            return None
        if found is not None:
            save_code(self._py_func, found)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save compiled code, if possible."""
        try:
            super().save_overload(sig, data)
        except Exception as error:  # noqa: BLE001  (a full disk, or an index damaged since it was loaded)
            self._forget(error)
        else:
            save_code(self._py_func, data)

    def _forget(self, error: Exception) -> None:
        with suppress(OSError):
            Path(self._cache_file._index_path).unlink(missing_ok=True)
        _warn_once(f"{self.cache_path}: the cache of compiled kernels is damaged or not writable", error)


class _NoCache(caching.NullCache):  # type: ignore[misc]
    """Replace the cache if no folder is writable."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ARG002
        """Warn that the code will be compiled again in the next process."""
        _warn_once("No folder is writable for the cache of compiled kernels", self._error)


def _warn_once(what: str, error: Exception) -> None:
    if not _warned.is_set():
        _warned.set()
        reason = str(error) or type(error).__name__
        warnings.warn(f"{what} ({reason}). Kernels are compiled again, which takes seconds.", IsoalignWarning, 2)
