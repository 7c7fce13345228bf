"""Machine code of kernels runs in processes that do not import numba, with the same results."""

import json
import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest

from isoalign._core import compile as compiling
from isoalign._core import machine_code
from isoalign._core.compile import CompiledFunction, compiled


class Pair(NamedTuple):
    """A tuple of arrays."""

    first: np.ndarray
    second: np.ndarray


def scale(X, factor, offset, out):
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            out[i, j] = X[i, j] * factor + offset


def add_pair(pair, numbers):
    total = 0.0
    for i in range(pair.first.shape[0]):
        total += pair.first[i] * pair.second[i] + numbers[0][i]
    return total, pair.first.shape[0], total > 0


def negate(flag):
    return not flag


def allocate(n):
    return np.zeros(n).sum()


def count_given(values, more):
    return len(values) if more is None else len(values) + len(more)


@pytest.fixture
def run_saved(tmp_path, monkeypatch):
    """Compile a function with numba, then let a kernel run what was saved, as in a process without numba."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    def run(function, *arguments):
        expected = compiled()(function).dispatcher(*arguments)
        with monkeypatch.context() as without_numba:
            without_numba.delitem(sys.modules, "numba")
            kernel = compiled()(function)
            without_numba.setattr(CompiledFunction, "dispatcher", property(lambda _: pytest.fail("numba was needed")))
            result = kernel(*arguments)
        assert result == expected
        return result

    return run


@pytest.mark.parametrize("order", ["C", "F", "A"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_arrays_of_any_layout_are_passed(run_saved, order, dtype):
    X = np.arange(24, dtype=dtype).reshape(4, 6)
    X = {"C": X, "F": np.asfortranarray(X), "A": X[::2, ::3]}[order]
    out = np.zeros(X.shape)
    assert run_saved(scale, X, 2.0, -1, out) is None
    np.testing.assert_array_equal(out, 2.0 * X - 1)


def test_an_array_that_cannot_be_written_to_is_passed(run_saved):
    X, out = np.ones((2, 3), dtype=np.float32), np.zeros((2, 3))
    X.flags.writeable = False
    run_saved(scale, X, np.float32(3), np.int32(1), out)
    np.testing.assert_array_equal(out, 4)


def test_tuples_are_passed_and_returned(run_saved):
    pair = Pair(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    assert run_saved(add_pair, pair, (np.array([5.0, 6.0]), 7)) == (22.0, 2, True)


@pytest.mark.parametrize("flag", [True, np.False_])
def test_truth_values_are_passed_and_returned(run_saved, flag):
    assert run_saved(negate, flag) is (not flag)


def test_the_first_call_saves_code_and_a_process_without_numba_finds_it(tmp_path):
    command = """
import sys, numpy as np
from isoalign._core.arrays import row_lengths
print(row_lengths(np.array([[3, 4]], dtype=np.float32)).tolist(), "numba" in sys.modules)
"""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    environment.pop("NUMBA_DISABLE_JIT", None)

    def run():
        return subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, env=environment).stdout

    assert [run(), run()] == ["[5.0] True\n", "[5.0] False\n"]
    (file,) = tmp_path.glob("code/*.measure_rows-*.code")
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    assert [run(), run()] == ["[5.0] True\n", "[5.0] True\n"]  # a damaged file is not run


@pytest.mark.parametrize(
    ("function", "arguments"),
    [(allocate, (3,)), (count_given, (np.zeros(2), None)), (negate, (2**63,)), (negate, (1 + 2j,))],
    ids=["allocates memory", "None", "large number", "complex number"],
)
def test_what_needs_numba_is_left_to_numba(tmp_path, monkeypatch, function, arguments):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    compiled()(function)(*arguments)
    assert machine_code.load_code(function, machine_code.argument_kinds(arguments)) is None


@pytest.mark.parametrize("change", ["source", "processor", "needs", "variable"])
def test_code_for_another_state_is_not_run(tmp_path, monkeypatch, change):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    kinds = machine_code.argument_kinds((True,))
    compiled()(negate)(True)
    assert machine_code.load_code(negate, kinds) is not None
    (file,) = tmp_path.rglob("*.code")
    _, head, code = file.read_bytes().split(b"\n", 2)
    description = json.loads(head)
    if change == "source":
        description["stamp"][0] += 1
    elif change == "processor":
        description["stamp"][-1] += ",+other"
    elif change == "needs":
        description["needs"].append("no_such_function")
        monkeypatch.setattr(machine_code, "_addresses", {})
    else:
        monkeypatch.setenv("NUMBA_OPT", "0")
    head = json.dumps(description).encode()
    file.write_bytes(b"\n".join([machine_code.checksum(head, code), head, code]))
    assert machine_code.load_code(negate, kinds) is None


@pytest.mark.parametrize("calls", [0, -1], ids=["all used", "counted by two threads at once"])
def test_a_process_that_calls_a_kernel_often_changes_to_numba(tmp_path, monkeypatch, calls):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compiling, "_SAVED_CALLS", 2)
    compiled()(negate)(True)
    with monkeypatch.context() as without_numba:
        without_numba.delitem(sys.modules, "numba")
        kernel = compiled()(negate)
        assert [kernel(True), kernel(True)] == [False, False]
    assert "dispatcher" not in vars(kernel)
    kernel._saved_calls = calls
    assert kernel(True) is False
    assert "dispatcher" in vars(kernel)


LOOPS = "".join(
    f"""
    for i in range(values.shape[0]):
        total = total * {step} % 101 + values[i] // {step}"""
    for step in range(2, 20)
)  # too long to be inlined
KERNELS = f"""
from isoalign._core.compile import compiled

@compiled()
def helper(values, total):{LOOPS}
    return total * 0 + NUMBER

@compiled()
def add_NUMBER(values):
    return helper(values, 1) + helper(values, 2)
"""
CALLS = """
import sys
import numpy as np
from importlib.util import module_from_spec, spec_from_file_location

for number in sys.argv[1:]:
    spec = spec_from_file_location("kernels", f"{number}/kernels.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    print(getattr(module, f"add_{number}")(np.arange(9)), "numba" in sys.modules)
"""


def test_code_of_two_processes_keeps_its_own_helpers_of_the_same_name(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    environment.pop("NUMBA_DISABLE_JIT", None)
    for number in ("1", "2"):
        (tmp_path / number).mkdir()
        (tmp_path / number / "kernels.py").write_text(KERNELS.replace("NUMBER", number), encoding="utf-8")

    def run(*numbers):
        command = [sys.executable, "-c", CALLS, *numbers]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment).stdout

    assert [run("1"), run("2")] == ["2 True\n", "4 True\n"]
    assert run("1", "2") == "2 False\n4 False\n"
