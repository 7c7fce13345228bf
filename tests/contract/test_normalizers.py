"""What every registered normaliser, and chains of them, must do."""

import json

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from isoalign.errors import InvalidValueError, NotFittedError, ParameterError, ShapeError
from isoalign.normalization import NORMALIZERS, describe_normalizer, make_normalizer, restore_normalizer

NAMES = [*NORMALIZERS, "unit,center,unit", "iternorm,remove_top"]


@pytest.fixture(name="X")
def some_rows():
    rng = np.random.default_rng(0)
    return (rng.standard_normal((200, 10)) * rng.uniform(1, 5, (200, 1)) + 2).astype(np.float32)


@pytest.fixture(params=NAMES)
def normalizer(request):
    return make_normalizer(request.param)


def test_the_argument_stays_as_it_is(normalizer, X):
    before = X.copy()
    normalizer.fit(X)
    normalizer.fit_transform(X)
    normalizer.transform(X)
    np.testing.assert_array_equal(X, before)


def test_transforming_the_fitted_rows_equals_fit_transform(normalizer, X):
    expected = normalizer.fit_transform(X)
    np.testing.assert_allclose(normalizer.transform(X), expected, atol=1e-6)
    np.testing.assert_allclose(normalizer.fit(X).transform(X), expected, atol=1e-6)


def test_a_fit_that_fails_leaves_nothing_learned(normalizer, X):
    def give_up(*_):
        raise RuntimeError("enough")

    normalizer.fit(X)
    with pytest.raises(RuntimeError, match="enough"):
        normalizer.fit_transform(X, progress=give_up)
    with pytest.raises(NotFittedError):
        normalizer.transform(X)


def test_a_row_alone_is_transformed_as_among_others(normalizer, X):
    whole = normalizer.fit(X[:100]).transform(X[100:])
    alone = np.vstack([normalizer.transform(row[None]) for row in X[100:]])
    np.testing.assert_allclose(alone, whole, atol=1e-6)


def test_copy_false_overwrites_the_argument(normalizer, X):
    expected = normalizer.fit_transform(X)
    for method in (normalizer.fit_transform, normalizer.transform):
        mine = X.copy()
        assert method(mine, copy=False) is mine
        np.testing.assert_allclose(mine, expected, atol=1e-6)


@pytest.mark.parametrize("unfit", [np.asfortranarray, np.float64, list], ids=["fortran", "float64", "list"])
def test_copy_false_refuses_what_it_cannot_overwrite(normalizer, X, unfit):
    with pytest.raises(ParameterError, match="copy=False needs a writable"):
        normalizer.fit_transform(unfit(X), copy=False)


def test_copy_false_refuses_a_read_only_matrix(normalizer, X):
    X.flags.writeable = False
    with pytest.raises(ParameterError, match="read-only"):
        normalizer.fit_transform(X, copy=False)
    normalizer.fit(X)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_value_that_is_not_finite_is_refused_by_its_row_and_nothing_is_changed(normalizer, X, value):
    normalizer.fit(X)
    X[7, 3] = value
    before = X.copy()
    for method in (normalizer.fit_transform, normalizer.transform):
        with pytest.raises(InvalidValueError, match="Row 7 "):
            method(X, copy=False)
    with pytest.raises(InvalidValueError, match="Row 7 "):
        normalizer.fit(X)
    np.testing.assert_array_equal(X, before)


def test_other_columns_than_the_fitted_ones_are_refused(normalizer, X):
    with pytest.raises(ShapeError, match="is expecting 10 features"):
        normalizer.fit(X).transform(X[:, :4])


def test_transform_before_fit_is_refused(normalizer, X):
    with pytest.raises(NotFittedError, match="Call fit first"):
        normalizer.transform(X)
    with pytest.raises(NotFittedError, match="Call fit first"):
        normalizer.get_state()


def test_a_second_fit_forgets_the_first(normalizer, X):
    fresh = clone(normalizer).fit_transform(X[50:])
    np.testing.assert_array_equal(normalizer.fit(X[:50]).fit_transform(X[50:]), fresh)


def test_the_state_survives_json_and_plain_arrays(normalizer, X):
    normalizer.fit(X)
    description = json.loads(json.dumps(describe_normalizer(normalizer)))
    state = normalizer.get_state()
    assert {array.dtype.name for array in state.values()} <= {"float32", "float64", "int64"}
    restored = restore_normalizer(description, state)
    np.testing.assert_array_equal(restored.transform(X), normalizer.transform(X))
    assert repr(restored) == repr(normalizer)
    for name, array in restored.get_state().items():
        np.testing.assert_array_equal(array, state[name], strict=True)


def test_a_state_with_something_missing_is_refused(normalizer, X):
    with pytest.raises(ParameterError, match=r"must hold .*n_features_in_"):
        clone(normalizer).set_state({})
    state = normalizer.fit(X).get_state()
    for name in state:
        with pytest.raises(ParameterError, match="must hold"):
            clone(normalizer).set_state({key: value for key, value in state.items() if key != name})


def test_scikit_learn_clones_it_unfitted(normalizer, X):
    copy = clone(normalizer.fit(X))
    assert repr(copy) == repr(normalizer)
    with pytest.raises(NotFittedError):
        copy.transform(X)


def test_it_works_in_a_pipeline(normalizer, X):
    expected = normalizer.fit_transform(X)
    pipeline = make_pipeline(clone(normalizer))
    np.testing.assert_array_equal(pipeline.fit_transform(X), expected)
    np.testing.assert_allclose(pipeline.transform(X), expected, atol=1e-6)


def test_the_result_does_not_depend_on_the_number_of_threads(normalizer, monkeypatch):
    X = np.random.default_rng(1).standard_normal((5000, 6), dtype=np.float32) + 1
    results = []
    for threads in (1, 3):
        monkeypatch.setattr("isoalign._core.threads.thread_count", lambda threads=threads: threads)
        results.append(normalizer.fit_transform(X))
    np.testing.assert_array_equal(*results)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the checks fit on too few and on constant rows
@pytest.mark.parametrize("name", [name for name in NAMES if "remove_top" not in name])
def test_all_checks_of_scikit_learn_pass(name):
    _check(make_normalizer(name))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_all_checks_of_scikit_learn_pass_if_few_enough_directions_are_removed():
    _check(make_normalizer("remove_top", n=1))  # the checks have matrices of two columns


def _check(normalizer):
    found = check_estimator(normalizer, on_fail=None, on_skip=None)
    assert len(found) > 40
    assert {one["check_name"]: str(one["exception"]) for one in found if one["status"] == "failed"} == {}
