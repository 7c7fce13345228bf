"""Compile numeric kernels with numba and keep the machine code in the user's cache folder."""

import os
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numba
from numba.core import config as _config
from platformdirs import user_cache_path

__all__ = ["compiled"]

config: Any = _config  # numba fills this module at run time

Function = Callable[..., Any]


def compiled(*, fastmath: bool | set[str] = False, inline: bool = False) -> Callable[[Function], Function]:
    """Compile a function on arrays to machine code that runs without the interpreter lock.

    The code is compiled at the first call, once per combination of argument types, and cached between processes:
    under ``NUMBA_CACHE_DIR`` where that is set, else in the user's cache folder.

    Parameters
    ----------
    fastmath
        Let the compiler reorder floating-point sums; a set names single LLVM flags.
    inline
        Offer the function for inlining into other compiled functions.
    """
    compile_with: Any = partial(
        numba.njit, nogil=True, fastmath=fastmath, inline="always" if inline else "never", error_model="numpy"
    )

    def compile_function(function: Function) -> Function:
        before = config.CACHE_DIR
        # numba chooses the cache folder while it decorates; put its setting back for the host program's own kernels.
        config.CACHE_DIR = os.environ.get("NUMBA_CACHE_DIR") or str(user_cache_path("isoalign") / "kernels")
        try:
            return cast(Function, compile_with(cache=True)(function))
        except RuntimeError:  # no folder can be written to: everything works, but is compiled in every process
            return cast(Function, compile_with(cache=False)(function))
        finally:
            config.CACHE_DIR = before

    return compile_function
