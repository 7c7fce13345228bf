"""Any number of languages in one space."""

import numpy as np
import pytest

import isoalign as ia
from isoalign._core.arrays import unit_rows
from isoalign.alignment import JOINT_METHODS, SelfLearning, join_files
from isoalign.alignment._joint_maps import JointMaps
from isoalign.datasets import load_sample
from isoalign.errors import InvalidValueError, IsoalignWarning, ParameterError, ShapeError
from isoalign.maps import IdentityMap
from many_languages import CHAIN, GRAPHS, STAR, TRIANGLE, dictionaries, pairs_of, planted_languages
from planted import random_rotation


def precision(model, source, target, rows=range(100, 200)):
    """Return P@1 on words that no dictionary of these tests has."""
    test = ia.Lexicon((f"{source}{i}", f"{target}{i}") for i in rows)
    return ia.evaluate_bli(model, test, source=source, target=target, n_resamples=10).precision[1]


@pytest.mark.parametrize("graph", GRAPHS)
def test_every_pair_meets_whatever_the_graph(graph):
    model = ia.join(planted_languages(), dictionaries(GRAPHS[graph]), normalize="unit")
    assert model.names == ("en", "fr", "ja", "ru")
    for name in model:
        np.testing.assert_allclose(model.space(name), model.space("en"), atol=1e-5)
    assert ia.Translator(model, source="fr", target="ja").translate("fr150", k=1)[0].word == "ja150"


def test_two_languages_are_what_align_makes_of_them():
    spaces = planted_languages(("en", "fr"), noise=1.0)
    words = pairs_of("en", "fr", 80)
    expected = np.asarray(ia.align(spaces["en"], spaces["fr"], words, method="procrustes")["en"].map)
    model = ia.join(spaces, {("en", "fr"): words}, pivot="fr")
    np.testing.assert_allclose(np.asarray(model["en"].map), expected, atol=1e-10)
    assert isinstance(model["fr"].map, IdentityMap)
    turned = ia.join(spaces, {("fr", "en"): words.inverse()}, pivot="en")
    np.testing.assert_allclose(np.asarray(turned["fr"].map), expected.T, atol=1e-10)


def test_the_pivot_is_the_member_with_most_dictionaries():
    spaces = planted_languages()
    assert ia.join(spaces, dictionaries(TRIANGLE)).provenance["settings"]["pivot"] == "fr"
    assert isinstance(ia.join(spaces, dictionaries(STAR), pivot="ru")["ru"].map, IdentityMap)


def test_an_unconnected_language_is_named_with_the_dictionary_that_would_connect_it():
    with pytest.raises(ParameterError, match=r"connects 'ru' with .*such as \('en', 'ru'\)"):
        ia.join(planted_languages(), dictionaries(STAR[:2]), pivot="en")


def test_a_heavier_dictionary_is_fitted_better():
    spaces = planted_languages(("en", "fr", "ja"), noise=1.0)
    triangle = dictionaries(TRIANGLE[:3], n=40)

    def distance(weights):
        model = ia.join(spaces, triangle, weights=weights, normalize="none", pivot="fr")
        en, ja = (model.apply(spaces[name].vectors[:40], name) for name in ("en", "ja"))
        return np.linalg.norm(en - ja)

    assert distance({("ja", "en"): 100}) < distance(None) < distance({("ja", "en"): 0.01})


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"method": "rcsls"}, "method must be one of"),
        ({"pivot": "de"}, "pivot must be one of"),
        ({"weights": {("ja", "en"): 1}}, "weights must name dictionaries"),
        ({"weights": {("en", "ja"): 0}}, "must be positive"),
        ({"refine": -1}, "refine"),
        ({"refine_pairs": [("en", "de")]}, "must be one of"),
        ({"method": "least_squares", "reweight": True}, "reweight needs"),
        ({"select": "test"}, "select must be one of 'validation'"),
        ({"middle": "yes"}, "middle must be true or false"),
        ({"restarts": 0}, "restarts"),
    ],
)
def test_wrong_options_are_refused(options, what):
    with pytest.raises(ParameterError, match=what):
        ia.join(planted_languages(), dictionaries(STAR), **options)


def test_one_space_or_a_dictionary_of_other_words_is_refused():
    spaces = planted_languages()
    with pytest.raises(ParameterError, match="at least two"):
        ia.join({"en": spaces["en"]}, {})
    with pytest.raises(InvalidValueError, match=r"No pair of the dictionary \('en', 'ru'\)"):
        ia.join(spaces, {**dictionaries(STAR), ("en", "ru"): [("no", "net")]})


def test_an_edge_may_be_a_start(monkeypatch):
    monkeypatch.setattr("isoalign.alignment._unsupervised.make_aligner", lambda _: SelfLearning(patience=5))
    spaces = planted_languages(("en", "fr", "ja"))
    words = [f"w{i}" for i in range(200)]
    spaces |= {name: ia.Embeddings(words, spaces[name].vectors, lang=name) for name in ("en", "fr")}
    model = ia.join(
        spaces,
        {("en", "fr"): "identical", ("fr", "ja"): [(f"w{i}", f"ja{i}") for i in range(60)]},
        normalize="unit",
        restarts=1,
    )
    np.testing.assert_allclose(model.space("ja"), model.space("en"), atol=1e-5)
    assert model.provenance["dictionaries"]["en-fr"]["start"] == "identical"
    with pytest.raises(ParameterError, match="start"):
        ia.join(spaces, {("en", "fr"): "nosuchstart", ("fr", "ja"): "identical"})


@pytest.fixture(scope="module")
def clouds():
    """Return rotations of frequent English words, whose structure a start can find."""
    vectors = load_sample().source.vectors[:150]
    vectors = vectors - vectors.mean(axis=0)
    X = vectors @ np.linalg.svd(vectors, full_matrices=False)[2][:25].T
    return {
        name: ia.Embeddings([f"{name}{i}" for i in range(150)], X @ random_rotation(25, seed=number), lang=name)
        for number, name in enumerate(("en", "fr", "ja"))
    }


def test_self_learning_runs_for_an_edge_without_a_dictionary(clouds, monkeypatch):
    monkeypatch.setattr("isoalign.alignment._unsupervised.make_aligner", lambda _: SelfLearning(patience=5))
    model = ia.join(clouds, {("en", "fr"): "similarity", ("fr", "ja"): pairs_of("fr", "ja", 100)}, normalize="unit")
    edges = model.provenance["dictionaries"]
    assert edges["en-fr"]["known_pairs"] > 100
    assert edges["en-fr"]["verdict"]["status"] == "found"
    assert len(edges["en-fr"]["verdict"]["pairwise"]) == 3
    assert edges["fr-ja"]["verdict"] is None
    assert precision(model, "en", "ja", range(150)) > 0.9


def test_a_start_that_fails_is_named_with_its_edge(clouds, monkeypatch):
    monkeypatch.setattr("isoalign.alignment._unsupervised.make_aligner", lambda _: SelfLearning(patience=3))
    noise = np.random.default_rng(0).standard_normal((150, 25)).astype(np.float32)
    spaces = {"en": clouds["en"], "fr": clouds["fr"].with_vectors(noise)}
    with pytest.warns(IsoalignWarning, match="^en-fr: (failed|doubtful)"):
        ia.join(spaces, {("en", "fr"): "similarity"}, restarts=2)


def test_starts_that_look_at_words_need_no_equal_dimension():
    spaces = planted_languages(("en", "fr"))
    words = spaces["en"].index_to_key
    spaces["fr"] = ia.Embeddings(words, np.hstack([spaces["fr"].vectors, spaces["fr"].vectors[:, :3]]))
    model = ia.join(spaces, {("en", "fr"): "identical"}, normalize="unit")
    assert model.provenance["dictionaries"]["en-fr"]["known_pairs"] == 200
    assert model.provenance["dictionaries"]["en-fr"]["verdict"] is None
    with pytest.raises(ShapeError, match="en-fr: self-learning needs vectors of equal dimension"):
        ia.join(spaces, {("en", "fr"): "similarity"})


def test_a_member_of_another_dimension_follows_by_least_squares_with_what_hangs_on_it():
    spaces = planted_languages(("en", "fr"), dim=10)
    narrow = planted_languages(("small", "zh"), dim=10, seed=0)  # the same words: all are made from one seed
    lower = {name: ia.Embeddings(side.index_to_key, side.vectors, lang=name) for name, side in narrow.items()}
    lower["small"] = lower["small"].with_vectors(np.hstack([lower["small"].vectors, lower["small"].vectors[:, :2]]))
    lower["zh"] = lower["zh"].with_vectors(np.hstack([lower["zh"].vectors, lower["zh"].vectors[:, :2]]))
    model = ia.join(
        spaces | lower,
        {
            ("en", "fr"): pairs_of("en", "fr", 60),
            ("small", "en"): pairs_of("small", "en", 60),
            ("zh", "en"): pairs_of("zh", "en", 60),
        },
        normalize="unit",
    )
    assert model.dim == 10
    assert model["zh"].map.dim_in == 12
    assert precision(model, "zh", "fr") == 1.0
    assert precision(model, "fr", "small") == 1.0


def test_a_rotated_group_of_another_dimension_moves_as_a_whole():
    rng = np.random.default_rng(0)
    wide = rng.standard_normal((200, 6)).astype(np.float32)
    axes = np.linalg.qr(rng.standard_normal((9, 9)))[0][:6]
    spaces = {
        "en": ia.Embeddings([f"en{i}" for i in range(200)], wide),
        "a": ia.Embeddings([f"a{i}" for i in range(200)], (wide @ axes).astype(np.float32)),
        "b": ia.Embeddings([f"b{i}" for i in range(200)], (wide @ axes[:, ::-1]).astype(np.float32)),
    }
    words = {("a", "en"): pairs_of("a", "en", 100), ("b", "a"): pairs_of("b", "a", 100)}
    model = ia.join(spaces, words, pivot="en", normalize="unit")
    assert precision(model, "b", "en") == 1.0


def test_least_squares_maps_every_member_on_its_own():
    spaces = planted_languages(noise=0.3)
    model = ia.join(spaces, dictionaries(CHAIN, n=100), method="least_squares", pivot="en")
    matrix = np.asarray(model["ru"].map)
    assert np.abs(matrix.T @ matrix - np.eye(10)).max() > 0.01
    assert precision(model, "ru", "en") > 0.8


def test_refinement_learns_from_pairs_that_no_dictionary_has():
    spaces = planted_languages(noise=0.5)
    given = dictionaries(CHAIN, n=12)
    plain, refined = (ia.join(spaces, given, refine=rounds, pivot="en") for rounds in (0, 2))
    sizes = refined.history["steps"][-1]["dictionary_sizes"]
    assert len(sizes) == 6
    assert sizes["en-fr"] > 12
    assert precision(refined, "en", "ru") > precision(plain, "en", "ru")
    chosen = ia.join(spaces, given, refine=1, refine_pairs=[("fr", "en")], pivot="en")
    sizes = chosen.history["steps"][-1]["dictionary_sizes"]
    assert sizes["en-fr"] > 12
    assert sizes["ja-ru"] == 12


@pytest.mark.parametrize("option", ["reweight", "middle"])
def test_options_keep_every_pair_together(option):
    spaces = planted_languages(noise=0.3)
    model = ia.join(spaces, dictionaries(TRIANGLE, n=100), **{option: True})
    assert not any(isinstance(member.map, IdentityMap) for member in model.members)
    for source, target in (("en", "fr"), ("fr", "ja"), ("ru", "en")):
        assert precision(model, source, target) > 0.8
    assert model.provenance["settings"][option] is True


def test_words_that_all_translate_each_other_meet_in_one_point():
    spaces = planted_languages(("en", "fr", "ja"))
    stretch = np.linspace(1, 3, 10, dtype=np.float32)  # what no rotation makes up for
    spaces["fr"] = spaces["fr"].with_vectors(spaces["fr"].vectors * stretch)
    triangle = dictionaries(TRIANGLE[:3], n=200)
    before, after = (ia.join(spaces, triangle, normalize="unit", middle=middle) for middle in (False, True))

    def spread(model):
        rows = np.stack([model.space(name) for name in model])
        return np.linalg.norm(rows - rows.mean(axis=0))

    assert spread(after) < 0.8 * spread(before)


def test_adding_a_language_leaves_the_others_bit_for_bit():
    spaces = planted_languages(noise=0.3)
    old = ia.join({name: spaces[name] for name in ("en", "fr", "ja")}, dictionaries(STAR[:2]))
    old.compute_means("en", "fr")
    new = ia.join_into(
        old, {"ru": spaces["ru"]}, {("ru", "fr"): pairs_of("ru", "fr", 100), ("en", "ru"): pairs_of("en", "ru", 100)}
    )
    assert new.names == ("en", "fr", "ja", "ru")
    for name in old:
        assert new[name] is old[name]
        assert new.space(name) is old.space(name)
    assert new.means == old.means
    assert precision(new, "ru", "ja") > 0.8
    assert new.provenance["joined"][0]["members"] == ["ru"]
    matrix = np.asarray(new["ru"].map)
    np.testing.assert_allclose(matrix.T @ matrix, np.eye(10), atol=1e-10)


def test_adding_nothing_or_a_name_that_is_taken_is_refused():
    spaces = planted_languages()
    old = ia.join({name: spaces[name] for name in ("en", "fr")}, dictionaries(STAR[:1]))
    with pytest.raises(ParameterError, match="different names"):
        ia.join_into(old, {"fr": spaces["fr"]}, dictionaries(STAR[:1]))
    with pytest.raises(ParameterError, match="at least one new space"):
        ia.join_into(old, {"ja": spaces["ja"]}, {})


def test_four_members_survive_saving(tmp_path):
    spaces = planted_languages(noise=0.2)
    model = ia.join(spaces, dictionaries(TRIANGLE), middle=True)
    model.save(tmp_path / "m")
    loaded = ia.Alignment.load(tmp_path / "m")
    assert loaded.names == model.names
    assert loaded.provenance == model.provenance
    for name in model:
        np.testing.assert_array_equal(loaded.space(name), model.space(name))
        assert isinstance(loaded.space(name), np.memmap) or not loaded.space(name).flags.owndata
    extended = ia.join_into(loaded, {"de": spaces["ru"]}, {("de", "en"): [(f"ru{i}", f"en{i}") for i in range(60)]})
    extended.save(tmp_path / "n")
    np.testing.assert_array_equal(ia.Alignment.load(tmp_path / "n").space("fr"), model.space("fr"))


def test_options_that_would_change_old_members_are_refused_before_files_are_read():
    spaces = planted_languages(("en", "fr"))
    old = ia.join(spaces, dictionaries(STAR[:1]))
    with pytest.raises(ParameterError, match="pivot, middle would change"):
        join_files({"ja": "missing.vec"}, {("en", "ja"): "missing.txt"}, into=old, pivot="en", middle=True)


def test_a_method_from_outside_works_by_name_and_says_what_it_cannot():
    def stay(problem):
        """Leave all spaces as they are."""
        return JointMaps({name: np.eye(X.shape[1]) for name, X in problem.spaces.items()}, [])

    ia.register("join", "toy_stay", stay)
    try:
        spaces = planted_languages(("en", "fr"))
        model = ia.join(spaces, dictionaries(STAR[:1]), method="toy_stay", normalize="unit")
        np.testing.assert_allclose(model.space("fr"), unit_rows(spaces["fr"].vectors), atol=1e-6)
        with pytest.raises(ParameterError, match=r"reweight needs method='procrustes'\. Got 'toy_stay'"):
            ia.join(spaces, dictionaries(STAR[:1]), method="toy_stay", reweight=True)
        with pytest.raises(ParameterError, match="'toy_stay'"):
            ia.join(spaces, dictionaries(STAR[:1]), method="nosuch")
    finally:
        JOINT_METHODS.unregister("toy_stay")
