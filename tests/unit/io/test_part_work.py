"""Outputs that are written part by part: one process at a time, and errors that name the output."""

import errno
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import isoalign as ia
from isoalign._core.executor import InProcess
from isoalign.errors import FileAccessError
from isoalign.io import _part_work, _parts, hold_parts
from isoalign.io._atomic import readable_failures
from isoalign.normalization import normalize_file

BUSY = r"^out: another process is writing it\.$"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Work in a folder with three parts."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_parts, "PART_ROWS", 20)
    vectors = np.random.default_rng(0).standard_normal((60, 4)).astype(np.float32)
    ia.write_vectors(ia.Embeddings([f"w{row}" for row in range(60)], vectors), "in.parts")
    return tmp_path


def normalize(**options):
    return normalize_file("in.parts", "out", "unit,center", executor=InProcess(), **options)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_two_cannot_write_the_same_output(here):
    refused = []

    def disturb(what, done, total):
        with ThreadPoolExecutor(1) as second, pytest.raises(FileAccessError, match=BUSY) as error:
            second.submit(normalize).result()
        refused.append(error)

    normalize(progress=disturb)
    assert len(refused) > 3  # while the parts are measured too
    assert names(here) == ["in.parts", "out"]
    normalize(overwrite=True)
    assert names(here) == ["in.parts", "out"]


def test_the_output_is_free_when_the_process_that_writes_it_is_killed(here):
    code = (
        "import sys; from pathlib import Path; from isoalign.io import hold_parts\n"
        "with hold_parts(Path('out'), overwrite=False): print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(FileAccessError, match=BUSY):
            normalize()
        other.kill()
    normalize()
    assert names(here) == ["in.parts", "out"]


def test_an_output_that_ends_before_its_first_part_leaves_nothing(here):
    with hold_parts(Path("out"), overwrite=False):
        assert names(here) == [".out.partial", "in.parts"]
    assert names(here) == ["in.parts"]


def test_a_full_disk_is_an_error_of_the_output_and_finished_parts_are_kept(here, monkeypatch):
    write = _part_work.write_vectors

    def fill_up(stream, path, **options):
        if path.name != "part-00002":
            return write(stream, path, **options)
        with readable_failures(path):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(_part_work, "write_vectors", fill_up)
    with pytest.raises(FileAccessError) as error:
        normalize()
    rest = "Finished parts are kept; the same command continues."
    assert str(error.value) == f"out: cannot write: No space left on device. {rest}"
    assert names(here / ".out.partial") == ["part-00000", "part-00001"]
    monkeypatch.setattr(_part_work, "write_vectors", write)
    normalize()
    assert names(here) == ["in.parts", "out"]
