"""Kernels: functions on arrays that run as machine code, without the interpreter lock."""

import sys
from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any

from isoalign._core.machine_code import Kinds, MachineCode, argument_kinds, load_code

__all__ = ["SUM_FLAGS", "CompiledFunction", "compiled"]

SUM_FLAGS = {"reassoc", "contract", "nsz"}
"""For ``fastmath``: allow vectorised sums; NaN and infinity keep their meaning."""

Function = Callable[..., Any]

# numba takes 0.3 s to import, and saves 30 µs per call.
_SAVED_CALLS = 10_000


def compiled(*, fastmath: bool | set[str] = False, inline: bool = False) -> "Callable[[Function], CompiledFunction]":
    """Compile a function on arrays to machine code that runs without the interpreter lock.

    The code is compiled at the first call, once per combination of argument types, and cached between processes:
    in ``NUMBA_CACHE_DIR`` if it is set, else in the user's cache folder. If the cache is damaged or cannot be written,
    kernels are compiled again with one warning per process.

    Parameters
    ----------
    fastmath
        Let the compiler reorder floating-point sums; a set names single LLVM flags.
    inline
        Offer the function for inlining into other compiled functions.
    """
    return lambda function: CompiledFunction(function, fastmath=fastmath, inline=inline)


class CompiledFunction:
    """A compiled function.

    numba compiles it, but takes longer to import than many commands run. So until a process needs numba, it runs
    machine code that was saved before, see :mod:`isoalign._core.machine_code`. The results are the same to the bit.
    A kernel that allocates memory always needs numba; commands that should start fast use none.

    Parameters
    ----------
    function
        A function of arrays, numbers, and tuples of them.
    fastmath, inline
        See :func:`compiled`.
    """

    def __init__(self, function: Function, *, fastmath: bool | set[str], inline: bool) -> None:
        update_wrapper(self, function)
        self._function, self._fastmath, self._inline = function, fastmath, inline
        self._saved: dict[Kinds, MachineCode] = {}
        self._saved_calls = _SAVED_CALLS

    def __call__(self, *arguments: Any) -> Any:
        if self._saved_calls > 0:  # several threads may count at once
            self._saved_calls -= 1
            code = self._find_saved(argument_kinds(arguments))
            if code is not None:
                return code(*arguments)
            self._saved_calls = 0
        return self.dispatcher(*arguments)

    def _find_saved(self, kinds: Kinds) -> MachineCode | None:
        code = self._saved.get(kinds)
        if code is None and "numba" not in sys.modules:
            code = load_code(self._function, kinds)
            if code is not None:
                self._saved[kinds] = code
        return code

    @cached_property
    def dispatcher(self) -> Any:
        """The function as numba compiles it; with ``NUMBA_DISABLE_JIT``, the function itself."""
        from isoalign._core.jit import make_dispatcher

        return make_dispatcher(self._function, fastmath=self._fastmath, inline=self._inline)

    def __getattr__(self, name: str) -> Any:
        """Let numba treat a kernel that other kernels call as its own function."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.dispatcher, name)
