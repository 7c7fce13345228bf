"""Estimators, checks, optional imports, and what ``import isoalign`` does."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import isoalign as ia
from isoalign._core import optional
from isoalign._core.arrays import column_mean, mean_rows, multiply, row_blocks, row_lengths, unit_rows
from isoalign._core.estimator import AbstractEstimator
from isoalign._core.optional import import_extra
from isoalign._core.threads import limit_threads
from isoalign._core.validate import check_choice, check_count, check_matrix, check_pairs, check_row_pairs, first_bad_row
from isoalign.errors import InvalidValueError, MissingExtraError, NotFittedError, ParameterError, ShapeError
from isoalign.experiments._environment import describe_environment


class Inner(AbstractEstimator):
    def __init__(self, depth=1):
        self.depth = depth


class Outer(AbstractEstimator):
    def __init__(self, inner=None, n=2):
        self.inner = inner
        self.n = n


def test_settings_are_read_and_written_by_name_also_inside():
    outer = Outer(Inner(3))
    assert outer.get_params() == {"inner": outer.inner, "inner__depth": 3, "n": 2}
    outer.set_params(inner__depth=4, n=5)
    assert (outer.inner.depth, outer.n) == (4, 5)


def test_an_unknown_setting_is_refused_with_a_suggestion():
    with pytest.raises(ParameterError, match=r"Inner has no setting 'dept'. It has: depth. Did you mean 'depth'"):
        Inner().set_params(dept=1)


def test_the_repr_shows_what_differs_from_the_defaults():
    assert repr(Outer()) == "Outer()"
    assert repr(Outer(Inner(), n=7)) == "Outer(inner=Inner(), n=7)"


def test_a_copy_shares_nothing_that_can_be_set():
    outer = Outer(Inner(3))
    copy = outer.unfitted_copy()
    copy.inner.depth = 9
    assert outer.inner.depth == 3


def test_an_unfitted_estimator_says_so():
    with pytest.raises(NotFittedError, match="This Inner is not fitted"):
        Inner().check_fitted()


@pytest.mark.parametrize(("value", "minimum"), [(0, 1), (-1, 0), (1.5, 1), (True, 1), ("3", 1), (None, 1)])
def test_counts_are_whole_numbers(value, minimum):
    with pytest.raises(ParameterError, match=f"k must be a whole number of at least {minimum}"):
        check_count(value, name="k", minimum=minimum)


def test_a_wrong_choice_lists_the_right_ones():
    with pytest.raises(
        ParameterError, match=r"side must be one of 'source', 'target'. Got 'sorce'. Did you mean 'source'"
    ):
        check_choice("sorce", ("source", "target"), name="side")


@pytest.mark.parametrize("X", [np.zeros(3), np.zeros((0, 2)), np.zeros((2, 0)), np.array([["a"]]), np.zeros((1, 1, 1))])
def test_a_matrix_has_two_dimensions_and_numbers(X):
    with pytest.raises(ShapeError, match="X must"):
        check_matrix(X)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e300])
def test_the_first_row_that_is_not_finite_is_named(bad):
    X = np.zeros((20_000, 3))
    X[12_345, 1] = bad
    with pytest.raises(InvalidValueError, match="Row 12345 contains NaN or infinity"):
        check_matrix(X)


def test_large_finite_values_are_not_mistaken_for_infinity():
    assert first_bad_row(np.full((4, 4), np.finfo(np.float32).max, dtype=np.float32)) is None


def test_a_float32_matrix_is_passed_through_and_others_are_converted():
    X = np.ones((2, 3), dtype=np.float32)
    assert check_matrix(X) is X
    assert check_matrix(X, copy=True) is not X
    assert check_matrix(X[:, ::2]).flags.c_contiguous
    assert check_matrix(X.astype(int)).dtype == np.float32


def test_paired_rows_must_have_equal_shapes():
    with pytest.raises(ShapeError, match=r"equal shapes. Got \(2, 3\) and \(3, 3\)"):
        check_pairs(np.ones((2, 3)), np.ones((3, 3)))
    check_pairs(np.ones((2, 3)), np.ones((2, 4)), same_dim=False)


@pytest.mark.parametrize("pairs", [[[0, 3]], [[2, 0]], [[-1, 0]], [[0, 1, 2]], [[0.5, 1]]])
def test_row_pairs_must_name_existing_rows(pairs):
    with pytest.raises(ShapeError, match="pairs must"):
        check_row_pairs(pairs, n=2, m=3)


def test_no_row_pairs_are_allowed():
    assert check_row_pairs([], n=2, m=3).shape == (0, 2)


def test_row_operations_agree_with_numpy():
    X = np.random.default_rng(0).standard_normal((10_000, 7)).astype(np.float32)
    X[5] = 0
    exact = X.astype(np.float64)
    np.testing.assert_allclose(row_lengths(X), np.linalg.norm(exact, axis=1), rtol=1e-12)
    np.testing.assert_allclose(column_mean(X), exact.mean(axis=0), rtol=1e-10)
    np.testing.assert_allclose(row_lengths(unit_rows(X))[X.any(axis=1)], 1, atol=1e-6)
    assert not unit_rows(X)[5].any()
    assert [len(range(10)[rows]) for rows in row_blocks(10, 4)] == [4, 4, 2]


def test_a_missing_extra_names_the_pip_line():
    with pytest.raises(MissingExtraError, match=r"Run: pip install .*\[plot\]'"):
        import_extra("no_such_package.inner", extra="plot")
    assert import_extra("json.decoder", extra="plot").JSONDecoder


def test_the_pip_line_fits_a_checkout_and_an_installed_wheel(monkeypatch, tmp_path):
    checkout = tmp_path / "my checkout"
    (checkout / "src").mkdir(parents=True)
    (checkout / "pyproject.toml").touch()
    monkeypatch.setattr(optional, "_PACKAGE", checkout / "src" / "isoalign")
    assert optional.install_command("web") == f"pip install -e '{checkout}[web]'"
    monkeypatch.setattr(optional, "_PACKAGE", tmp_path / "site-packages" / "isoalign")
    assert optional.install_command("web") == "pip install 'isoalign[web]'"


def test_the_environment_is_described():
    found = describe_environment()
    assert found["isoalign"] == ia.__version__
    assert found["dependencies"]["numpy"] == np.__version__


def test_the_environment_has_every_extra():
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [*describe_environment()["extras"], "all"] == [*project["optional-dependencies"]]


def run_python(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, **environment}
    ).stdout


def test_importing_isoalign_imports_no_numpy():
    assert run_python("import isoalign, sys; print('numpy' in sys.modules)") == "False\n"


def test_every_public_name_can_be_imported():
    assert len(ia.__all__) == len(set(ia.__all__))
    for name in ia.__all__:
        assert getattr(ia, name) is not None
    assert set(ia.__all__) <= set(dir(ia))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = ia.nothing


def test_commands_keep_the_threads_of_blas_from_spinning_unless_the_user_decides(monkeypatch):
    code = """
import atexit, os, sys
from isoalign.cli import main
sys.argv = ["isoalign", "--version"]
assert "numpy" not in sys.modules
atexit.register(lambda: print(os.environ["OPENBLAS_THREAD_TIMEOUT"]))
main()
"""
    monkeypatch.delenv("OPENBLAS_THREAD_TIMEOUT", raising=False)
    assert run_python(code).splitlines()[-1] == "4"
    monkeypatch.setenv("OPENBLAS_THREAD_TIMEOUT", "20")
    assert run_python(code).splitlines()[-1] == "20"


@pytest.mark.parametrize("n", [1, 600])
def test_means_of_rows_are_summed_in_float64(n):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 7)).astype(np.float32)
    rows = rng.integers(50, size=(n, 10))
    np.testing.assert_array_equal(mean_rows(X, rows), X[rows].mean(axis=1, dtype=np.float64))


@pytest.mark.parametrize("shape", [(901, 300, 20), (300, 900, 20), (1, 3, 2), (0, 3, 2), (3, 0, 2)])
def test_products_do_not_depend_on_the_number_of_threads(shape):
    n, inner, m = shape
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(inner, n)).T, rng.normal(size=(inner, m))
    product = multiply(A, B)
    np.testing.assert_allclose(product, A @ B, rtol=1e-12, atol=1e-12)
    with limit_threads(1):
        np.testing.assert_array_equal(multiply(A, B), product)
