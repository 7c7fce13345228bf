"""What every registered alignment method must do."""

import numpy as np
import pytest
from sklearn.base import clone

import isoalign as ia
from isoalign.alignment import ALIGNERS, Maps, make_aligner
from isoalign.errors import NotFittedError, ParameterError, ShapeError
from isoalign.normalization import NORMALIZERS
from planted import planted_embeddings, planted_pair

X, Y, _ = planted_pair(n=120, dim=6, noise=0.3)


@pytest.fixture(params=ALIGNERS)
def aligner(request):
    return make_aligner(request.param)


def test_a_planted_rotation_is_undone(aligner):
    source, target, _ = planted_pair(n=200, dim=8)
    fitted = aligner.fit(source, target)
    mapped, other = fitted.transform(source), fitted.transform_target(target)
    cosines = (mapped * other).sum(axis=1) / np.linalg.norm(mapped, axis=1) / np.linalg.norm(other, axis=1)
    assert cosines.min() > 0.9


def test_learned_attributes_have_the_promised_shapes_and_types(aligner):
    fitted = aligner.fit(X, Y)
    assert fitted is aligner
    assert fitted.source_map_.dtype == np.float64
    assert fitted.source_map_.shape[0] == 6
    assert fitted.target_map_ is None or fitted.target_map_.shape == (6, fitted.source_map_.shape[1])
    assert fitted.transform(X).dtype == fitted.transform_target(Y).dtype == np.float32
    assert isinstance(fitted.history_, list)


def test_the_arguments_stay_as_they_are(aligner):
    mine = [X.copy(), Y.copy(), X.copy(), Y.copy()]
    aligner.fit(mine[0], mine[1], source_space=mine[2], target_space=mine[3])
    aligner.transform(mine[0])
    aligner.transform_target(mine[1])
    for now, before in zip(mine, (X, Y, X, Y), strict=True):
        np.testing.assert_array_equal(now, before)


def test_a_second_fit_forgets_the_first(aligner):
    fresh = clone(aligner).fit(X[:70], Y[:70])
    again = aligner.fit(X[50:], Y[50:]).fit(X[:70], Y[:70])
    np.testing.assert_array_equal(again.source_map_, fresh.source_map_)
    assert again.history_ == fresh.history_


def test_the_same_input_gives_the_same_output(aligner):
    np.testing.assert_array_equal(aligner.fit(X, Y).source_map_, clone(aligner).fit(X, Y).source_map_)


def test_the_last_step_called_back_is_the_result(aligner):
    steps = []
    aligner.fit(X, Y, callback=lambda step, maps: steps.append((step, maps)))
    assert [step for step, _ in steps] == list(range(len(steps)))
    assert isinstance(steps[-1][1], Maps)
    np.testing.assert_array_equal(steps[-1][1].source, aligner.source_map_)


def test_other_layouts_and_types_are_accepted(aligner):
    expected = aligner.fit(X, Y).source_map_
    other = clone(aligner).fit(np.asfortranarray(X), Y.astype(np.float64).tolist())
    np.testing.assert_allclose(other.source_map_, expected, atol=1e-12)


def test_scikit_learn_clones_it_unfitted(aligner):
    copy = clone(aligner.fit(X, Y))
    assert repr(copy) == repr(aligner)
    with pytest.raises(NotFittedError):
        copy.transform(X)


def test_a_fit_that_fails_leaves_nothing_learned(aligner):
    def give_up(_step, _maps):
        raise RuntimeError("enough")

    aligner.fit(X, Y)
    with pytest.raises(RuntimeError, match="enough"):
        aligner.fit(X, Y, callback=give_up)
    with pytest.raises(NotFittedError):
        aligner.transform(X)


def test_unknown_settings_are_refused_and_known_ones_kept(aligner):
    with pytest.raises(ParameterError, match="has no setting 'speed'"):
        aligner.set_params(speed=3)
    params = aligner.get_params(deep=False)
    assert aligner.set_params(**params).get_params(deep=False) == params


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((X, Y[:50]), ShapeError, "must have equal shapes"),
        ((X[0], Y[0]), ShapeError, "must be a matrix"),
        ((X[:0], Y[:0]), ShapeError, "at least 1 row"),
        ((np.full((3, 6), np.nan), Y[:3]), ValueError, "X must be finite. Row 0"),
    ],
)
def test_wrong_pairs_are_refused(aligner, arguments, error, message):
    with pytest.raises(error, match=message):
        aligner.fit(*arguments)


def test_a_space_of_other_columns_is_refused(aligner):
    with pytest.raises(ShapeError, match="X and source_space must have the same number of columns"):
        aligner.fit(X, Y, source_space=X[:, :5])
    with pytest.raises(ShapeError, match="target_space must be a matrix"):
        aligner.fit(X, Y, target_space=Y[0])


def test_one_pair_and_one_dimension_work(aligner):
    one = np.ones((1, 1), dtype=np.float32)
    np.testing.assert_allclose(aligner.fit(one, one).transform(one), aligner.transform_target(one), atol=1e-6)


@pytest.mark.parametrize("normalize", [*NORMALIZERS, "unit,center,unit", "iternorm,remove_top"])
@pytest.mark.parametrize("method", ALIGNERS)
def test_an_alignment_survives_saving_with_every_normaliser(method, normalize, tmp_path):
    source, target, train = planted_embeddings(n=60, dim=5, noise=0.2, n_pairs=40)
    model = ia.align(source, target, train, method=method, normalize=normalize, select=None)
    model.save(tmp_path / "m")
    loaded = ia.Alignment.load(tmp_path / "m")
    new = np.random.default_rng(0).standard_normal((4, 5)).astype(np.float32)
    for side in ("source", "target"):
        np.testing.assert_array_equal(loaded.apply(new, side=side), model.apply(new, side=side), strict=True)
    assert repr(loaded.normalizers) == repr(model.normalizers)
