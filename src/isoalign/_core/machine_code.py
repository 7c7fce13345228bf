"""Load machine code that numba compiled in another process, and call it, without importing numba.

numba translates a function of arrays and numbers to a function with C's calling convention,

    int32 f(result *, exception **, arguments …)

to which an array is passed as owner, parent, size, itemsize, data, shape …, strides …, and a tuple as its members.
llvmlite loads it, and ctypes calls it. :mod:`isoalign._core.jit` saves the code, if LLVM's types agree with this.
"""

import ctypes
import json
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from platformdirs import user_cache_path

__all__ = [
    "NEVER_CALLED",
    "NUMBERS",
    "Kinds",
    "MachineCode",
    "argument_kinds",
    "c_types",
    "cache_folder",
    "checksum",
    "find_code",
    "load_code",
    "machine_stamp",
]

Kinds = tuple[Any, ...]
"""What decides which code arguments need: (dtype, ndim, flags) of an array, (class, kinds) of a tuple, or a class."""

NUMBERS: dict[Any, Any] = {
    np.bool_: ctypes.c_bool,
    np.int32: ctypes.c_int32,
    np.int64: ctypes.c_int64,
    np.uint64: ctypes.c_uint64,
    np.float32: ctypes.c_float,
    np.float64: ctypes.c_double,
}
"""The C type of every number that can be passed or returned."""

NEVER_CALLED = "NRT_MemInfo_call_dtor"
"""What numba's code calls after the last owner of an array is gone; the arrays that we pass have no owner."""

_SAME_AS = {bool: np.bool_, int: np.int64, float: np.float64}
_LARGEST = 2**63
_BY_ROWS, _BY_COLUMNS = 0x501, 0x502  # flags of an array: contiguous, aligned, writable
_ARRAY_HEAD = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
_HARMLESS = {"NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS"}  # all other variables may change what numba compiles

_lock = Lock()
_addresses: dict[str, int] = {}  # of functions that are loaded, by symbol


def cache_folder() -> Path:
    """Return the folder of compiled kernels: ``NUMBA_CACHE_DIR`` if it is set, else in the user's cache."""
    return Path(os.environ.get("NUMBA_CACHE_DIR") or user_cache_path("isoalign") / "kernels")


def argument_kinds(arguments: Iterable[Any]) -> Kinds:
    """Return the kinds of arguments."""
    return tuple([_kind(one) for one in arguments])


def _kind(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        flags = argument.flags.num
        return argument.dtype, argument.ndim, flags & (_BY_ROWS if flags & 1 else _BY_COLUMNS)
    kind = type(argument)
    if isinstance(argument, tuple):
        return kind, argument_kinds(argument)
    return "large" if kind is int and not -_LARGEST <= argument < _LARGEST else _SAME_AS.get(kind, kind)


def c_types(kinds: Kinds) -> list[Any] | None:
    """Return the C types of what is passed for arguments, None if they cannot be passed."""
    types: list[Any] = []
    for kind in kinds:
        if not isinstance(kind, tuple):
            types.append(NUMBERS.get(kind))
        elif isinstance(kind[0], np.dtype):
            types += (*_ARRAY_HEAD, *(ctypes.c_int64,) * (2 * kind[1]))
        else:
            types += c_types(kind[1]) or [None]
    return None if None in types else types


def _flatten(arguments: Iterable[Any]) -> list[Any]:
    """Return what is passed for arguments."""
    passed: list[Any] = []
    for one in arguments:
        if isinstance(one, np.ndarray):
            data = one.__array_interface__["data"][0]
            passed += (None, None, one.size, one.itemsize, data, *one.shape, *one.strides)
        elif isinstance(one, tuple):
            passed += _flatten(one)
        else:
            passed.append(one.item() if isinstance(one, np.generic) else one)
    return passed


class MachineCode:
    """A loaded function.

    Parameters
    ----------
    address
        Where its code begins.
    arguments
        C types of what is passed.
    results
        Names of numpy's types: none, one for a number, several for a tuple.
    """

    def __init__(self, address: int, arguments: list[Any], results: list[str]) -> None:
        self._call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *arguments)(address)
        self._fields = [(f"result{place}", NUMBERS[np.dtype(name).type]) for place, name in enumerate(results)]
        self._results: Any = type("Results", (ctypes.Structure,), {"_fields_": self._fields or [("", ctypes.c_void_p)]})

    def __call__(self, *arguments: Any) -> Any:
        results, problem = self._results(), ctypes.c_void_p()
        if self._call(ctypes.addressof(results), ctypes.addressof(problem), *_flatten(arguments)):
            raise RuntimeError("A compiled kernel failed.")
        values = tuple([getattr(results, name) for name, _ in self._fields])
        return values if len(values) > 1 else values[0] if values else None


def find_code(function: Callable[..., Any], kinds: Kinds) -> Path | None:
    """Return the file of a function's code, None if code for such arguments cannot be saved."""
    if c_types(kinds) is None or not _HARMLESS.issuperset(name for name in os.environ if name.startswith("NUMBA_")):
        return None
    digest = blake2b(_spell(kinds).encode(), digest_size=8).hexdigest()
    return cache_folder() / "code" / f"{function.__module__}.{function.__qualname__}-{digest}.code"


def _spell(kind: Any) -> str:
    """Return a text that is the same in every process."""
    if isinstance(kind, tuple):
        return f"({','.join(map(_spell, kind))})"
    return kind.__qualname__ if isinstance(kind, type) else kind.str if isinstance(kind, np.dtype) else str(kind)


def load_code(function: Callable[..., Any], kinds: Kinds) -> MachineCode | None:
    """Return the saved code of a function, None if there is none for its source and this machine.

    Parameters
    ----------
    function
        The Python function.
    kinds
        The kinds of its arguments.
    """
    path, arguments = find_code(function, kinds), c_types(kinds)
    if path is None or arguments is None:
        return None
    try:
        expected, head, code = path.read_bytes().split(b"\n", 2)
        description = json.loads(head)
        if expected != checksum(head, code) or description["stamp"] != machine_stamp(function):
            return None
    except (OSError, ValueError):
        return None
    with _lock:
        is_linked = description["symbol"] in _addresses or _link(code, description["symbol"], description["needs"])
    return MachineCode(_addresses[description["symbol"]], arguments, description["results"]) if is_linked else None


def checksum(head: bytes, code: bytes) -> bytes:
    """Return the first line of a file: damaged code must not run."""
    return blake2b(head + code, digest_size=16).hexdigest().encode()


def machine_stamp(function: Callable[..., Any]) -> list[Any]:
    """Return what must not have changed since code was compiled: the source, numba, LLVM and the processor."""
    source = Path(function.__code__.co_filename).stat()
    return [source.st_mtime_ns, source.st_size, function.__code__.co_firstlineno, *_compiler_stamp()]


@cache
def _compiler_stamp() -> list[Any]:
    import llvmlite
    import llvmlite.binding as llvm

    found = find_spec("numba")
    if found is None or found.origin is None:
        raise FileNotFoundError("numba")
    numba = Path(found.origin).stat()
    processor = [sys.platform, llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()]
    return [numba.st_mtime_ns, numba.st_size, llvmlite.__version__, *processor]


def _link(code: bytes, symbol: str, needs: list[str]) -> bool:
    """Load object code and return whether the process has all that it calls."""
    import llvmlite.binding as llvm

    engine = _make_engine()
    if any(llvm.address_of_symbol(name) is None for name in needs):
        return False
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _addresses[symbol] = engine.get_function_address(symbol)
    return True


@cache
def _make_engine() -> Any:
    import llvmlite.binding as llvm

    with suppress(RuntimeError):  # newer versions need no initialisation and raise this
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    if llvm.address_of_symbol(NEVER_CALLED) is None:
        llvm.add_symbol(NEVER_CALLED, ctypes.cast(ctypes.pythonapi.Py_FatalError, ctypes.c_void_p).value)
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True, codemodel="jitdefault")
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
