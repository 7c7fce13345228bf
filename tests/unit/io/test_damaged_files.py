"""Every binary reader meets random bytes and damaged files with one of our errors, and reserves no memory for lies."""

import gzip
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoalign.errors import IsoalignError
from isoalign.io import _fasttext, _native, _numpy, _word2vec
from isoalign.io._stream import collect, stream_embeddings
from vector_files import FASTTEXT, made_up, memory_stays_below, write


def valid_files():
    """Return for each kind of file its reader, its name, and its bytes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(_word2vec, made_up(10), folder / "x.bin")
        write(_numpy, made_up(10), folder / "x.npy")
        native = folder / "native"
        native.mkdir()
        _native.write_stream(stream_embeddings(made_up(10)), native, named=native)
        files = {
            "word2vec": (_word2vec, "x.bin", (folder / "x.bin").read_bytes()),
            "numpy": (_numpy, "x.npy", (folder / "x.npy").read_bytes()),
        }
        for part in native.iterdir():
            files[f"native {part.name}"] = (_native, part.name, part.read_bytes())
    for name in ("skipgram.bin", "supervised.bin", "pruned.ftz", "qout.ftz"):
        files[name] = (_fasttext, name, (FASTTEXT / name).read_bytes())
    return files


FILES = valid_files()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Give a folder in which everything but the damaged file is whole: word list, other parts of a native folder."""
    path = tmp_path_factory.mktemp("damaged")
    write(_numpy, made_up(10), path / "x.npy")
    _native.write_stream(stream_embeddings(made_up(10)), path, named=path)
    return path


def read_or_refuse(folder, kind, data, on_bad="error"):
    """Read a file whose bytes are ``data``; anything but one of our errors fails the test."""
    module, name, whole = FILES[kind]
    (folder / name).write_bytes(data)
    try:
        vectors = collect(module.open_stream(folder if module is _native else folder / name, on_bad=on_bad))
        assert len(vectors.index_to_key) == len(vectors.vectors)
        if vectors.subwords is not None:
            vectors.subwords.vector("unseen")
    except IsoalignError as error:
        assert "\n" not in str(error)  # noqa: PT017  (both outcomes are right)
    finally:
        (folder / name).write_bytes(whole)


def overwrite(data, place, patch):
    place %= len(data)
    return data[:place] + patch + data[place + len(patch) :]


few = settings(max_examples=20)  # of each kind and damage; 1,500 were tried once
on_bad = st.sampled_from(["error", "skip"])
numbers = st.integers(-(2**63), 2**63 - 1) | st.sampled_from([-1, 0, 1, 255, 2**31 - 1, 2**40])
patches = st.binary(min_size=1, max_size=4) | numbers.map(lambda number: number.to_bytes(8, "little", signed=True))


@pytest.mark.parametrize("kind", FILES)
@few
@given(data=st.binary(max_size=200), on_bad=on_bad)
def test_random_bytes(folder, kind, data, on_bad):
    read_or_refuse(folder, kind, data, on_bad)


@pytest.mark.parametrize("kind", FILES)
@few
@given(place=st.integers(0, 10**6), on_bad=on_bad)
def test_a_file_cut_off(folder, kind, place, on_bad):
    data = FILES[kind][2]
    read_or_refuse(folder, kind, data[: place % len(data)], on_bad)


@pytest.mark.parametrize("kind", FILES)
@few
@given(place=st.integers(0, 127) | st.integers(0, 10**6), patch=patches, on_bad=on_bad)
def test_a_file_with_some_bytes_changed(folder, kind, place, patch, on_bad):
    data = overwrite(FILES[kind][2], place, patch)
    with memory_stays_below(64 << 20):
        read_or_refuse(folder, kind, data, on_bad)


@pytest.mark.parametrize("kind", [kind for kind, (module, *_) in FILES.items() if module is not _native])
@few
@given(place=st.integers(0, 127), patch=patches)
def test_a_compressed_file_with_some_bytes_changed(folder, kind, place, patch):
    data = overwrite(FILES[kind][2], place, patch)
    with memory_stays_below(64 << 20):
        read_or_refuse(folder, kind, gzip.compress(data, 1))


def test_the_whole_files_are_read(folder):
    for kind, (module, name, data) in FILES.items():
        (folder / name).write_bytes(data)
        vectors = collect(module.open_stream(folder if module is _native else folder / name))
        assert len(vectors) >= 10, kind
        assert np.isfinite(vectors.vectors).all()
