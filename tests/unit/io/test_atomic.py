import os
import stat
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest

from isoalign.errors import FileAccessError, OutputExistsError
from isoalign.io import _atomic, check_readable, recover_folder
from isoalign.io._atomic import replacing_file, replacing_folder, spool_folder
from isoalign.io._exchange import exchange
from vector_files import unprivileged  # noqa: F401  (a fixture)

DESCRIPTION = b'{\n "kind": "isoalign-test"\n}\n'


def contents(folder):
    return {str(entry.relative_to(folder)): entry.is_dir() or entry.read_bytes() for entry in folder.rglob("*")}


def write_file(path, data=b"new", **options):
    with replacing_file(path, **options) as temporary:
        temporary.write_bytes(data)


def write_folder(path, data=b"new", **options):
    with replacing_folder(path, **options) as temporary:
        (temporary / "inner").mkdir()
        (temporary / "inner" / "data.safetensors").write_bytes(data)
        (temporary / "about.json").write_bytes(DESCRIPTION)


def test_a_file_appears_whole_at_the_end(tmp_path):
    with replacing_file(tmp_path / "x") as temporary:
        temporary.write_bytes(b"new")
        assert temporary.parent == tmp_path
        assert not (tmp_path / "x").exists()
    assert contents(tmp_path) == {"x": b"new"}


def test_a_folder_appears_whole_at_the_end(tmp_path):
    write_folder(tmp_path / "x", b"old")
    write_folder(tmp_path / "x", b"new")
    inside = {"x/inner": True, "x/inner/data.safetensors": b"new", "x/about.json": DESCRIPTION}
    assert contents(tmp_path) == {"x": True, **inside}


@pytest.mark.parametrize("name", ["notes.txt", "config.json", "folder.json/x"])
def test_a_folder_of_somebody_elses_files_is_never_replaced(tmp_path, name):
    (tmp_path / "x" / name).parent.mkdir(parents=True)
    (tmp_path / "x" / name).write_text('{"kind": "something"}')
    before = contents(tmp_path)
    with pytest.raises(OutputExistsError, match="contains files that isoalign did not write"):
        write_folder(tmp_path / "x")
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", ["notes.txt", "inner/notes", "inner/deep/x.vec"])
def test_a_folder_of_ours_with_somebody_elses_file_in_it_is_not_replaced(tmp_path, name):
    write_folder(tmp_path / "x")
    (tmp_path / "x" / name).parent.mkdir(exist_ok=True)
    (tmp_path / "x" / name).write_text("mine")
    before = contents(tmp_path)
    with pytest.raises(OutputExistsError, match="contains files that isoalign did not write"):
        write_folder(tmp_path / "x")
    assert contents(tmp_path) == before


@pytest.mark.parametrize("can_exchange", [True, False])
def test_a_folder_is_replaced_with_and_without_an_exchange_of_names(tmp_path, monkeypatch, can_exchange):
    if not can_exchange:
        monkeypatch.setattr(_atomic, "exchange", lambda *_: False)
    write_folder(tmp_path / "x", b"old")
    write_folder(tmp_path / "x", b"new")
    assert (tmp_path / "x" / "inner" / "data.safetensors").read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [tmp_path / "x"]


def test_an_exchange_changes_both_names(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "was").write_text(name)
    if not exchange(tmp_path / "a", tmp_path / "b"):
        pytest.skip("this system cannot exchange two names")
    assert [(tmp_path / name / "was").read_text() for name in ("a", "b")] == ["b", "a"]
    with pytest.raises(FileNotFoundError):
        exchange(tmp_path / "a", tmp_path / "missing")


@pytest.mark.parametrize("suffix", [".part", ".spool", ".old"])
@pytest.mark.parametrize("write", [write_file, write_folder])
def test_the_next_run_removes_what_a_killed_one_left(tmp_path, write, suffix):
    left = tmp_path / f".x.abcdefg8{suffix}"
    left.mkdir()
    (left / "x").write_bytes(b"half")
    (tmp_path / "x.vec").write_bytes(b"mine")
    foreign = [tmp_path / name for name in (".x.part", ".x.vec.abcdefg8.part", ".x.abcdefg8.partial", "y.part")]
    for file in foreign:
        file.write_bytes(b"mine")
    write(tmp_path / "x") if suffix != ".old" else write_file(tmp_path / "x")
    assert not left.exists()
    assert all(file.exists() for file in foreign)


def test_what_a_living_process_writes_is_no_left_over(tmp_path):
    with replacing_file(tmp_path / "x") as temporary:
        temporary.write_bytes(b"first")
        write_file(tmp_path / "x", b"second")
        assert temporary.exists()
    assert contents(tmp_path) == {"x": b"first"}


@pytest.mark.parametrize("write", [write_file, write_folder])
def test_files_and_folders_are_forced_to_the_disk_before_and_after_the_name(tmp_path, monkeypatch, write):
    synced = []
    monkeypatch.setattr(_atomic.os, "fsync", lambda handle: synced.append(Path(f"/proc/self/fd/{handle}").readlink()))
    write(tmp_path / "x")
    assert synced[-1] == tmp_path
    if write is write_folder:
        parts = {"." if path.suffix == ".part" else path.name for path in synced[:-1]}
        assert parts == {"inner", "data.safetensors", "about.json", "."}
    else:
        assert [path.suffix for path in synced[:-1]] == [".part"]


def test_an_empty_folder_is_filled(tmp_path):
    (tmp_path / "x").mkdir()
    write_folder(tmp_path / "x")
    assert (tmp_path / "x" / "inner").is_dir()


@pytest.mark.parametrize("name", ["x" * 250, "y"])
def test_a_spool_lies_beside_the_output(tmp_path, name):
    with spool_folder(beside=tmp_path / name) as folder:
        assert folder.parent == tmp_path
    assert contents(tmp_path) == {}


def test_nothing_is_spooled_beside_a_device():
    with spool_folder(beside=Path("/dev/null")) as folder:
        assert folder.parent == Path(tempfile.gettempdir())


@pytest.mark.parametrize("failure", [ValueError, OSError, KeyboardInterrupt])
@pytest.mark.parametrize("write", [write_file, write_folder])
@pytest.mark.parametrize("exists", [True, False])
def test_a_failure_in_the_middle_leaves_the_old_and_no_temporary(tmp_path, write, failure, exists):
    if exists:
        write(tmp_path / "x", b"old")
    before = contents(tmp_path)
    replacing = replacing_file if write is write_file else replacing_folder

    def fail():
        with replacing(tmp_path / "x") as temporary:
            (temporary if temporary.is_file() else temporary / "part").write_bytes(b"half")
            raise failure

    with pytest.raises(FileAccessError if failure is OSError else failure):
        fail()
    assert contents(tmp_path) == before


def test_a_folder_that_cannot_take_its_place_leaves_the_old_one(tmp_path, monkeypatch):
    write_folder(tmp_path / "x", b"old")
    before = contents(tmp_path)
    replace = _atomic.Path.replace

    def refuse_the_new_one(self, target):
        if self.suffix == ".part":
            raise PermissionError(13, "Permission denied")
        return replace(self, target)

    monkeypatch.setattr(_atomic, "exchange", lambda *_: False)
    monkeypatch.setattr(_atomic.Path, "replace", refuse_the_new_one)
    with pytest.raises(FileAccessError, match=r"x: cannot write: Permission denied. Nothing was changed."):
        write_folder(tmp_path / "x")
    assert contents(tmp_path) == before


def test_an_old_folder_that_cannot_go_back_to_its_place_is_not_lost(tmp_path, monkeypatch):
    write_folder(tmp_path / "x", b"old")
    before = contents(tmp_path / "x")
    replace = _atomic.Path.replace

    def only_move_aside(self, target):
        if target.parent.suffix != ".old":
            raise PermissionError(13, "Permission denied")
        return replace(self, target)

    monkeypatch.setattr(_atomic, "exchange", lambda *_: False)
    monkeypatch.setattr(_atomic.Path, "replace", only_move_aside)
    with pytest.raises(FileAccessError, match="cannot write: Permission denied"):
        write_folder(tmp_path / "x")
    (aside,) = tmp_path.glob(".x.*.old")
    assert contents(aside / "x") == before
    monkeypatch.undo()
    recover_folder(tmp_path / "x")  # as every reader of folders does
    assert contents(tmp_path / "x") == before
    assert not list(tmp_path.glob(".x.*"))


@pytest.mark.parametrize("write", [write_file, write_folder])
def test_an_existing_output_is_kept_unless_allowed(tmp_path, write):
    write(tmp_path / "x", b"old")
    with pytest.raises(OutputExistsError, match=r"exists already.*overwrite=True"):
        write(tmp_path / "x", overwrite=False)
    write(tmp_path / "y", overwrite=False)
    assert (tmp_path / "y").exists()


def test_the_wrong_kind_of_place_is_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(FileAccessError, match=r"is a folder. Give a file"):
        write_file(tmp_path / "folder")
    with pytest.raises(FileAccessError, match=r"is a file. Give a folder"):
        write_folder(tmp_path / "file")
    with pytest.raises(FileAccessError, match="there is no folder"):
        write_file(tmp_path / "missing" / "x")
    with pytest.raises(FileAccessError, match="cannot write: Not a directory"):
        write_file(tmp_path / "file" / "x")


def test_permissions_are_those_of_a_new_file_or_of_the_old_one(tmp_path):
    mask = os.umask(0o027)
    try:
        write_file(tmp_path / "x")
        write_folder(tmp_path / "y")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "y").stat().st_mode) == 0o750
    (tmp_path / "x").chmod(0o600)
    write_file(tmp_path / "x", b"newer")
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o600


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_file(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_the_longest_names_work(tmp_path):
    write_file(tmp_path / ("ж" * 127))
    write_folder(tmp_path / ("x" * 255))
    assert len(list(tmp_path.iterdir())) == 2


def test_a_device_is_written_directly_and_stays_a_device():
    write_file("/dev/null", overwrite=False)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)  # noqa: PTH116
    with pytest.raises(FileAccessError, match="/dev/full: cannot write: No space left on device"):
        write_file("/dev/full")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)  # noqa: PTH116


@pytest.mark.parametrize("write", [write_file, write_folder])
def test_a_forbidden_folder_is_an_error_in_one_line(tmp_path, write, request):
    tmp_path.chmod(0o500)
    request.getfixturevalue("unprivileged")
    with pytest.raises(FileAccessError, match=r"^/\S*x: cannot write: Permission denied. Nothing was changed.$"):
        write(tmp_path / "x")


def test_a_full_disk_leaves_the_old_file_and_no_temporary(tmp_path):
    (tmp_path / "x").write_bytes(b"old")
    program = textwrap.dedent("""
        import resource, signal, sys
        import numpy as np
        from pathlib import Path
        from isoalign import Embeddings
        from isoalign.errors import FileAccessError
        from isoalign.io import _native, _word2vec
        from isoalign.io._atomic import replacing_file, replacing_folder
        from isoalign.io._stream import stream_embeddings

        vectors = Embeddings(map(str, range(5000)), np.ones((5000, 10), dtype=np.float32))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        for module, replacing, name in ((_word2vec, replacing_file, "x"), (_native, replacing_folder, "y")):
            path = Path(sys.argv[1]) / name
            try:
                with replacing(path) as temporary:
                    module.write_stream(stream_embeddings(vectors), temporary, named=path)
            except FileAccessError as error:
                print(error)
    """)
    # No compiled code can be cached under that limit either.
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "NUMBA_CACHE_DIR": str(tmp_path.parent / "unused")}
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.split("\n")[:-1] == [
        f"{tmp_path / name}: cannot write: File too large. Nothing was changed." for name in ("x", "y")
    ]
    assert contents(tmp_path) == {"x": b"old"}


def test_a_name_with_a_nul_character_is_refused_in_one_line(tmp_path):
    with pytest.raises(FileAccessError, match="must not contain a NUL character"), replacing_file(tmp_path / "a\0b"):
        pass
    with pytest.raises(FileAccessError, match="must not contain a NUL character"):
        check_readable(tmp_path / "a\0b")
