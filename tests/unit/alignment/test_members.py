"""Any number of named members in one space."""

import numpy as np
import pytest

import isoalign as ia
from isoalign.alignment import Member
from isoalign.errors import ParameterError, ShapeError
from isoalign.maps import IdentityMap, MatrixMap
from isoalign.normalization import make_normalizer
from isoalign.testing import planted_embeddings
from planted import random_rotation


@pytest.fixture(scope="module")
def model():
    """Three languages that are rotations of one another; row i translates row i."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 6)).astype(np.float32)
    members = []
    for number, name in enumerate(("en", "fr", "ja")):
        rotation = random_rotation(6, seed=number)
        rows = (X @ rotation).astype(np.float32)
        embeddings = ia.Embeddings([f"{name}{i}" for i in range(50)], rows, lang=name)
        members.append(Member(name, make_normalizer("unit").fit(rows), MatrixMap(rotation.T), embeddings))
    return ia.Alignment(members, provenance={"method": "planted"})


def test_members_are_found_by_name_and_in_order(model):
    assert model.names == ("en", "fr", "ja")
    assert list(model) == ["en", "fr", "ja"]
    assert len(model) == 3
    assert "fr" in model
    assert "de" not in model
    assert model["fr"].raw.lang == "fr"
    assert repr(model) == "Alignment(planted; en: 50 × 6, fr: 50 × 6, ja: 50 × 6)"


def test_any_two_members_make_a_pair(model):
    assert ia.Translator(model, source="fr", target="ja").translate("fr7", k=1)[0].word == "ja7"
    assert ia.Translator(model, source="ja", target="fr").translate("ja7", k=1)[0].word == "fr7"
    test = ia.Lexicon((f"ja{i}", f"fr{i}") for i in range(50))
    result = ia.evaluate_bli(model, test, source="ja", target="fr")
    assert result.precision[1] == 1.0
    assert result.provenance["members"] == ["ja", "fr"]
    assert ia.induce_lexicon(model, source="fr", target="en").pairs == [(f"fr{i}", f"en{i}") for i in range(50)]


def test_with_more_than_two_members_names_must_be_given(model):
    for call in (model.pair, lambda: model.pair("en"), model.space, lambda: model.apply(np.ones((1, 6)))):
        with pytest.raises(ParameterError, match="members en, fr, ja"):
            call()


def test_some_members_may_be_taken_out(model):
    pair = model.select(["ja", "en"])
    assert pair.names == ("ja", "en")
    assert pair.space() is model.space("ja")


def test_three_members_survive_saving(model, tmp_path):
    model.compute_means("fr", "ja")
    model.save(tmp_path / "m")
    loaded = ia.Alignment.load(tmp_path / "m")
    assert loaded.names == model.names
    assert set(loaded.means) == {("fr", "ja"), ("ja", "fr")}
    for name in model:
        np.testing.assert_array_equal(loaded.space(name), model.space(name))
    for folder in ("members/en", "members/fr", "members/ja", "pairs/fr--ja"):
        assert (tmp_path / "m" / folder).is_dir()


@pytest.mark.parametrize("name", ["", "a/b", "..", ".hidden", "a--b", "a\0", "x" * 65, "a\\b", "a\nb"])
def test_names_that_cannot_name_a_folder_are_refused(name):
    member = Member(name, make_normalizer("none").fit(np.eye(2)), IdentityMap(2))
    with pytest.raises(ParameterError, match="A member needs a short name"):
        ia.Alignment([member])


def test_members_must_be_told_apart_and_meet_in_one_space():
    normalizer = make_normalizer("none").fit(np.eye(2))
    with pytest.raises(ParameterError, match="different names"):
        ia.Alignment([Member("en", normalizer, IdentityMap(2)), Member("EN", normalizer, IdentityMap(2))])
    with pytest.raises(ShapeError, match="same output dimension"):
        ia.Alignment([Member("a", normalizer, IdentityMap(2)), Member("b", normalizer, MatrixMap(np.ones((2, 3))))])
    with pytest.raises(ShapeError, match="A query stage must keep the 2 columns"):
        ia.Alignment(
            [Member("a", normalizer, IdentityMap(2)), Member("b", normalizer, IdentityMap(2))],
            stages={("a", "b"): MatrixMap(np.ones((2, 3)))},
        )


@pytest.mark.parametrize(
    ("langs", "names"),
    [
        (("en", "ja"), ("en", "ja")),
        ((None, None), ("source", "target")),
        (("en", None), ("en", "target")),
        (("en", "en"), ("en", "target")),
        (("a/b", "ja"), ("source", "ja")),
        ((None, "source"), ("source", "target")),
        (("target", None), ("source", "target")),
    ],
)
def test_members_of_a_pair_are_named_after_their_languages(langs, names):
    X = np.random.default_rng(0).standard_normal((20, 3)).astype(np.float32)
    sides = [ia.Embeddings([f"w{i}" for i in range(20)], X, lang=lang) for lang in langs]
    assert ia.align(*sides, [(f"w{i}", f"w{i}") for i in range(20)]).names == names


def test_dictionary_words_ask_like_new_words_but_crowd_where_the_dictionary_puts_them():
    source, target, train = planted_embeddings(80, 6, noise=0.8, n_pairs=50)
    pair = ia.align(source, target, train, method="kernel").pair()
    rows = np.arange(80)
    queries, sources = pair.queries(rows), pair.sources
    moved = np.abs(queries - sources).max(axis=1) > 1e-4
    assert moved[:50].all()
    assert not moved[50:].any()
    towards = (sources * pair.targets).sum(axis=1) - (queries * pair.targets).sum(axis=1)
    assert (towards[:50] > 0).mean() > 0.9
    np.testing.assert_allclose(pair.model.apply(source.vectors, "xx", to="yy"), queries, atol=1e-5)
