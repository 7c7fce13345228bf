import json

import numpy as np
import pytest

import isoalign as ia
from isoalign.alignment import RECIPES, Procrustes, Refine, resolve_method
from isoalign.errors import InvalidValueError, IsoalignWarning, ParameterError, ShapeError
from isoalign.neighbors import csls_precision_at_1
from planted import planted_embeddings


@pytest.fixture(scope="module")
def pair():
    return planted_embeddings(n=300, dim=8, noise=0.5, n_pairs=100, seed=5)


def precision(model, rows):
    pairs = np.repeat(np.asarray(rows)[:, None], 2, axis=1)
    return csls_precision_at_1(model.space("source"), model.space("target"), pairs)


def test_it_is_what_the_array_estimators_do_one_after_another(pair):
    source, target, train = pair
    model = ia.align(source, target, train, method="procrustes", normalize="iternorm")
    S, T = ia.IterNorm().fit_transform(source.vectors), ia.IterNorm().fit_transform(target.vectors)
    fitted = Procrustes().fit(S[:100], T[:100])
    np.testing.assert_array_equal(model.source_map, fitted.source_map_)
    assert model.target_map is None
    aligner = ia.Aligner().fit(
        source.vectors[:100], target.vectors[:100], source_space=source.vectors, target_space=target.vectors
    )
    np.testing.assert_allclose(aligner.mapper_.source_map_, fitted.source_map_, atol=1e-6)


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
    assert [set(entry) for entry in model.history["residuals"]["source"]] == [{"mean_norm", "length_error"}] * 5
    json.dumps([model.history, model.provenance])


def test_the_final_map_learns_from_all_pairs(pair):
    source, target, _ = pair
    model = ia.align(*pair, method="refine", normalize="none")
    n_iter = model.history["selection"]["chosen"]["n_iter"]
    fitted = Refine(n_iter=n_iter).fit(
        source.vectors[:100], target.vectors[:100], source_space=source.vectors, target_space=target.vectors
    )
    np.testing.assert_array_equal(model.source_map, fitted.source_map_)


def test_without_selection_the_settings_stay_as_given(pair):
    model = ia.align(*pair, method="refine", select=None, n_iter=2)
    assert model.history["selection"] is None
    assert len(model.history["steps"]) == 3


def test_the_test_words_change_nothing_unless_they_are_asked_for(pair):
    test = ia.Lexicon((f"s{i}", f"t{i}") for i in range(100, 200))
    for select in ("validation", "unsupervised", None):
        plain = ia.align(*pair, method="refine", select=select)
        given = ia.align(*pair, method="refine", select=select, test=test)
        np.testing.assert_array_equal(plain.source_map, given.source_map)
        assert plain.history["selection"] == given.history["selection"]


def test_selecting_on_test_words_warns_and_is_recorded(pair):
    test = ia.Lexicon((f"s{i}", f"t{i}") for i in range(100, 200))
    with pytest.warns(IsoalignWarning, match="saw the test words"):
        model = ia.align(*pair, method="refine", select="test", test=test)
    assert "not honest" in model.history["selection"]["about"]
    assert model.history["selection"]["n_words"] == 100
    best = max(candidate["score"] for candidate in model.history["selection"]["candidates"])
    assert precision(model, range(100, 200)) == pytest.approx(best)


def test_selecting_on_test_words_needs_them(pair):
    with pytest.warns(IsoalignWarning), pytest.raises(ParameterError, match="needs the test dictionary"):
        ia.align(*pair, method="refine", select="test")


def test_a_method_with_nothing_open_does_not_claim_to_have_seen_test_words(pair):
    assert ia.align(*pair, select="test", test=pair[2]).history["selection"] is None


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_runs_by_its_name(pair, name):
    model = ia.align(*pair, method=name)
    assert model.provenance["recipe"] == name
    assert precision(model, range(100)) > 0.3


def test_settings_go_over_those_of_a_recipe(pair):
    aligner, normalize, select = resolve_method("fasttext-rcsls", lr=5.0)
    assert repr(aligner) == "RCSLS(lr=5.0, epochs=10, quirks='fasttext')"
    assert (normalize, select) == ("none", None)


def test_an_unknown_method_names_methods_and_recipes():
    with pytest.raises(ParameterError, match=r"'procrustes'.*'muse-supervised'.*Did you mean 'fasttext-rcsls'"):
        resolve_method("fasttext-rcls")
    with pytest.raises(ParameterError, match="select must be one of"):
        resolve_method("refine", select="tets")


def test_an_aligner_that_was_given_stays_unfitted(pair):
    given = Refine(n_iter=1)
    ia.align(*pair, method=given, select=None)
    assert not hasattr(given, "source_map_")


def test_different_dimensions_work_with_maps_that_can(pair):
    source, target, train = pair
    smaller = target.with_vectors(np.ascontiguousarray(target.vectors[:, :5]))
    assert ia.align(source, smaller, train, method="least_squares").space("source").shape == (300, 5)
    assert ia.align(source, smaller, train, method="vecmap").space("target").shape == (300, 5)
    assert ia.align(source, smaller, train, method="refine", aligner="vecmap").space("target").shape == (300, 5)
    with pytest.raises(ShapeError, match=r"procrustes needs vectors of equal dimension. Got 8 and 5. Use method="):
        ia.align(source, smaller, train)


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
        IsoalignWarning, match=f"{n_pairs} known pairs .* for 8 dimensions: the map is arbitrary"
    ) as found:
        model = ia.align(source, target, train, method=method)
    assert len(found) == 1
    assert np.isfinite(model.space("source")).all()
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
    model = ia.align(source, renamed, "identical")
    assert model.provenance["lexicon"]["known_pairs"] == 100
    with pytest.raises(ParameterError, match="seed dictionary must be one of"):
        ia.align(source, renamed, "same")


def test_gensim_vectors_are_taken_as_they_are(pair):
    source, target, train = pair
    model = ia.align(source.to_gensim(), target.to_gensim(), train)
    np.testing.assert_array_equal(model.source_map, ia.align(source, target, train).source_map)
