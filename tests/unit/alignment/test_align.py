import json
from contextlib import nullcontext

import numpy as np
import pytest

import isoalign as ia
from isoalign.alignment import RECIPES, Problem, Procrustes, Refine, resolve_method
from isoalign.errors import InvalidValueError, IsoalignWarning, ParameterError, ShapeError
from isoalign.maps import IdentityMap
from isoalign.neighbors import csls_precision_at_1
from planted import planted_embeddings


@pytest.fixture(scope="module")
def pair():
    return planted_embeddings(n=300, dim=8, noise=0.5, n_pairs=100, seed=5)


def precision(model, rows):
    pairs = np.repeat(np.asarray(rows)[:, None], 2, axis=1)
    pair = model.pair()
    return csls_precision_at_1(pair.sources, pair.targets, pairs)


def test_it_is_what_the_array_estimators_do_one_after_another(pair):
    source, target, train = pair
    model = ia.align(source, target, train, method="procrustes", normalize="iternorm")
    S, T = ia.IterNorm().fit_transform(source.vectors), ia.IterNorm().fit_transform(target.vectors)
    fitted = Procrustes().fit(S[:100], T[:100])
    np.testing.assert_array_equal(model["xx"].map, fitted.source_map_)
    assert isinstance(model["yy"].map, IdentityMap)


def test_unseen_words_are_found(pair):
    source, target, train = planted_embeddings(n=300, dim=8, n_pairs=100)
    assert precision(ia.align(source, target, train), range(100, 300)) == 1.0


def test_selection_is_recorded_with_its_evidence(pair):
    model = ia.align(*pair, method="rcsls", random_state=1)
    selection = model.history["selection"]
    assert selection["criterion"] == "validation"
    assert selection["n_words"] == 20
    assert len(selection["candidates"]) == 8
    assert model.provenance["settings"]["lr"] == selection["chosen"]["lr"]
    assert len(model.history["steps"]) == selection["chosen"]["epochs"] + 1
    assert [set(entry) for entry in model.history["residuals"]["xx"]] == [{"mean_norm", "length_error"}] * 5
    json.dumps([model.history, model.provenance])


def test_the_final_map_learns_from_all_pairs(pair):
    source, target, _ = pair
    model = ia.align(*pair, method="refine", normalize="none")
    n_iter = model.history["selection"]["chosen"]["n_iter"]
    pairs = np.repeat(np.arange(100)[:, None], 2, axis=1)
    fitted = Refine(n_iter=n_iter).fit_problem(Problem(source.vectors, target.vectors, pairs))
    np.testing.assert_array_equal(model["xx"].map, fitted.source_map_)


def test_without_selection_the_settings_stay_as_given(pair):
    model = ia.align(*pair, method="refine", select=None, settings={"n_iter": 2})
    assert model.history["selection"] is None
    assert len(model.history["steps"]) == 3


def test_the_test_words_change_nothing_unless_they_are_asked_for(pair):
    test = ia.Lexicon((f"s{i}", f"t{i}") for i in range(100, 200))
    for select in ("validation", "unsupervised", None):
        plain = ia.align(*pair, method="refine", select=select)
        given = ia.align(*pair, method="refine", select=select, test=test)
        np.testing.assert_array_equal(plain["xx"].map, given["xx"].map)
        assert plain.history["selection"] == given.history["selection"]


def test_selecting_on_test_words_warns_and_is_recorded(pair):
    test = ia.Lexicon((f"s{i}", f"t{i}") for i in range(100, 200))
    with pytest.warns(IsoalignWarning, match="used the test words"):
        model = ia.align(*pair, method="refine", select="test", test=test)
    assert "not honest" in model.history["selection"]["about"]
    assert model.history["selection"]["n_words"] == 100
    best = max(candidate["score"] for candidate in model.history["selection"]["candidates"])
    assert precision(model, range(100, 200)) == pytest.approx(best)


def test_selecting_on_test_words_needs_them(pair):
    with pytest.warns(IsoalignWarning), pytest.raises(ParameterError, match="needs the test dictionary"):
        ia.align(*pair, method="refine", select="test")


def test_a_method_with_nothing_open_does_not_claim_to_have_seen_test_words(pair):
    assert ia.align(*pair, method="procrustes", select="test", test=pair[2]).history["selection"] is None


LONG = {"c1", "vecmap-unsupervised", "vecmap-semi", "vecmap-identical"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in LONG else name for name in RECIPES]
)
def test_every_recipe_runs_by_its_name(pair, name):
    own_start = RECIPES[name].start
    with pytest.warns(IsoalignWarning, match="the dictionary is used") if own_start else nullcontext():
        model = ia.align(*pair, method=name)
    assert model.provenance["recipe"] == name
    assert precision(model, range(100)) > 0.3


def test_settings_go_over_those_of_a_recipe(pair):
    method = resolve_method("fasttext-rcsls", settings={"lr": 5.0})
    assert repr(method.aligner) == "RCSLS(lr=5.0, epochs=10, quirks='fasttext')"
    assert (method.normalize, method.select) == ("none", None)


def test_names_of_methods_are_found_in_any_case():
    assert repr(resolve_method(" VecMap").aligner) == repr(resolve_method("vecmap").aligner)
    assert resolve_method("Contrast-Kernel").recipe == "contrast-kernel"


def test_an_unknown_method_names_methods_and_recipes():
    with pytest.raises(ParameterError, match=r"'procrustes'.*'muse-supervised'.*Did you mean 'fasttext-rcsls'"):
        resolve_method("fasttext-rcls")
    with pytest.raises(ParameterError, match="select must be one of"):
        resolve_method("refine", select="tets")


def test_an_aligner_that_was_given_stays_unfitted(pair):
    given = Refine(n_iter=1)
    ia.align(*pair, method=given, select=None)
    assert not hasattr(given, "maps_")


def test_different_dimensions_work_with_maps_that_can(pair):
    source, target, train = pair
    smaller = target.with_vectors(np.ascontiguousarray(target.vectors[:, :5]))
    assert ia.align(source, smaller, train, method="least_squares").space("xx").shape == (300, 5)
    assert ia.align(source, smaller, train, method="vecmap").space("yy").shape == (300, 5)
    refined = ia.align(source, smaller, train, method="refine", settings={"aligner": "vecmap"})
    assert refined.space("yy").shape == (300, 5)
    with pytest.raises(ShapeError, match=r"procrustes needs vectors of equal dimension. Got 8 and 5. Use") as refusal:
        ia.align(source, smaller, train, method="procrustes")
    assert {"'least_squares'", "'kernel'"} <= set(str(refusal.value).split("method=")[1].rstrip(".").split(" or "))
    assert "'refine'" not in str(refusal.value)  # whose default is a rotation
    assert ia.align(source, smaller, train).space("xx", to="yy").shape == (300, 5)


@pytest.mark.parametrize("method", ["procrustes", "least_squares", "refine", "rcsls", "vecmap"])
def test_a_tiny_vocabulary_works(method):
    source, target, train = planted_embeddings(n=20, dim=4, seed=1)
    model = ia.align(source, target, train, method=method)
    assert precision(model, range(20)) > 0.8
    assert len(ia.induce_lexicon(model)) > 10
    assert len(ia.Translator(model).translate("s3", k=50)) == 20


@pytest.mark.parametrize("method", ["procrustes", "least_squares", "refine", "rcsls", "vecmap"])
@pytest.mark.parametrize("n_pairs", [1, 4])
def test_fewer_pairs_than_dimensions_work_with_one_warning(method, n_pairs):
    source, target, _ = planted_embeddings(n=60, dim=8)
    train = ia.Lexicon((f"s{i}", f"t{i}") for i in range(n_pairs))
    with pytest.warns(
        IsoalignWarning, match=f"{n_pairs} known pairs? .* for 8 dimensions: the map is arbitrary"
    ) as found:
        model = ia.align(source, target, train, method=method)
    assert len(found) == 1
    assert np.isfinite(model.space("xx")).all()
    if n_pairs == 1 and method in ("refine", "rcsls"):
        assert "cannot be split" in str(found[0].message)


def test_no_known_pair_says_what_would_help(pair):
    source, target, train = pair
    loud = ia.Lexicon((a.upper(), b.upper()) for a, b in train)
    with pytest.raises(InvalidValueError, match=r"No dictionary pair has both words.*100 more after lower-casing"):
        ia.align(source, target, loud)
    with pytest.raises(InvalidValueError, match="Give a dictionary of these two languages"):
        ia.align(source, target, [])


def test_a_vector_that_is_not_finite_is_named_by_its_word(pair):
    source, target, train = pair
    broken = source.with_vectors(source.vectors.copy())
    broken.vectors[7, 2] = np.nan
    with pytest.raises(InvalidValueError, match="The vector of 's7'"):
        ia.align(broken, target, train)


@pytest.mark.parametrize(("kind", "expected"), [("identical", ["the", "1989", "3.14", "x1"]), ("numerals", ["1989"])])
def test_seeds_without_a_dictionary(kind, expected):
    rng = np.random.default_rng(0)
    source = ia.Embeddings(["the", "cat", "1989", "3.14", "x1", "٣"], rng.standard_normal((6, 2)).astype(np.float32))
    target = ia.Embeddings(["1989", "le", "the", "x1", "3.14", "11"], rng.standard_normal((6, 2)).astype(np.float32))
    assert ia.seed_lexicon(source, target, kind).sources == expected


def test_align_takes_the_name_of_a_seed(pair):
    source, target, _ = pair
    renamed = ia.Embeddings([f"s{i}" if i < 100 else f"t{i}" for i in range(300)], target.vectors)
    model = ia.align(source, renamed, "identical", method="procrustes")
    assert model.provenance["start"] == "identical"
    given = ia.align(source, renamed, ia.seed_lexicon(source, renamed), method="procrustes")
    np.testing.assert_array_equal(model["xx"].map, given["xx"].map)
    with pytest.raises(ParameterError, match="start must be one of"):
        ia.align(source, renamed, "same")


def test_without_a_dictionary_a_method_says_what_it_needs(pair):
    with pytest.raises(ParameterError, match=r"kernel needs a dictionary\. Give one, or start='identical'"):
        ia.align(pair[0], pair[1])


def test_one_seed_reaches_the_split_however_it_is_given(pair):
    by_argument = ia.align(*pair, method="refine", random_state=3)
    by_setting = ia.align(*pair, method="refine", settings={"random_state": 3})
    assert by_argument.history["selection"] == by_setting.history["selection"]
    assert by_setting.provenance["random_state"] == 3
    assert by_argument.history["selection"] != ia.align(*pair, method="refine").history["selection"]


def test_weights_count_pairs_as_if_they_were_repeated(pair):
    source, target, train = pair
    twice = ia.align(source, target, [*train, *train[:30]], method="procrustes")
    weighted = ia.align(source, target, train, method="procrustes", weights=[2.0] * 30 + [1.0] * 70)
    np.testing.assert_allclose(weighted["xx"].map, twice["xx"].map, atol=1e-5)
    partly = ia.Lexicon([("unknown", "t0"), *train])
    kept = ia.align(source, target, partly, method="procrustes", weights=[5.0] + [2.0] * 30 + [1.0] * 70)
    np.testing.assert_array_equal(kept["xx"].map, weighted["xx"].map)
    with pytest.raises(ParameterError, match=r"kernel does not weigh pairs\. Use method='procrustes' or"):
        ia.align(source, target, train, weights=[1.0] * 100)


def test_candidates_may_be_named_by_row(pair):
    source, target, train = pair
    first = ia.align(*pair, method="refine", select=None, candidates=(50, 60))
    order = np.random.default_rng(0).permutation(300)
    shuffled = source.take(order)
    places = np.argsort(order)[:50]
    named = ia.align(shuffled, target, train, method="refine", select=None, candidates=(places, 60))
    assert first.history["steps"] == named.history["steps"]
    assert first.history["steps"] != ia.align(*pair, method="refine", select=None).history["steps"]


def test_rows_that_are_documents_need_no_words(pair):
    source, target, _ = pair
    model = ia.align(source.vectors, target.vectors, [(i, i) for i in range(100)], normalize="none")
    np.testing.assert_array_equal(model["source"].map, ia.align(*pair, normalize="none")["xx"].map)
    assert ia.Translator(model).translate(3, k=1)[0].word in range(300)
    with pytest.raises(ParameterError, match="compares words"):
        ia.align(source.vectors, target.vectors, start="identical")


def test_gensim_vectors_are_taken_as_they_are(pair):
    source, target, train = pair
    model = ia.align(source.to_gensim(), target.to_gensim(), train)
    np.testing.assert_array_equal(model["source"].map, ia.align(source, target, train)["xx"].map)


def test_small_dictionaries_get_a_map_that_needs_fewer_words(pair, monkeypatch):
    assert ia.align(*pair).provenance["method"] == "geomm"
    monkeypatch.setattr("isoalign.alignment._align._SMALL", 100)
    assert ia.align(*pair).provenance["recipe"] == "contrast-kernel"
