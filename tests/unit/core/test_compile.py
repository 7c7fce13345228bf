"""The cache of compiled kernels: kept where the user says, and never in the way."""

import os
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import numpy as np
import pytest

from isoalign._core import jit
from isoalign._core.compile import compiled
from isoalign._core.optional import hide_modules
from isoalign.errors import IsoalignWarning

MEASURE_A_ROW = """
import numba, numpy as np
before = numba.core.config.CACHE_DIR
from isoalign._core.arrays import row_lengths
print(row_lengths(np.array([[3, 4]], dtype=np.float32)).tolist())
assert numba.core.config.CACHE_DIR == before
"""


def double(x):
    return 2 * x


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """Compile one function again and again, as new processes would, with its cache in a folder of the test."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(jit, "_warned", jit.Event())
    return lambda: compiled()(double)


def measure_a_row(folder):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    return subprocess.run([sys.executable, "-c", MEASURE_A_ROW], capture_output=True, text=True, env=environment)


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_compiled_code_is_kept_and_found_again(kernel, tmp_path):
    assert kernel()(21) == 42
    assert {path.suffix for path in files(tmp_path)} == {".nbc", ".nbi", ".code"}
    second = kernel()
    assert second(21) == 42
    assert sum(second.stats.cache_hits.values()) == 1


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("kept", [0, 1, 40, -1], ids=["empty", "one byte", "forty bytes", "all but one byte"])
def test_a_damaged_file_costs_one_warning_and_is_replaced(kernel, tmp_path, suffix, kept):
    kernel()(21)
    (file,) = tmp_path.rglob(f"*{suffix}")
    whole = file.read_bytes()
    file.write_bytes(whole[:kept])
    with pytest.warns(IsoalignWarning, match="cache of compiled kernels is damaged") as caught:
        assert [kernel()(21), kernel()(21)] == [42, 42]
    assert len(caught) == 1
    healed = kernel()
    assert healed(21) == 42
    assert sum(healed.stats.cache_hits.values()) == 1


def test_a_missing_code_file_is_compiled_again_in_silence(kernel, tmp_path):
    kernel()(21)
    for file in tmp_path.rglob("*.nbc"):
        file.unlink()
    assert kernel()(21) == 42
    assert list(tmp_path.rglob("*.nbc"))


def test_a_full_disk_under_the_cache_costs_one_warning(kernel, tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr("numba.core.caching.IndexDataCacheFile._save_data", refuse)
        with pytest.warns(IsoalignWarning, match="No space left on device") as caught:
            assert [kernel()(21), kernel()(21.5)] == [42, 43]
    assert len(caught) == 1
    assert not list(tmp_path.rglob("*.nbi"))  # an index without its code could lead to code of an older version
    assert kernel()(21) == 42
    assert len(files(tmp_path)) == 3


def test_kernels_work_where_no_folder_can_be_written_to(kernel, monkeypatch):
    monkeypatch.setattr("numba.core.caching.CompileResultCacheImpl._locator_classes", [])
    with pytest.warns(IsoalignWarning, match="No folder is writable") as caught:
        assert [kernel()(21), kernel()(21)] == [42, 42]
    assert len(caught) == 1


def test_kernels_work_without_compilation(kernel, monkeypatch):
    monkeypatch.setattr(jit.config, "DISABLE_JIT", True)
    assert kernel().dispatcher is double
    assert kernel()(21) == 42


@pytest.mark.slow  # compiles twice, and starts three processes
def test_a_process_survives_a_cache_of_empty_files_and_the_next_one_is_silent(tmp_path):
    assert measure_a_row(tmp_path).stdout == "[5.0]\n"
    for file in files(tmp_path):
        file.write_bytes(b"")
    damaged, healed = measure_a_row(tmp_path), measure_a_row(tmp_path)
    assert (damaged.returncode, damaged.stdout) == (0, "[5.0]\n")
    assert damaged.stderr.count("IsoalignWarning") == 1
    assert (healed.stdout, healed.stderr) == ("[5.0]\n", "")


def test_a_read_only_cache_is_used_but_not_written(kernel, tmp_path):
    kernel()(np.float64(21))
    before = files(tmp_path)
    folders = [path for path in tmp_path.rglob("*") if path.is_dir()]
    for folder in folders:
        folder.chmod(0o500)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", IsoalignWarning)  # where the superuser runs tests, all can be written
            assert kernel()(np.float32(21)) == 42
    finally:
        for folder in folders:
            folder.chmod(0o700)
    assert set(before) <= set(files(tmp_path))


def test_a_hidden_module_is_missing_until_it_is_shown_again():
    sys.modules.pop("this", None)
    with hide_modules("this"), pytest.raises(ModuleNotFoundError, match="No module named 'this'"):
        import this
    with hide_modules("this"), ThreadPoolExecutor(1) as pool:
        assert pool.submit(import_module, "this").result().__name__ == "this"
    with hide_modules("this"):
        import this  # noqa: F401  (what is imported is not hidden)
