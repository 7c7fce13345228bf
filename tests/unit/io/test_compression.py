import bz2
import contextlib
import gzip
import lzma
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoalign.errors import FileAccessError, FormatError, MissingFileError
from isoalign.io import _compression
from isoalign.io._compression import bare_name, check_readable, compression_of, create_binary, map_bytes, open_binary
from vector_files import unprivileged  # noqa: F401  (a fixture)

SUFFIXES = {"": None, ".gz": "gzip", ".bz2": "bz2", ".xz": "xz", ".zst": "zstd"}
PACK = {"gzip": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zstd": _compression.zstd.compress}
DATA = np.random.default_rng(0).bytes(200_000)


def write(path, data=DATA):
    with create_binary(path, named=path) as file:
        file.write(data)


def read(path):
    with open_binary(path) as file:
        return file.read()


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(data=st.binary(max_size=2000).filter(lambda data: not data.startswith((b"\x1f\x8b", b"\x28\xb5", b"\xfd7"))))
def test_what_is_written_is_read_again(tmp_path_factory, suffix, data):
    path = tmp_path_factory.getbasetemp() / f"x.vec{suffix.upper()}"
    write(path, data)
    assert read(path) == data
    np.testing.assert_array_equal(map_bytes(path), np.frombuffer(data, dtype=np.uint8))


@pytest.mark.parametrize(("suffix", "compression"), SUFFIXES.items())
def test_compression_follows_the_final_name_and_is_found_by_content(tmp_path, suffix, compression):
    path = tmp_path / "temporary"
    with create_binary(path, named=f"x.vec{suffix}") as file:
        file.write(DATA)
    assert compression_of(path) == compression
    assert read(path) == DATA
    assert bare_name(f"folder/x.vec{suffix}") == "x.vec"


@pytest.mark.parametrize("data", [b"BZhang 0.1 0.2\n", b"BZh9", b"", b"\x1f\x8b"])
def test_text_that_begins_like_a_compressed_file_is_none(tmp_path, data):
    (tmp_path / "x").write_bytes(data)
    assert read(tmp_path / "x") == data


@pytest.mark.parametrize("compression", PACK)
def test_other_programs_files_are_read(tmp_path, compression):
    path = tmp_path / "x"
    for data in (DATA, b""):
        path.write_bytes(PACK[compression](data))
        assert compression_of(path) == compression
        assert read(path) == data


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_data_make_the_same_bytes_whatever_the_temporary_name(tmp_path, suffix):
    paths = [tmp_path / "one", tmp_path / "two"]
    for path in paths:
        with create_binary(path, named=f"x{suffix}") as file:
            file.write(DATA)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert b"one" not in paths[0].read_bytes()[:64]
    assert suffix != ".gz" or paths[0].read_bytes()[4:8] == bytes(4)  # no time


@pytest.mark.parametrize("compression", PACK)
@pytest.mark.parametrize("share", [0.1, 0.5, 0.999])
@pytest.mark.parametrize("use", [read, map_bytes])
def test_a_stream_cut_off_is_refused(tmp_path, compression, share, use):
    path = tmp_path / "x"
    packed = PACK[compression](DATA)
    path.write_bytes(packed[: int(len(packed) * share)])
    with pytest.raises(FormatError, match=f"x: damaged {compression} file"):
        use(path)


@pytest.mark.parametrize("compression", PACK)
@given(place=st.integers(0, 5000), byte=st.integers(0, 255))
def test_damage_anywhere_raises_only_our_errors(tmp_path_factory, compression, place, byte):
    path = tmp_path_factory.getbasetemp() / "damaged"
    packed = bytearray(PACK[compression](b"some data " * 50))
    packed[place % len(packed)] = byte
    path.write_bytes(packed)
    with contextlib.suppress(FormatError):
        read(path)


@pytest.mark.parametrize("use", [read, check_readable, compression_of, map_bytes])
def test_a_missing_file_and_a_folder_are_refused(tmp_path, use):
    with pytest.raises(MissingFileError, match="no such file"):
        use(tmp_path / "missing")
    with pytest.raises(FileAccessError, match="is a folder"):
        use(tmp_path)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileAccessError, match="Not a directory"):
        use(tmp_path / "file" / "x")


@pytest.mark.parametrize("use", [read, check_readable, compression_of, map_bytes])
def test_a_forbidden_file_is_an_error_in_one_line(tmp_path, use, request):
    path = tmp_path / "x"
    path.write_bytes(b"secret")
    path.chmod(0)
    request.getfixturevalue("unprivileged")
    with pytest.raises(FileAccessError, match=r"cannot read: Permission denied. Check its permissions.$"):
        use(path)


def test_a_disk_that_fails_while_reading_is_no_damage(tmp_path):
    (tmp_path / "x").write_bytes(DATA)
    with pytest.raises(FileAccessError, match="x: cannot read: Input/output error"), open_binary(tmp_path / "x"):
        raise OSError(5, "Input/output error")


def test_a_full_temporary_folder_is_an_error_in_one_line(tmp_path, monkeypatch):
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(DATA))
    monkeypatch.setattr(_compression.tempfile, "TemporaryFile", lambda: open("/dev/full", "wb", buffering=0))  # noqa: PTH123, SIM115
    with pytest.raises(
        FileAccessError, match=r"cannot unpack into .*: No space left on device. Decompress it yourself"
    ):
        map_bytes(path)


def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileAccessError, match="pipe: is a pipe or a device"):
        check_readable(tmp_path / "pipe")
