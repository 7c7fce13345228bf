"""Save machine code that numba has compiled for processes that do not import numba."""

import ctypes
import json
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from isoalign._core.machine_code import (
    NEVER_CALLED,
    NUMBERS,
    Kinds,
    c_types,
    checksum,
    find_code,
    machine_stamp,
)

__all__ = ["save_code"]

_LLVM_NAMES = {
    ctypes.c_void_p: "ptr",
    ctypes.c_bool: "i8",
    ctypes.c_int32: "i32",
    ctypes.c_int64: "i64",
    ctypes.c_uint64: "i64",
    ctypes.c_float: "float",
    ctypes.c_double: "double",
}
_LAYOUTS = {"C": 0x1, "F": 0x2, "A": 0x0}  # and further flags of numpy
_ALIGNED, _WRITABLE = 0x100, 0x400
_WRAPPERS = ("_ZN7cpython", "cfunc.")  # functions that the interpreter calls
_OF_NUMBA = re.compile(rf"(?!{NEVER_CALLED}$)(NRT_|numba_|_?Py)")
_NAME = r'@"?([\w.$]+)"?'


def save_code(function: Callable[..., Any], compiled: Any) -> None:
    """Save machine code, if it can run without numba and is not saved yet.

    Parameters
    ----------
    function
        The Python function.
    compiled
        numba's result for one combination of argument types.
    """
    with suppress(OSError, _NeedsNumbaError):  # then the next process imports numba
        kinds = _kinds(compiled.signature.args)
        path, stamp = find_code(function, kinds), machine_stamp(function)
        if path is None or _is_current(path, stamp):
            return
        code, description = _extract(compiled, kinds)
        head = json.dumps({"stamp": stamp, **description}).encode()
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(f".{os.getpid()}")
        temporary.write_bytes(b"\n".join([checksum(head, code), head, code]))
        temporary.replace(path)


class _NeedsNumbaError(Exception):
    """The code cannot run without numba."""


def _kinds(types: Any) -> Kinds:
    """Return what `argument_kinds` returns for arguments of numba's types."""
    return tuple([_kind(one) for one in types])


def _kind(numba_type: Any) -> Any:
    from numba import types

    if isinstance(numba_type, types.Array):
        flags = _LAYOUTS[numba_type.layout] | _ALIGNED * numba_type.aligned | _WRITABLE * numba_type.mutable
        return _dtype(numba_type.dtype), numba_type.ndim, flags
    if isinstance(numba_type, types.BaseTuple):
        return getattr(numba_type, "instance_class", tuple), _kinds(numba_type)
    return _dtype(numba_type).type


def _dtype(numba_type: Any) -> np.dtype[Any]:
    from numba.core.errors import NumbaNotImplementedError
    from numba.np.numpy_support import as_dtype

    try:
        dtype: np.dtype[Any] = as_dtype(numba_type)
    except NumbaNotImplementedError:
        raise _NeedsNumbaError from None
    return dtype


def _is_current(path: Path, stamp: list[Any]) -> bool:
    try:
        with path.open("rb") as file:
            file.readline()
            return bool(json.loads(file.readline())["stamp"] == stamp)
    except (FileNotFoundError, ValueError, KeyError):
        return False


def _extract(compiled: Any, kinds: Kinds) -> tuple[bytes, dict[str, Any]]:
    """Return object code and its description."""
    from numba.core.compiler_lock import global_compiler_lock

    symbol, library = compiled.fndesc.llvm_func_name, compiled.library
    results = _results(compiled.signature.return_type)
    with global_compiler_lock:
        module = library._get_module_for_linking().clone()
        for one in module.functions:
            if one.name.startswith(_WRAPPERS):
                one.linkage = "available_externally"  # that is, leave it out
            elif not one.is_declaration:
                one.linkage = "internal"  # code of other processes may give another function the same name
        entry = module.get_function(symbol)
        entry.linkage = "external"
        needs = _needed_symbols(str(module))
        expected = ["ptr", "ptr", *(_LLVM_NAMES[one] for one in c_types(kinds) or ())]
        if any(map(_OF_NUMBA.match, needs)) or [str(one.type) for one in entry.arguments] != expected:
            raise _NeedsNumbaError
        return library.codegen._tm.emit_object(module), {"symbol": symbol, "results": results, "needs": needs}


def _results(returned: Any) -> list[str]:
    from numba import types

    if returned is types.none:
        return []
    members: Any = returned if isinstance(returned, types.BaseTuple) else [returned]
    dtypes = [_dtype(one) for one in members]
    if any(dtype.type not in NUMBERS for dtype in dtypes) or isinstance(
        returned, types.NamedTuple | types.NamedUniTuple
    ):
        raise _NeedsNumbaError
    return [dtype.name for dtype in dtypes]


def _needed_symbols(text: str) -> list[str]:
    """Return the names that a module, printed in LLVM's language, uses and does not define."""
    defined = re.findall(rf"^{_NAME} = |^define .*?{_NAME}\(", text, re.MULTILINE)
    functions = re.findall(r"^define (?!available_externally).*?^}", text, re.MULTILINE | re.DOTALL)
    used = {name for function in functions for name in re.findall(_NAME, function)}
    return sorted(name for name in used.difference(*defined) if not name.startswith("llvm."))
