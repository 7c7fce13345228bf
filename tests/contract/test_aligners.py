"""What every registered alignment method must do; the checks themselves are public, for other packages' methods."""

import numpy as np
import pytest
from sklearn.base import clone

import isoalign as ia
from isoalign.alignment import ALIGNERS, RECIPES, make_aligner, resolve_method
from isoalign.errors import NotFittedError
from isoalign.normalization import NORMALIZERS
from isoalign.testing import METHOD_CHECKS, planted_embeddings, planted_problem

LONG = {"contrastive_c1"}


@pytest.mark.parametrize("check", METHOD_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in LONG else name for name in ALIGNERS]
)
def test_every_method_keeps_the_contract(name, check):
    check(name)


@pytest.mark.parametrize("name", ALIGNERS)
def test_scikit_learn_clones_it_unfitted(name):
    problem = planted_problem()
    aligner = make_aligner(name).fit(problem.X, problem.Y)
    copy = clone(aligner)
    assert repr(copy) == repr(aligner)
    with pytest.raises(NotFittedError):
        copy.transform(problem.X)


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_names_a_method_and_its_settings(name):
    method = resolve_method(name)
    assert method.recipe == name
    assert RECIPES[name].about


@pytest.mark.parametrize("normalize", [*NORMALIZERS, "unit,center,unit", "iternorm,remove_top"])
@pytest.mark.parametrize("method", ["procrustes", "vecmap"])
def test_an_alignment_survives_saving_with_every_normaliser(method, normalize, tmp_path):
    source, target, train = planted_embeddings(60, 5, noise=0.2, n_pairs=40)
    model = ia.align(source, target, train, method=method, normalize=normalize, select=None)
    model.save(tmp_path / "m")
    loaded = ia.Alignment.load(tmp_path / "m")
    new = np.random.default_rng(0).standard_normal((4, 5)).astype(np.float32)
    for name in model:
        np.testing.assert_array_equal(loaded.apply(new, name), model.apply(new, name), strict=True)
        assert repr(loaded[name].normalizer) == repr(model[name].normalizer)
