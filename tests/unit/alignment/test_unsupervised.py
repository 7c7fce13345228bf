"""Alignment without a dictionary: restarts, the verdict, and a method that follows."""

from functools import partial

import numpy as np
import pytest

import isoalign as ia
from isoalign._core.arrays import unit_rows
from isoalign.alignment import RECIPES, Problem, Procrustes, SelfLearning, learn, resolve_method
from isoalign.alignment._unsupervised import check_restarts, learn_with_restarts
from isoalign.alignment.starts import Similarity
from isoalign.datasets import load_sample
from isoalign.errors import IsoalignWarning, ParameterError
from planted import random_rotation

QUICK = {"patience": 5}


def words(n=150, dim=25):
    vectors = load_sample().source.vectors[:n]
    vectors = vectors - vectors.mean(axis=0)
    return unit_rows(vectors @ np.linalg.svd(vectors, full_matrices=False)[2][:dim].T)


@pytest.fixture(scope="module")
def sides():
    X = words()
    Y = X @ random_rotation(25) + 0.02 * np.random.default_rng(0).standard_normal(X.shape)
    return (
        ia.Embeddings([f"s{i}" for i in range(len(X))], X, lang="xx"),
        ia.Embeddings([f"t{i}" for i in range(len(X))], Y, lang="yy"),
    )


@pytest.fixture(scope="module")
def gold(sides):
    return ia.Lexicon(zip(*(side.index_to_key for side in sides), strict=True))


def precision(model, gold):
    return ia.evaluate_bli(model, gold).precision[1]


def test_a_rotated_copy_is_found_without_a_dictionary(sides, gold, tmp_path):
    model = ia.align(*sides, start="similarity", settings=QUICK)
    assert (model.provenance["method"], model.provenance["grown_by"]) == ("geomm", "self_learning")
    assert precision(model, gold) > 0.9
    assert model.verdict["status"] == "found"
    assert model.verdict["null_agreement"] < 0.25
    assert len(model.verdict["pairwise"]) == 3
    model.save(tmp_path / "m")
    assert ia.Alignment.load(tmp_path / "m").verdict == model.verdict


def test_permuted_columns_fail_with_a_warning(sides):
    source, target = sides
    rng = np.random.default_rng(0)
    nothing = target.with_vectors(np.column_stack([rng.permutation(column) for column in target.vectors.T]))
    with pytest.warns(IsoalignWarning, match="do not use this map; a dictionary of 100 pairs would help more"):
        model = ia.align(source, nothing, start="similarity", settings=QUICK)
    assert model.verdict["status"] == "failed"


def test_another_method_follows_on_the_induced_dictionary(sides, gold):
    model = ia.align(*sides, start="similarity", restarts=1, then="least_squares", settings=QUICK)
    about = model.provenance
    assert (about["method"], about["grown_by"], model.verdict) == ("least_squares", "self_learning", None)
    assert about["grown_pairs"] > 100
    assert precision(model, gold) > 0.9


@pytest.mark.parametrize("given", [{"start": "identical"}, {"few_pairs": True}])
def test_self_learning_looks_at_few_words_where_geomm_follows_unless_it_is_named_or_told(given):
    method = resolve_method(**given)
    usual = method.aligner
    assert (usual.max_rank, usual.patience, method.then) == (4000, 20, "geomm")
    told = resolve_method(**given, settings={"max_rank": 9}).aligner
    assert (told.max_rank, told.patience) == (9, 20)
    assert resolve_method("self_learning", **given).then is None
    named = resolve_method("self_learning", **given).aligner
    assert (named.max_rank, named.patience) == (SelfLearning().max_rank, SelfLearning().patience)


def test_nothing_follows_by_default_where_fewer_pairs_than_dimensions_are_found(sides):
    few = [side.head(sides[0].vector_size - 1) for side in sides]
    model = ia.align(*few, start="similarity", restarts=1, settings=QUICK)
    assert (model.provenance["method"], model.provenance["grown_by"]) == ("self_learning", None)


def test_given_pairs_stay_for_the_method_that_follows(sides, gold):
    seeds = ia.Lexicon([*list(gold)[:10], ("s0", "t140")])
    model = ia.align(*sides, seeds, method=SelfLearning(**QUICK), then="procrustes")
    assert (model.provenance["pairs"], model.provenance["grown_pairs"] > 100) == (len(seeds), True)
    assert precision(model, gold) > 0.9


def test_few_pairs_are_no_reason_for_a_warning_where_they_grow(sides, gold):
    model = ia.align(*sides, list(gold)[:10], method="self_learning", settings=QUICK)
    assert precision(model, gold) > 0.9


def test_few_pairs_are_left_to_self_learning_unless_a_method_is_named(sides, gold):
    few = list(gold)[:10]
    with pytest.warns(IsoalignWarning, match=r"10 known words are too few for a plain map: self_learning is used"):
        model = ia.align(*sides, few)
    assert (model.provenance["method"], model.provenance["grown_by"]) == ("geomm", "self_learning")
    assert precision(model, gold) > 0.9
    with pytest.warns(IsoalignWarning, match="will translate other words badly"):
        plain = ia.align(*sides, few, method="procrustes")
    assert plain.provenance["method"] == "procrustes"
    assert precision(plain, gold) < 0.7
    assert ia.align(*sides, list(gold)[:120]).provenance["method"] == "geomm"


@pytest.mark.parametrize("n_pairs", [2, 5, 10])
def test_settings_are_chosen_honestly_from_few_pairs_too(sides, gold, n_pairs):
    with pytest.warns(IsoalignWarning, match="badly"):
        model = ia.align(*sides, list(gold)[:n_pairs], method="refine")
    selection = model.history["selection"]
    assert selection["n_words"] == max(1, n_pairs // 5)
    assert len(selection["candidates"]) == 6


@pytest.mark.filterwarnings("ignore:doubtful")
def test_the_same_seed_gives_the_same_map(sides):
    problem = Problem(sides[0].vectors, sides[1].vectors)
    problem = Problem(problem.X, problem.Y, Similarity().find_pairs(problem), is_guess=True)
    one, again = (
        learn_with_restarts(problem, partial(learn, aligner=SelfLearning(**QUICK)), restarts=2)[0] for _ in range(2)
    )
    np.testing.assert_array_equal(one.maps.source.matrix, again.maps.source.matrix)


def test_restarts_need_a_method_that_depends_on_a_seed():
    assert check_restarts(None, SelfLearning()) == 3
    assert check_restarts(None, Procrustes()) == 1
    with pytest.raises(ParameterError, match="procrustes does not depend on a seed"):
        check_restarts(3, Procrustes())


@pytest.mark.parametrize("name", ["vecmap-identical", "vecmap-unsupervised"])
def test_recipes_bring_their_start(name):
    assert resolve_method(name).start == RECIPES[name].start
    assert resolve_method(name, start="numerals").start == "numerals"


def test_a_recipe_without_a_dictionary_uses_its_start(sides, gold):
    model = ia.align(*sides, method="vecmap-unsupervised", restarts=1, settings=QUICK)
    assert model.provenance["start"] == "similarity"
    assert precision(model, gold) > 0.9


def test_words_spelled_alike_are_found_wherever_candidates_are(sides):
    source, target = sides
    alike = ia.Embeddings(source.index_to_key, target.vectors, lang="yy")
    rows = np.arange(len(source))[::-1]
    model = ia.align(source, alike, start="identical", method="procrustes", candidates=(rows, rows))
    assert precision(model, ia.Lexicon((word, word) for word in source.index_to_key)) > 0.9
