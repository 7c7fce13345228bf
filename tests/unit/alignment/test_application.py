from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import isoalign as ia
from isoalign._core.executor import InProcess
from isoalign.alignment import align_files, apply_file, export_prefixed, export_spaces
from isoalign.errors import FormatError, IsoalignWarning, OutputExistsError, ParameterError, ShapeError
from isoalign.io import _parts
from isoalign.maps import IdentityMap, MatrixMap
from isoalign.normalization import Unit
from planted import planted_embeddings, random_rotation

SMALL = Path(__file__).parent.parent.parent / "reference" / "small"
FASTTEXT = Path(__file__).parent.parent.parent / "data" / "fasttext"


@pytest.fixture(scope="module")
def model():
    return align_files(SMALL / "source.vec", SMALL / "target.vec", SMALL / "train.txt", langs=("xx", None))


@pytest.fixture
def rotation():
    """A rotation for the fastText fixtures, without normalisation."""
    dim = ia.read_vectors(FASTTEXT / "skipgram.bin").vector_size
    return ia.Alignment.from_matrix(random_rotation(dim), normalize="none")


@pytest.mark.parametrize("name", ["out.vec", "out.txt", "out.bin", "out.npy", "out", "out.vec.gz"])
@pytest.mark.parametrize("member", ["xx", "target"])
def test_a_file_goes_through_the_same_chain_as_arrays(model, tmp_path, name, member):
    apply_file(model, SMALL / "source.vec", tmp_path / name, name=member)
    found = ia.read_vectors(tmp_path / name)
    raw = ia.read_vectors(SMALL / "source.vec")
    assert found.index_to_key == raw.index_to_key
    np.testing.assert_allclose(found.vectors, model.apply(raw.vectors, member), atol=1e-6)


def test_mapped_rows_can_be_scaled_to_length_one(model, tmp_path):
    apply_file(model, SMALL / "source.vec", tmp_path / "o", unit=True, reading={"limit": 50})
    vectors = ia.read_vectors(tmp_path / "o").vectors
    np.testing.assert_allclose(vectors, model.space("xx")[:50], atol=1e-6)


def test_a_reducing_map_changes_the_number_of_columns(tmp_path):
    model = ia.align(*planted_embeddings(n=60, dim=6), method="vecmap", settings={"n_components": 3})
    ia.write_vectors(model.raw(), tmp_path / "s.vec")
    apply_file(model, tmp_path / "s.vec", tmp_path / "o.vec")
    assert ia.read_vectors(tmp_path / "o.vec").vector_size == 3


def test_what_cannot_be_applied_leaves_nothing_behind(model, tmp_path):
    ia.write_vectors(planted_embeddings(n=10, dim=3)[0], tmp_path / "s.vec")
    with pytest.raises(ShapeError, match="is expecting 20 features"):
        apply_file(model, tmp_path / "s.vec", tmp_path / "o.vec")
    with pytest.raises(ParameterError, match="member must be one of"):
        apply_file(model, SMALL / "source.vec", tmp_path / "o.vec", name="left")
    with pytest.raises(OutputExistsError):
        apply_file(model, SMALL / "source.vec", tmp_path / "s.vec")
    assert [path.name for path in tmp_path.iterdir()] == ["s.vec"]


def test_a_fasttext_model_stays_one_and_makes_mapped_vectors_of_unseen_words(rotation, tmp_path):
    before = (FASTTEXT / "skipgram.bin").read_bytes()
    apply_file(rotation, FASTTEXT / "skipgram.bin", tmp_path / "new.bin")
    raw, mapped = ia.read_vectors(FASTTEXT / "skipgram.bin"), ia.read_vectors(tmp_path / "new.bin")
    np.testing.assert_allclose(mapped.vectors, rotation.apply(raw.vectors), atol=1e-5)
    unseen = raw.index_to_key[0] + raw.index_to_key[1]
    assert unseen not in raw
    np.testing.assert_allclose(mapped.get_vector(unseen), rotation.apply(raw.get_vector(unseen)[None])[0], atol=1e-5)
    assert (FASTTEXT / "skipgram.bin").read_bytes() == before


def test_a_fasttext_model_after_unit_length_keeps_directions(tmp_path):
    raw = ia.read_vectors(FASTTEXT / "skipgram.bin")
    target = ia.Embeddings([f"t{i}" for i in range(len(raw))], raw.vectors)
    train = list(zip(raw.index_to_key, target.index_to_key, strict=True))
    model = ia.align(raw, target, train, method="procrustes", normalize="unit")
    apply_file(model, FASTTEXT / "skipgram.bin", tmp_path / "new.bin")
    found = ia.read_vectors(tmp_path / "new.bin").vectors
    np.testing.assert_allclose(
        found / np.linalg.norm(found, axis=1, keepdims=True), model.apply(raw.vectors), atol=1e-5
    )


@pytest.mark.parametrize("normalize", ["center", "center_length", "center,unit,unit"])
def test_a_fasttext_model_is_centred_with_its_ngrams(tmp_path, normalize):
    raw = ia.read_vectors(FASTTEXT / "skipgram.bin")
    W = np.linalg.qr(np.random.default_rng(0).standard_normal((5, 5)))[0]
    model = ia.Alignment.from_matrix(W, source=raw, target=raw, normalize=normalize)
    apply_file(model, FASTTEXT / "skipgram.bin", tmp_path / "new.bin")
    found = ia.read_vectors(tmp_path / "new.bin")
    for word in (*raw.index_to_key[:9], "katoka", "猫猫犬"):
        expected, new = model.apply(raw[word][None])[0], found[word]
        np.testing.assert_allclose(
            new / np.linalg.norm(new), expected / np.linalg.norm(expected), atol=1e-5, err_msg=word
        )
    assert np.linalg.norm(raw.vectors.mean(axis=0)) > 1e-3


def test_the_side_that_does_not_move_is_copied(rotation, tmp_path):
    apply_file(rotation, FASTTEXT / "skipgram.bin", tmp_path / "new.bin", name="target")
    assert (tmp_path / "new.bin").read_bytes() == (FASTTEXT / "skipgram.bin").read_bytes()


def test_subwords_may_be_written_as_plain_vectors_whatever_the_normalisation(tmp_path):
    raw = ia.read_vectors(FASTTEXT / "skipgram.bin")
    model = ia.Alignment.from_matrix(None, source=raw, target=raw, normalize="unit,center")
    apply_file(model, FASTTEXT / "skipgram.bin", tmp_path / "o.vec")
    np.testing.assert_allclose(ia.read_vectors(tmp_path / "o.vec").vectors.mean(axis=0), 0, atol=1e-5)
    apply_file(model, FASTTEXT / "skipgram.bin", tmp_path / "w.bin", format="word2vec")
    assert ia.read_vectors(tmp_path / "w.bin").subwords is None
    with pytest.raises(ParameterError, match=r"map and no centring after scaling.*Center\(\).*word2vec"):
        apply_file(model, FASTTEXT / "skipgram.bin", tmp_path / "n.bin")
    assert not (tmp_path / "n.bin").exists()


@pytest.mark.parametrize("options", [{"unit": True}, {"reading": {"limit": 3}}])
def test_options_that_a_fasttext_model_cannot_follow_are_refused(rotation, tmp_path, options):
    with pytest.raises(ParameterError, match="mapped as a whole"):
        apply_file(rotation, FASTTEXT / "skipgram.bin", tmp_path / "n.bin", **options)


def test_a_quantised_model_and_the_input_itself_are_refused(rotation, tmp_path):
    with pytest.raises(FormatError, match="quantised"):
        apply_file(rotation, FASTTEXT / "plain.ftz", tmp_path / "n.bin")
    copy = tmp_path / "c.bin"
    copy.write_bytes((FASTTEXT / "skipgram.bin").read_bytes())
    with pytest.raises(ParameterError, match="is the input"):
        apply_file(rotation, copy, copy, overwrite=True)


def test_both_spaces_are_exported_under_their_languages(model, tmp_path):
    files = export_spaces(model, tmp_path / "out")
    assert [file.name for file in files] == ["xx.vec", "target.vec"]
    np.testing.assert_array_equal(ia.read_vectors(files[0]).vectors, model.space("xx"))
    np.testing.assert_array_equal(ia.read_vectors(files[1]).vectors, model.space("target"))
    with pytest.raises(OutputExistsError):
        export_spaces(model, tmp_path / "out")
    export_spaces(model, tmp_path / "out", overwrite=True)
    (tmp_path / "f").write_text("")
    with pytest.raises(OSError, match="is a file"):
        export_spaces(model, tmp_path / "f")


@pytest.fixture
def staged():
    """Two members with a correction of queries in one direction."""
    source, target, train = planted_embeddings(n=60, dim=4)
    plain = ia.align(source, target, train, method="procrustes")
    return ia.Alignment(plain.members, stages={plain.names: MatrixMap(random_rotation(4))})


def test_queries_go_through_the_correction_of_their_direction(staged, tmp_path):
    source, target = staged.names
    raw = staged.raw(source)
    ia.write_vectors(raw, tmp_path / "s.vec")
    for to in (None, target):
        apply_file(staged, tmp_path / "s.vec", tmp_path / "out.vec", to=to, overwrite=True)
        found = ia.read_vectors(tmp_path / "out.vec").vectors
        np.testing.assert_allclose(found, staged.apply(raw.vectors, source, to=to), atol=1e-6)
    with pytest.raises(ParameterError, match="member"):
        apply_file(staged, tmp_path / "s.vec", tmp_path / "other.vec", to="nobody")


def test_exported_spaces_are_those_of_the_member_to_be_searched(staged, tmp_path):
    source, target = staged.names
    files = export_spaces(staged, tmp_path / "out", to=target)
    for name, file in zip(staged.names, files, strict=True):
        np.testing.assert_array_equal(ia.read_vectors(file).vectors, staged.space(name, to=target))
    assert not np.allclose(staged.space(source, to=target), staged.space(source))
    export_prefixed(staged, tmp_path / "all.vec", to=target)
    joint = ia.read_vectors(tmp_path / "all.vec")
    word = staged.raw(source).index_to_key[7]
    np.testing.assert_array_equal(joint[f"{source}:{word}"], staged.space(source, to=target)[7])
    for write, output in ((export_spaces, "plain"), (export_prefixed, "plain.vec")):
        with pytest.warns(IsoalignWarning, match="without the query stages of the alignment"):
            write(staged, tmp_path / output)


class StopError(Exception):
    """The end of an interrupted run."""


class StopAfterOne(InProcess):
    def run(self, function, tasks):
        for place, one in enumerate(super().run(function, tasks)):
            yield one
            if not place:
                raise StopError


@pytest.mark.parametrize("change", ["normalizer", "map", "stage"])
def test_an_interrupted_output_is_not_continued_with_another_model(tmp_path, monkeypatch, change):
    monkeypatch.setattr(_parts, "PART_ROWS", 20)
    source, target, train = planted_embeddings(n=60, dim=4)
    ia.write_vectors(source, tmp_path / "s.parts")
    members = ia.align(source, target, train, method="procrustes", normalize="none").members
    names = tuple(member.name for member in members)
    turn = MatrixMap(np.eye(4)[::-1])
    one = ia.Alignment(members, stages={names: turn})
    other = {
        "normalizer": ia.Alignment([replace(members[0], normalizer=Unit().fit(source.vectors)), members[1]]),
        "map": ia.Alignment([replace(members[0], map=IdentityMap(4)), members[1]]),
        "stage": ia.Alignment(members, stages={names: MatrixMap(-np.eye(4))}),
    }[change]
    options = {"to": names[1] if change == "stage" else None, "unit": False}
    with pytest.raises(StopError):
        apply_file(one, tmp_path / "s.parts", tmp_path / "out.parts", executor=StopAfterOne(), **options)
    apply_file(other, tmp_path / "s.parts", tmp_path / "out.parts", executor=InProcess(), **options)
    expected = other.apply(source.vectors, names[0], to=options["to"])
    np.testing.assert_allclose(ia.read_vectors(tmp_path / "out.parts").vectors, expected, atol=1e-6)
