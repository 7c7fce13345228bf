import json
from pathlib import Path

import numpy as np
import pytest

import isoalign as ia
from isoalign.errors import FileAccessError, FormatError, MissingFileError, OutputExistsError, ParameterError
from isoalign.io import write_tensors
from planted import planted_embeddings


@pytest.fixture(scope="module")
def pair():
    return planted_embeddings(n=80, dim=6, noise=0.3, n_pairs=40)


@pytest.fixture(scope="module")
def model(pair):
    model = ia.align(*pair, method="vecmap")
    model.compute_means()
    return model


@pytest.fixture
def folder(model, tmp_path):
    model.save(tmp_path / "model")
    return tmp_path / "model"


def test_a_round_trip_keeps_every_bit(model, folder):
    loaded = ia.Alignment.load(folder)
    np.testing.assert_array_equal(loaded.source_map, model.source_map, strict=True)
    np.testing.assert_array_equal(loaded.target_map, model.target_map, strict=True)
    for side in ("source", "target"):
        np.testing.assert_array_equal(loaded.space(side), model.space(side), strict=True)
        np.testing.assert_array_equal(loaded.embeddings(side).vectors, model.embeddings(side).vectors, strict=True)
        assert loaded.embeddings(side).index_to_key == model.embeddings(side).index_to_key
        assert loaded.embeddings(side).lang == model.embeddings(side).lang
        new = np.random.default_rng(0).standard_normal((5, 6)).astype(np.float32)
        np.testing.assert_array_equal(loaded.apply(new, side=side), model.apply(new, side=side), strict=True)
        np.testing.assert_array_equal(getattr(loaded.means, side), getattr(model.means, side), strict=True)
    assert loaded.history == model.history
    assert loaded.provenance == model.provenance
    assert loaded.means.k == 10
    assert repr(loaded) == repr(model)


def test_a_loaded_model_may_be_saved_over_its_own_folder(model, folder):
    ia.Alignment.load(folder).save(folder)
    np.testing.assert_array_equal(ia.Alignment.load(folder).space("source"), model.space("source"))


def test_the_identity_and_other_words_survive(pair, tmp_path):
    source, target, train = pair
    odd = ia.Embeddings(["a b", "\u2028", "\u00a0", *source.index_to_key[3:]], source.vectors)
    model = ia.align(odd, target, train, normalize="unit,center,unit")
    model.save(tmp_path / "m")
    loaded = ia.Alignment.load(tmp_path / "m")
    assert loaded.target_map is None
    assert loaded.source.index_to_key == odd.index_to_key


def test_without_vectors_only_the_maps_are_kept_and_vectors_are_asked_for(model, pair, tmp_path):
    model.save(tmp_path / "m", vectors=False)
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == ["alignment.json", "maps.safetensors"]
    loaded = ia.Alignment.load(tmp_path / "m")
    with pytest.raises(ParameterError, match=r"kept without the source vectors.*pass source="):
        ia.Translator(loaded).translate("s1")
    with pytest.raises(ParameterError, match="pass target="):
        loaded.space("target")
    given = ia.Alignment.load(tmp_path / "m", source=pair[0], target=pair[1])
    np.testing.assert_allclose(given.space("source"), model.space("source"), atol=1e-6)
    assert ia.Translator(given).translate("s1", k=1)[0].word == ia.Translator(model).translate("s1", k=1)[0].word


def test_other_vectors_replace_those_in_the_folder_and_what_was_computed_from_them(model, folder):
    loaded = ia.Alignment.load(folder, source=model.source.head(10))
    assert loaded.space("source").shape == (10, 6)
    assert loaded.means is None
    np.testing.assert_array_equal(loaded.space("target"), model.space("target"))


def test_settings_may_be_numbers_of_numpy(pair, tmp_path):
    normalizer = ia.IterNorm(n_iter=np.int64(3))
    ia.align(*pair, method="rcsls", normalize=normalizer, lr=np.float32(1)).save(tmp_path / "m")
    loaded = ia.Alignment.load(tmp_path / "m")
    assert loaded.normalizer("source").n_iter == 3
    assert loaded.history["selection"]["chosen"]["lr"] == 1


def test_a_file_that_must_not_be_read_is_not_called_damaged(folder, monkeypatch):
    file_open = Path.open

    def refuse_maps(self, *arguments, **options):
        if self.name == "maps.safetensors":
            raise PermissionError(13, "Permission denied")
        return file_open(self, *arguments, **options)

    monkeypatch.setattr(Path, "open", refuse_maps)
    with pytest.raises(FileAccessError, match=r"maps.safetensors: cannot read: Permission denied. Check its"):
        ia.Alignment.load(folder)


def test_means_may_be_left_out(model, tmp_path):
    model.save(tmp_path / "m", means=False)
    assert ia.Alignment.load(tmp_path / "m").means is None


def test_an_existing_folder_is_replaced_only_when_allowed_and_as_a_whole(model, folder, monkeypatch):
    before = (folder / "alignment.json").read_bytes()
    with pytest.raises(OutputExistsError):
        model.save(folder, overwrite=False)

    def fail(*_, **__):
        raise OSError("disk full")

    monkeypatch.setattr("isoalign.alignment._saving.write_native", fail)
    with pytest.raises(OSError, match="Nothing was changed"):
        model.save(folder)
    assert (folder / "alignment.json").read_bytes() == before
    assert ia.Alignment.load(folder).space("source").shape == (80, 6)
    assert [path.name for path in folder.parent.iterdir()] == ["model"]


FILES = [
    "alignment.json",
    "maps.safetensors",
    "spaces.safetensors",
    "means.safetensors",
    "source/vectors.safetensors",
    "target/vocabulary.safetensors",
    "target/metadata.json",
]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "noise"])
def test_a_damaged_file_is_a_format_error_of_one_line(folder, name, damage):
    file = folder / name
    content = file.read_bytes()
    file.unlink()
    if damage != "missing":
        file.write_bytes({"empty": b"", "cut": content[: len(content) // 2], "noise": b"\xff{" * 50}[damage])
    with pytest.raises(FormatError) as caught:
        ia.Alignment.load(folder)
    assert "\n" not in str(caught.value)
    assert str(folder) in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "isoalign-embeddings"}, "not the description of an alignment"),
        ({"version": 2}, "version 2; this isoalign reads version 1"),
        ({"normalizers": []}, "damaged alignment"),
        ({"normalizers": [1, 2]}, "damaged alignment"),
        ({"normalizers": [{"name": "magic", "settings": {}}] * 2}, "normalization must be one of"),
        ({"normalizers": [{"name": "center", "settings": {}}] * 2}, "must hold mean_"),
        ({"history": 3}, "of the wrong kind"),
        ({"provenance": None}, "of the wrong kind"),
        ({"means_k": "ten"}, "damaged alignment"),
    ],
)
def test_a_wrong_description_is_a_format_error(folder, change, message):
    about = json.loads((folder / "alignment.json").read_text())
    (folder / "alignment.json").write_text(json.dumps({**about, **change}))
    with pytest.raises(FormatError, match=message):
        ia.Alignment.load(folder)


@pytest.mark.parametrize("key", ["normalizers", "history", "provenance", "vectors", "means_k"])
def test_a_missing_entry_is_a_format_error(folder, key):
    about = json.loads((folder / "alignment.json").read_text())
    del about[key]
    (folder / "alignment.json").write_text(json.dumps(about))
    with pytest.raises(FormatError, match=key):
        ia.Alignment.load(folder)


@pytest.mark.parametrize(
    ("name", "tensors"),
    [
        ("spaces.safetensors", {"source": np.zeros((3, 6), np.float32), "target": np.zeros((80, 6), np.float32)}),
        ("spaces.safetensors", {"source": np.zeros((80, 6), np.float32)}),
        ("spaces.safetensors", {side: np.zeros((80, 6)) for side in ("source", "target")}),
        ("means.safetensors", {side: np.zeros(7, np.float32) for side in ("source", "target")}),
    ],
)
def test_files_that_do_not_belong_together_are_refused(folder, name, tensors):
    write_tensors(folder / name, tensors)
    with pytest.raises(FormatError, match="expected float32"):
        ia.Alignment.load(folder)


def test_maps_of_other_dimensions_are_refused(folder):
    from isoalign.io import map_tensors

    arrays = {name: np.array(array) for name, array in map_tensors(folder / "maps.safetensors").items()}
    for bad in (np.zeros((5, 6)), np.zeros(6), np.full((6, 6), np.nan), np.zeros((6, 6), np.float32)):
        write_tensors(folder / "maps.safetensors", {**arrays, "source_map": bad})
        with pytest.raises(FormatError, match="expected finite maps"):
            ia.Alignment.load(folder)


def test_a_foreign_folder_a_file_and_nothing_are_told_apart(tmp_path):
    with pytest.raises(FormatError, match=r"it has no alignment.json"):
        ia.Alignment.load(tmp_path)
    (tmp_path / "f").write_text("x")
    with pytest.raises(FormatError, match=r"it has no alignment.json"):
        ia.Alignment.load(tmp_path / "f")
    with pytest.raises(MissingFileError, match="no such folder"):
        ia.Alignment.load(tmp_path / "none")
