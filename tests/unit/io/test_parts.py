"""Folders of parts: read like one file, written part by part, complete or absent."""

import errno
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import isoalign as ia
from isoalign._core.executor import InProcess
from isoalign.alignment import Alignment, apply_file
from isoalign.errors import FileAccessError, FormatError, IsoalignWarning, OutputExistsError, ParameterError
from isoalign.io import _native, _parts, detect_format, list_parts, open_vectors
from isoalign.normalization import normalize_file

N, DIM = 250, 8


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(_parts, "PART_ROWS", 60)


def sample(keys="words"):
    X = np.random.default_rng(0).standard_normal((N, DIM)).astype(np.float32) + 0.4
    return ia.Embeddings([f"w{row}" for row in range(N)] if keys == "words" else range(10, N + 10), X, lang="en")


@pytest.fixture
def folder(tmp_path):
    ia.write_vectors(sample(), tmp_path / "en.parts")
    return tmp_path / "en.parts"


def write_parquet(folder, *, name="word"):
    folder.mkdir()
    vectors = sample()
    for number, start in enumerate(range(0, N, 90)):
        X = vectors.vectors[start : start + 90]
        lists = pa.FixedSizeListArray.from_arrays(pa.array(X.ravel()), DIM)
        keys = vectors.index_to_key[start : start + 90]
        pq.write_table(pa.table({name: keys, "vec": lists}), folder / f"{number}.parquet")
    return folder


def test_parts_are_native_folders_and_together_one_embedding(folder):
    assert [part.name for part in list_parts(folder)] == [f"part-{number:05d}" for number in range(5)]
    assert len(ia.read_vectors(list_parts(folder)[1])) == 60
    back = ia.read_vectors(folder)
    assert (back.index_to_key, back.lang) == (sample().index_to_key, "en")
    np.testing.assert_array_equal(back.vectors, sample().vectors)
    assert open_vectors(folder).n_rows == N


def test_numbers_that_name_rows_stay_numbers(tmp_path):
    ia.write_vectors(sample("numbers"), tmp_path / "x.parts")
    assert ia.read_vectors(tmp_path / "x.parts").index_to_key == list(range(10, N + 10))


def test_a_folder_of_parquet_files_reads_like_one_file(tmp_path):
    path = write_parquet(tmp_path / "in")
    assert detect_format(path).name == "parts"
    back = ia.read_vectors(path)
    assert back.index_to_key == sample().index_to_key
    np.testing.assert_array_equal(back.vectors, sample().vectors)
    one = ia.read_vectors(path / "1.parquet")
    assert one.index_to_key == sample().index_to_key[90:180]


def test_rows_of_parquet_without_a_column_of_names_are_numbered(tmp_path):
    assert ia.read_vectors(write_parquet(tmp_path / "in", name="note") / "2.parquet").index_to_key == list(range(70))


@pytest.mark.parametrize("damage", [b"PAR1\x15", b"PAR1\x15" + b"x" * 100])
def test_a_damaged_parquet_file_is_named(tmp_path, damage):
    (tmp_path / "x.parquet").write_bytes(damage)
    with pytest.raises(FormatError, match=r"x\.parquet: cannot be read as Parquet"):
        ia.read_vectors(tmp_path / "x.parquet")


def test_parts_of_different_dimension_are_refused(folder):
    ia.write_vectors(ia.Embeddings(["a"], np.ones((1, 3), np.float32)), folder / "part-9")
    with pytest.raises(FormatError, match="part-9: 3 columns, but part-00000 has 8"):
        ia.read_vectors(folder)


def test_an_own_folder_of_parts_may_be_replaced_and_a_strange_one_not(folder, tmp_path):
    ia.write_vectors(sample(), folder, format="parts")
    write_parquet(tmp_path / "theirs")
    with pytest.raises(OutputExistsError, match="did not write"):
        ia.write_vectors(sample(), tmp_path / "theirs", format="parts")


@pytest.mark.parametrize("method", ["iternorm", "unit", "center", "C+L", "whiten", "remove_top", "unit,center,unit"])
@pytest.mark.parametrize("kind", ["native", "parquet"])
def test_sums_over_parts_normalise_like_one_machine(folder, tmp_path, method, kind):
    path = folder if kind == "native" else write_parquet(tmp_path / "in")
    fitted = normalize_file(path, tmp_path / "out", method, executor=InProcess())
    wanted = ia.normalize(sample(), method)
    found = ia.read_vectors(tmp_path / "out")
    np.testing.assert_allclose(found.vectors, wanted.vectors, atol=1e-6)
    assert found.index_to_key == sample().index_to_key
    assert found.metadata["normalization"] == wanted.metadata["normalization"]
    again = fitted.transform(sample().vectors)
    np.testing.assert_allclose(again, wanted.vectors, atol=1e-6)
    assert {part.name for part in list_parts(tmp_path / "out")} == {
        part.stem if kind == "parquet" else part.name for part in list_parts(path)
    }


@pytest.mark.parametrize("settings", [{"n_iter": 1}, {"tol": 1e-6}, {"zero": "keep"}], ids=str)
def test_iterative_normalization_over_parts_learns_the_same(tmp_path, settings):
    vectors = sample()
    vectors.vectors[[3, 200]] = 0
    ia.write_vectors(vectors, tmp_path / "x.parts")
    one = ia.normalization.make_normalizer("iternorm", **settings)
    with pytest.warns(ia.errors.IsoalignWarning, match="2 row"):
        one.fit(vectors.vectors)
    with pytest.warns(ia.errors.IsoalignWarning, match="2 row"):
        parts = normalize_file(tmp_path / "x.parts", tmp_path / "out", "iternorm", executor=InProcess(), **settings)
    np.testing.assert_allclose(parts.means_, one.means_, atol=1e-9)
    np.testing.assert_allclose(parts.history_, one.history_, atol=1e-7)
    assert parts.contraction_ == pytest.approx(one.contraction_, rel=1e-6)
    assert parts.converged_ == one.converged_


def test_what_needs_all_rows_at_once_says_so(folder, tmp_path):
    with pytest.raises(ParameterError, match="SpecNorm learns from all rows at once"):
        normalize_file(folder, tmp_path / "out", "spec_norm", executor=InProcess())
    with pytest.raises(ParameterError, match="limit is not supported for parts"):
        normalize_file(folder, tmp_path / "out", reading={"limit": 3}, executor=InProcess())
    command = f"isoalign convert {folder / 'part-00000'} part-00000.parts"
    with pytest.raises(ParameterError, match=rf"only a folder of parts can be distributed.*{command}$"):
        normalize_file(folder / "part-00000", tmp_path / "out", executor=InProcess())
    with pytest.raises(ParameterError, match=r"is a folder of parts\. Name it out\.parts"):
        normalize_file(folder, tmp_path / "out.vec", "unit", executor=InProcess())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("unit", [True, False])
def test_parts_are_mapped_like_one_file(folder, tmp_path, unit):
    W = np.random.default_rng(1).standard_normal((DIM, 5))
    model = Alignment.from_matrix(W, target_map=np.eye(5), source=sample(), target=None)
    apply_file(model, folder, tmp_path / "whole", unit=unit, format="native")
    apply_file(model, folder, tmp_path / "parts", unit=unit, executor=InProcess())
    whole, parts = (ia.read_vectors(tmp_path / name) for name in ("whole", "parts"))
    np.testing.assert_allclose(parts.vectors, whole.vectors, atol=1e-6)
    assert parts.index_to_key == whole.index_to_key


def test_a_full_disk_is_one_line_and_the_next_attempt_goes_on(folder, tmp_path, monkeypatch):
    wanted = tmp_path / "wanted"
    normalize_file(folder, wanted, executor=InProcess())
    written, append = [], _native.RowWriter.append

    def fill_up(self, rows):
        written.append(rows)
        if len(written) == 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        append(self, rows)

    monkeypatch.setattr(_native.RowWriter, "append", fill_up)
    with pytest.raises(FileAccessError, match="No space left on device"):
        normalize_file(folder, tmp_path / "out", executor=InProcess())
    assert not (tmp_path / "out").exists()
    assert sorted(part.name for part in list_parts(tmp_path / ".out.partial")) == ["part-00000", "part-00001"]
    normalize_file(folder, tmp_path / "out", executor=InProcess())
    assert len(written) == 3 + 3
    for part in list_parts(wanted):
        for file in part.iterdir():
            assert (tmp_path / "out" / part.name / file.name).read_bytes() == file.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["en.parts", "out", "wanted"]


def test_an_existing_output_is_replaced_only_if_allowed(folder, tmp_path):
    normalize_file(folder, tmp_path / "out", "unit", executor=InProcess())
    with pytest.raises(OutputExistsError):
        normalize_file(folder, tmp_path / "out", "center", executor=InProcess())
    normalize_file(folder, tmp_path / "out", "center", executor=InProcess(), overwrite=True)
    assert np.abs(ia.read_vectors(tmp_path / "out").vectors.mean(axis=0)).max() < 1e-6


@pytest.mark.parametrize("file", ["vectors.safetensors", "metadata.json", None])
def test_a_damaged_or_missing_part_is_never_left_out(folder, tmp_path, file):
    part = list_parts(folder)[3]
    if file is None:
        shutil.rmtree(part)
    else:
        (part / file).unlink()
    with pytest.raises(FormatError, match=rf"{part.name}: .*part.*(damaged|missing)|{part.name}: a damaged part"):
        open_vectors(folder)
    with pytest.raises(FormatError, match=part.name):
        normalize_file(folder, tmp_path / "out.parts", executor=InProcess())
    assert not (tmp_path / "out.parts").exists()


def test_an_empty_folder_in_the_place_of_a_part_is_damage(folder):
    part = list_parts(folder)[3]
    shutil.rmtree(part)
    part.mkdir()
    with pytest.raises(FormatError, match=f"{part.name}: a damaged part"):
        open_vectors(folder)


def test_two_kinds_of_parts_in_one_folder_are_refused(folder, tmp_path):
    for file in write_parquet(tmp_path / "pq").iterdir():
        file.rename(folder / file.name)
    with pytest.raises(FormatError, match="native parts and Parquet files"):
        open_vectors(folder)


@pytest.mark.parametrize("kind", ["native", "parquet"])
def test_parts_without_rows_are_left_out(folder, tmp_path, kind):
    if kind == "native":
        ia.write_vectors(
            ia.Embeddings([], np.zeros((0, DIM), dtype=np.float32)), folder / "part-00009", format="native"
        )
    else:
        folder = write_parquet(tmp_path / "pq")
        empty = pq.read_table(folder / "0.parquet").slice(0, 0)
        pq.write_table(empty, folder / "9.parquet")
    assert len(ia.read_vectors(folder)) == N
    normalize_file(folder, tmp_path / "one.parts", executor=InProcess())
    assert len(ia.read_vectors(tmp_path / "one.parts")) == N
    for part in list_parts(folder):
        shutil.rmtree(part) if part.is_dir() else part.unlink()
    (folder / "parts.json").unlink(missing_ok=True)
    with pytest.raises(FormatError, match="contains no rows"):
        open_vectors(folder)


def test_a_part_of_another_dimension_is_named(folder, tmp_path):
    wide = ia.Embeddings(["a", "b"], np.ones((2, DIM + 1), dtype=np.float32))
    ia.write_vectors(wide, folder / "part-00009", format="native")
    with pytest.raises(FormatError, match="part-00009: 9 columns, but part-00000 has 8"):
        normalize_file(folder, tmp_path / "out.parts", executor=InProcess())


def test_bad_rows_of_all_parts_are_counted_once(tmp_path):
    vectors = sample()
    vectors.vectors[[3, 70, 71], 2] = np.nan
    write_damaged(vectors, tmp_path / "x.parts")
    reading = {"on_bad": "skip"}
    with pytest.warns(IsoalignWarning) as seen:
        normalize_file(tmp_path / "x.parts", tmp_path / "out.parts", reading=reading, executor=InProcess())
    assert [str(one.message) for one in seen] == [f"{tmp_path / 'x.parts'}: 3 bad rows were skipped."]
    found = ia.read_vectors(tmp_path / "out.parts")
    assert (len(found), found.metadata["normalization"]["rows"]) == (N - 3, N - 3)


def write_damaged(vectors, folder):
    """Write parts with values that are not finite, which the writer itself refuses."""
    good = np.nan_to_num(vectors.vectors)
    ia.write_vectors(ia.Embeddings(vectors.keys, good), folder)
    for number, part in enumerate(list_parts(folder)):
        mapped = _native.open_native(part, mode="r+").vectors
        mapped[:] = vectors.vectors[60 * number : 60 * number + len(mapped)]
