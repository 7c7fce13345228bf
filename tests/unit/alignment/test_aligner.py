import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold

from isoalign.alignment import Aligner, LeastSquares, Procrustes, VecMap
from isoalign.normalization import Center, Identity, IterNorm, Unit
from planted import planted_pair


def test_grid_search_chooses_by_folds_that_share_no_source_word():
    X, Y, _ = planted_pair(n=150, dim=10, noise=0.3)
    X, Y = np.vstack([X, X[:30]]), np.vstack([Y, Y[100:130]])
    words = np.concatenate([np.arange(150), np.arange(30)])
    ridges = [0.0, 1e6]
    search = GridSearchCV(
        Aligner(Unit(), LeastSquares()),
        {"mapper__ridge": ridges, "normalizer": [Identity(), IterNorm()]},
        cv=GroupKFold(3),
    )
    search.fit(X, Y, groups=words)
    assert search.best_score_ > 0.5
    assert len(search.cv_results_["params"]) == 4
    assert search.best_estimator_.transform(X).shape == (180, 10)


def test_the_normalisers_are_fitted_on_their_own_side():
    X, Y, _ = planted_pair(n=200)
    fitted = Aligner(Center()).fit(X, Y)
    np.testing.assert_allclose(fitted.source_normalizer_.mean_, X.mean(axis=0), atol=1e-5)
    np.testing.assert_allclose(fitted.target_normalizer_.mean_, Y.mean(axis=0), atol=1e-5)


def test_the_score_is_precision_at_one():
    X, Y, _ = planted_pair(n=60)
    fitted = Aligner(Identity(), Procrustes()).fit(X, Y)
    assert fitted.score(X, Y) == 1.0
    assert fitted.score(X, Y[::-1]) == 0.0


def test_any_translation_of_a_word_counts_as_right():
    X, Y, _ = planted_pair(n=60)
    fitted = Aligner(Identity(), Procrustes()).fit(X, Y)
    assert fitted.score(np.vstack([X, X[:20]]), np.vstack([Y, Y[40:]])) == 1.0


def test_both_sides_may_move():
    X, Y, _ = planted_pair()
    fitted = Aligner(mapper=VecMap()).fit(X, Y)
    np.testing.assert_allclose(fitted.transform(X), fitted.transform_target(Y), atol=1e-3)


def test_clones_are_unfitted_and_equal():
    aligner = Aligner(Unit(), LeastSquares(ridge=2.0))
    assert repr(clone(aligner)) == repr(aligner) == "Aligner(normalizer=Unit(), mapper=LeastSquares(ridge=2.0))"
    assert aligner.get_params()["mapper__ridge"] == 2.0
    with pytest.raises(ValueError, match="not fitted"):
        clone(aligner).transform(np.eye(2))
