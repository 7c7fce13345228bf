import json
from pathlib import Path

import numpy as np
import pytest

import isoalign as ia
from isoalign.errors import FileAccessError, FormatError, MissingFileError, OutputExistsError, ParameterError
from isoalign.io import map_tensors, write_tensors
from isoalign.maps import IdentityMap
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
    assert loaded.names == model.names == ("xx", "yy")
    for name in model:
        np.testing.assert_array_equal(loaded[name].map.matrix, model[name].map.matrix, strict=True)
        np.testing.assert_array_equal(loaded.space(name), model.space(name), strict=True)
        np.testing.assert_array_equal(loaded.raw(name).vectors, model.raw(name).vectors, strict=True)
        assert loaded.raw(name).index_to_key == model.raw(name).index_to_key
        assert loaded.raw(name).lang == model.raw(name).lang
        new = np.random.default_rng(0).standard_normal((5, 6)).astype(np.float32)
        np.testing.assert_array_equal(loaded.apply(new, name), model.apply(new, name), strict=True)
    for pair in (("xx", "yy"), ("yy", "xx")):
        np.testing.assert_array_equal(loaded.means[pair].values, model.means[pair].values, strict=True)
        assert loaded.means[pair].k == 10
    assert loaded.history == model.history
    assert loaded.provenance == model.provenance
    assert repr(loaded) == repr(model)


def test_a_loaded_model_may_be_saved_over_its_own_folder(model, folder):
    ia.Alignment.load(folder).save(folder, overwrite=True)
    np.testing.assert_array_equal(ia.Alignment.load(folder).space("xx"), model.space("xx"))


def test_the_identity_and_other_words_survive(pair, tmp_path):
    source, target, train = pair
    odd = ia.Embeddings(["a b", "\u2028", "\u00a0", *source.index_to_key[3:]], source.vectors)
    model = ia.align(odd, target, train, method="procrustes", normalize="unit,center,unit")
    model.save(tmp_path / "m")
    loaded = ia.Alignment.load(tmp_path / "m")
    assert isinstance(loaded["yy"].map, IdentityMap)
    assert loaded.raw("source").index_to_key == odd.index_to_key


def test_without_vectors_only_the_maps_are_kept_and_vectors_are_asked_for(model, pair, tmp_path):
    model.save(tmp_path / "m", vectors=False)
    files = [str(path.relative_to(tmp_path / "m")) for path in (tmp_path / "m").rglob("*") if path.is_file()]
    assert sorted(files) == ["alignment.json", "members/xx/state.safetensors", "members/yy/state.safetensors"]
    loaded = ia.Alignment.load(tmp_path / "m")
    with pytest.raises(ParameterError, match=r"saved without the vectors of 'xx'.*vectors={'xx': …}"):
        ia.Translator(loaded).translate("s1")
    with pytest.raises(ParameterError, match=r"vectors={'yy': …}"):
        loaded.space("yy")
    given = ia.Alignment.load(tmp_path / "m", vectors={"xx": pair[0], "yy": pair[1]})
    np.testing.assert_allclose(given.space("xx"), model.space("xx"), atol=1e-6)
    assert ia.Translator(given).translate("s1", k=1)[0].word == ia.Translator(model).translate("s1", k=1)[0].word


def test_other_vectors_replace_those_in_the_folder_and_what_was_computed_from_them(model, folder):
    loaded = ia.Alignment.load(folder, vectors={"xx": model.raw("xx").head(10)})
    assert loaded.space("xx").shape == (10, 6)
    assert loaded.means == {}
    np.testing.assert_array_equal(loaded.space("yy"), model.space("yy"))
    with pytest.raises(ParameterError, match="member must be one of"):
        ia.Alignment.load(folder, vectors={"zz": model.raw("xx")})


def test_settings_may_be_numbers_of_numpy(pair, tmp_path):
    normalizer = ia.IterNorm(n_iter=np.int64(3))
    ia.align(*pair, method="rcsls", normalize=normalizer, settings={"lr": np.float32(1)}).save(tmp_path / "m")
    loaded = ia.Alignment.load(tmp_path / "m")
    assert loaded["xx"].normalizer.n_iter == 3
    assert loaded.history["selection"]["chosen"]["lr"] == 1


def test_a_file_that_must_not_be_read_is_not_called_damaged(folder, monkeypatch):
    file_open = Path.open

    def refuse_maps(self, *arguments, **options):
        if self.name == "state.safetensors":
            raise PermissionError(13, "Permission denied")
        return file_open(self, *arguments, **options)

    monkeypatch.setattr(Path, "open", refuse_maps)
    with pytest.raises(FileAccessError, match=r"state.safetensors: cannot read: Permission denied. Check its"):
        ia.Alignment.load(folder)


def test_means_may_be_left_out(model, tmp_path):
    model.save(tmp_path / "m", means=False)
    assert ia.Alignment.load(tmp_path / "m").means == {}


def test_an_existing_folder_is_replaced_only_when_allowed_and_as_a_whole(model, folder, monkeypatch):
    before = (folder / "alignment.json").read_bytes()
    with pytest.raises(OutputExistsError):
        model.save(folder)

    def fail(*_, **__):
        raise OSError("disk full")

    monkeypatch.setattr("isoalign.alignment._saving.write_native", fail)
    with pytest.raises(OSError, match="Nothing was changed"):
        model.save(folder, overwrite=True)
    assert (folder / "alignment.json").read_bytes() == before
    assert ia.Alignment.load(folder).space("xx").shape == (80, 6)
    assert [path.name for path in folder.parent.iterdir()] == ["model"]


FILES = [
    "alignment.json",
    "members/xx/state.safetensors",
    "members/yy/space.safetensors",
    "pairs/xx--yy/means.safetensors",
    "members/xx/vectors/vectors.safetensors",
    "members/yy/vectors/vocabulary.safetensors",
    "members/yy/vectors/metadata.json",
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


def rewrite(folder, change):
    about = json.loads((folder / "alignment.json").read_text())
    change(about)
    (folder / "alignment.json").write_text(json.dumps(about))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda about: about.update(kind="isoalign-embeddings"), "not the description of an alignment"),
        (
            lambda about: about.update(version=1),
            "version 1; this isoalign reads version 2. Create it again: isoalign align",
        ),
        (lambda about: about.update(members=[]), "damaged alignment"),
        (lambda about: about.update(members=[1, 2]), "damaged alignment"),
        (lambda about: about["members"][0]["normalizer"].update(name="magic"), "normalization must be one of"),
        (lambda about: about["members"][0].update(normalizer={"name": "center", "settings": {}}), "must hold mean_"),
        (lambda about: about["members"][0]["map"].update(kind="magic"), "no map is registered under the name 'magic'"),
        (lambda about: about["members"][0].update(name="../../x"), "A member needs a short name"),
        (lambda about: about["members"][0].update(name="YY"), "different names"),
        (lambda about: about["pairs"][0].update(source="zz"), "unknown members"),
        (lambda about: about.update(history=3), "of the wrong kind"),
        (lambda about: about.update(provenance=None), "of the wrong kind"),
        (lambda about: about["pairs"][0].update(means_k="ten"), "damaged alignment"),
    ],
)
def test_a_wrong_description_is_a_format_error(folder, change, message):
    rewrite(folder, change)
    with pytest.raises(FormatError, match=message):
        ia.Alignment.load(folder)


@pytest.mark.parametrize("key", ["members", "pairs", "history", "provenance"])
def test_a_missing_entry_is_a_format_error(folder, key):
    rewrite(folder, lambda about: about.pop(key))
    with pytest.raises(FormatError, match=key):
        ia.Alignment.load(folder)


@pytest.mark.parametrize(
    ("name", "tensors"),
    [
        ("members/xx/space.safetensors", {"space": np.zeros((3, 6), np.float32)}),
        ("members/xx/space.safetensors", {"other": np.zeros((80, 6), np.float32)}),
        ("members/yy/space.safetensors", {"space": np.zeros((80, 6))}),
        ("pairs/xx--yy/means.safetensors", {"means": np.zeros(7, np.float32)}),
    ],
)
def test_files_that_do_not_belong_together_are_refused(folder, name, tensors):
    write_tensors(folder / name, tensors)
    with pytest.raises(FormatError, match="expected float32"):
        ia.Alignment.load(folder)


def test_maps_of_other_dimensions_are_refused(folder):
    file = folder / "members" / "xx" / "state.safetensors"
    arrays = {name: np.array(array) for name, array in map_tensors(file).items()}
    for bad in (np.zeros((5, 6)), np.zeros(6), np.full((6, 6), np.nan)):
        write_tensors(file, {**arrays, "map.matrix": bad})
        with pytest.raises(FormatError, match="damaged alignment"):
            ia.Alignment.load(folder)


def test_a_foreign_folder_a_file_and_nothing_are_told_apart(tmp_path):
    with pytest.raises(FormatError, match=r"it has no alignment.json"):
        ia.Alignment.load(tmp_path)
    (tmp_path / "f").write_text("x")
    with pytest.raises(FormatError, match=r"it has no alignment.json"):
        ia.Alignment.load(tmp_path / "f")
    with pytest.raises(MissingFileError, match="no such folder"):
        ia.Alignment.load(tmp_path / "none")
