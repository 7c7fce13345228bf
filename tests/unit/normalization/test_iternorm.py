import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from isoalign.errors import InvalidValueError, IsoalignWarning, ParameterError, ShapeError
from isoalign.normalization import CenterLength, IterNorm, iterate_rounds, make_normalizer
from isoalign.vectors import Embeddings

seeds = st.integers(0, 2**32 - 1)


def generic_rows(seed, n=300, dim=8):
    """Rows with a large mean and lengths between 1 and 10."""
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((n, dim)) + rng.standard_normal(dim)
    return (rows * rng.uniform(1, 10, (n, 1))).astype(np.float32)


def mean_norm(X):
    return np.linalg.norm(X.mean(axis=0, dtype=np.float64))


def lengths(X):
    return np.linalg.norm(X.astype(np.float64), axis=1)


def straightforward(X, rounds):
    """The definition, in float64."""
    X = X.astype(np.float64)
    for _ in range(rounds):
        X /= np.linalg.norm(X, axis=1, keepdims=True)
        X -= X.mean(axis=0)
    return X / np.linalg.norm(X, axis=1, keepdims=True)


@given(seeds)
def test_both_conditions_hold_at_the_same_time_when_tol_is_reached(seed):
    normalizer = IterNorm(tol=1e-6)
    Z = normalizer.fit_transform(generic_rows(seed))
    assert normalizer.converged_
    assert mean_norm(Z) <= 1e-6
    np.testing.assert_allclose(lengths(Z), 1, atol=1e-7)


@given(seeds, st.integers(1, 7))
def test_the_rounds_are_the_definition(seed, n_iter):
    X = generic_rows(seed)
    np.testing.assert_allclose(IterNorm(n_iter).fit_transform(X), straightforward(X, n_iter), atol=1e-6)


@given(seeds)
def test_the_residuals_fall_in_every_round(seed):
    history = np.array(IterNorm(n_iter=6).fit(generic_rows(seed)).history_)
    assert history.shape == (6, 2)
    falling = np.diff(history, axis=0) < 0
    assert np.all(falling | (history[1:] < 1e-6))


@given(seeds)
def test_a_rotation_before_is_a_rotation_after(seed):
    X = generic_rows(seed)
    rotation, _ = np.linalg.qr(np.random.default_rng(seed).standard_normal((8, 8)))
    rotated = IterNorm().fit_transform(X @ rotation)
    np.testing.assert_allclose(rotated, IterNorm().fit_transform(X) @ rotation, atol=1e-5)


@given(seeds)
def test_the_length_of_a_single_row_does_not_matter(seed):
    X = generic_rows(seed)
    factors = np.random.default_rng(seed).uniform(0.01, 100, (len(X), 1)).astype(np.float32)
    np.testing.assert_allclose(IterNorm().fit_transform(X * factors), IterNorm().fit_transform(X), atol=1e-6)


@given(seeds)
def test_the_order_of_the_rows_does_not_matter(seed):
    X = generic_rows(seed)
    order = np.random.default_rng(seed).permutation(len(X))
    np.testing.assert_allclose(IterNorm().fit_transform(X[order]), IterNorm().fit_transform(X)[order], atol=1e-6)


def test_centering_and_scaling_once_does_not_meet_both_conditions():
    # Three of four unit vectors on one side: after C+L lengths are one, but the mean is still far from zero.
    X = np.array([[1, 0], [0.8, 0.6], [0.8, -0.6], [-1, 0]], dtype=np.float32)
    once = CenterLength().fit_transform(X)
    np.testing.assert_allclose(lengths(once), 1, atol=1e-7)
    assert mean_norm(once) > 0.05
    assert mean_norm(IterNorm(tol=1e-6).fit_transform(X)) <= 1e-6


def test_without_tol_exactly_n_iter_rounds_are_done():
    normalizer = IterNorm(n_iter=3).fit(generic_rows(0))
    assert normalizer.n_iter_ == len(normalizer.history_) == len(normalizer.means_) == 3
    assert normalizer.converged_ is None


def test_the_stored_mean_is_that_of_the_unit_vectors_of_its_round():
    X = generic_rows(0)
    normalizer = IterNorm(n_iter=2).fit(X)
    unit = X / lengths(X)[:, None]
    np.testing.assert_allclose(normalizer.means_[0], unit.mean(axis=0), atol=1e-7)
    assert normalizer.history_[0].mean_norm == pytest.approx(mean_norm(unit), abs=1e-7)
    assert normalizer.history_[0].length_error == pytest.approx(
        np.abs(lengths(unit - normalizer.means_[0]) - 1).max(), abs=1e-6
    )


@given(seeds)
def test_the_mean_shrinks_by_the_contraction(seed):
    X = generic_rows(seed)
    normalizer = IterNorm(n_iter=30)
    Z = normalizer.fit_transform(X).astype(np.float64)
    assert normalizer.contraction_ == pytest.approx(np.linalg.eigvalsh(Z.T @ Z / len(Z))[-1], rel=1e-5)
    before, after = (residuals.mean_norm for residuals in normalizer.history_[4:6])
    assume(before > 1e-6)
    assert after <= 1.01 * normalizer.contraction_ * before


@given(seeds)
def test_five_rounds_predict_how_many_are_needed(seed):
    X = generic_rows(seed)
    needed = IterNorm(tol=1e-6).fit(X)
    assert abs(IterNorm(n_iter=5).fit(X).predicted_rounds_ - needed.n_iter_) <= 1
    assert needed.predicted_rounds_ == needed.n_iter_


def test_rows_never_seen_go_through_the_same_rounds():
    seen, unseen = generic_rows(0, n=1000), generic_rows(0, n=1010)[1000:]
    expected = unseen.astype(np.float64)
    normalizer = IterNorm().fit(seen)
    for mean in normalizer.means_:
        expected = expected / np.linalg.norm(expected, axis=1, keepdims=True) - mean
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(normalizer.transform(unseen), expected, atol=1e-6)


def test_the_fitted_rows_are_replayed_to_the_last_bit():
    X = generic_rows(3, n=5000, dim=30)
    normalizer = IterNorm()
    np.testing.assert_array_equal(normalizer.fit_transform(X), normalizer.transform(X))


def test_the_chain_of_the_same_words_gives_the_same_rows():
    X = generic_rows(0)
    chain = make_normalizer(",".join(["renorm", "center"] * 5 + ["renorm"]))
    np.testing.assert_allclose(chain.fit_transform(X), IterNorm().fit_transform(X), atol=1e-6)


class TestDegenerateRows:
    """Rows of rank one, found by rank whatever the residuals say."""

    e = np.array([0.6, 0.8, 0.0], dtype=np.float32)

    def fit(self, X, **settings):
        with pytest.warns(IsoalignWarning, match=r"one line \(rank 1\)"):
            return IterNorm(tol=1e-5, **settings).fit(np.array(X, dtype=np.float32))

    def test_unequal_opposites_stall(self):
        normalizer = self.fit([self.e, self.e, 2 * self.e, -self.e])
        assert not normalizer.converged_
        assert normalizer.n_iter_ < 5
        assert normalizer.history_[-1].mean_norm == pytest.approx(0.5)
        assert normalizer.predicted_rounds_ is None

    def test_equal_opposites_have_no_residual_and_are_reported_all_the_same(self):
        normalizer = self.fit([self.e, 3 * self.e, -self.e, -2 * self.e])
        assert max(normalizer.history_[-1]) < 1e-5
        assert not normalizer.converged_

    @pytest.mark.parametrize("zero", ["perturb", "keep", "error"])
    def test_identical_rows_centre_to_zero(self, zero):
        normalizer = self.fit([self.e] * 7, zero=zero)
        assert not normalizer.converged_
        assert normalizer.n_iter_ < 5

    def test_two_clusters_become_one_line(self):
        assert not self.fit([[1, 0, 0]] * 3 + [[0, 1, 0]] * 2).converged_

    def test_a_single_row_is_reported(self):
        assert not self.fit([self.e]).converged_

    def test_many_rows_are_reported_too(self):
        self.fit(np.repeat([self.e, -self.e], [9000, 1000], axis=0))

    def test_one_other_row_among_many_is_not_rank_one(self):
        X = np.repeat([self.e, -self.e], [9000, 1000], axis=0)
        X[17] = [0, 0, 1]
        IterNorm().fit(X)


def test_rounds_that_run_out_are_reported():
    with pytest.warns(
        IsoalignWarning, match=r"Not converged to tol=1e-06 after 2 rounds because max_iter=2 was reached"
    ):
        normalizer = IterNorm(tol=1e-6, max_iter=2).fit(generic_rows(0))
    assert normalizer.converged_ is False


def test_rounds_end_when_neither_residual_falls():
    # Nine rows of ten are opposites on one line and one row stands apart: the mean of that line cannot be removed.
    X = np.repeat(np.eye(3, dtype=np.float32)[[0, 0, 1]] * np.float32([[1], [-1], [1]]), [800, 199, 1], axis=0)
    with pytest.warns(IsoalignWarning, match="neither residual decreases further"):
        normalizer = IterNorm(tol=1e-6).fit(X)
    assert normalizer.n_iter_ < 200


@pytest.mark.parametrize("tol", [1e-7, 0.0, -1.0, float("nan")])
def test_a_tol_that_float32_cannot_reach_is_refused(tol):
    with pytest.raises(ParameterError, match="tol must be at least 1e-06"):
        IterNorm(tol=tol).fit(generic_rows(0))


@pytest.mark.parametrize("settings", [{"n_iter": 0}, {"n_iter": 2.5}, {"max_iter": 0}, {"zero": "drop"}, {"tol": "x"}])
def test_a_wrong_setting_is_refused(settings):
    with pytest.raises(ParameterError, match=next(iter(settings))):
        IterNorm(**settings).fit(generic_rows(0))


class TestZeroRows:
    """Three zero rows among generic ones."""

    @pytest.fixture(name="X")
    def some_zero_rows(self):
        X = generic_rows(0)
        X[[5, 17, 200]] = 0
        return X

    def test_they_are_nudged_in_one_direction_that_replay_knows(self, X):
        normalizer = IterNorm(tol=1e-6)
        with pytest.warns(IsoalignWarning, match=r"^3 row\(s\) are zero"):
            Z = normalizer.fit_transform(X)
        assert mean_norm(Z) <= 1e-6
        np.testing.assert_allclose(lengths(Z), 1, atol=1e-7)
        np.testing.assert_array_equal(Z[[17, 200]], Z[[5, 5]])
        with pytest.warns(IsoalignWarning, match=r"^1 row\(s\) are zero"):
            np.testing.assert_array_equal(normalizer.transform(np.zeros((1, 8))), Z[[5]])

    def test_kept_they_stay_zero_and_out_of_the_means(self, X):
        normalizer = IterNorm(zero="keep")
        with pytest.warns(IsoalignWarning, match="They stay zero"):
            Z = normalizer.fit_transform(X)
        np.testing.assert_array_equal(Z[[5, 17, 200]], 0)
        others = np.delete(X, [5, 17, 200], axis=0)
        np.testing.assert_allclose(np.delete(Z, [5, 17, 200], axis=0), IterNorm().fit_transform(others), atol=1e-6)
        with pytest.warns(IsoalignWarning, match="They stay zero"):
            np.testing.assert_array_equal(normalizer.transform(X), Z)

    def test_refused_they_are_named_before_anything_is_changed(self, X):
        before = X.copy()
        with pytest.raises(InvalidValueError, match="3 are, the first is row 5"):
            IterNorm(zero="error").fit_transform(X, copy=False)
        np.testing.assert_array_equal(X, before)
        with pytest.raises(InvalidValueError, match="1 are, the first is row 0"):
            IterNorm(zero="error").fit(X[:3]).transform(np.zeros((1, 8)))


@pytest.mark.parametrize("scale", [1e-40, 1e-20, 1e20, 1e37])
def test_tiny_and_huge_rows_have_a_direction(scale):
    X = np.array([[1, 2, 2], [2, -1, 0], [-3, 0, 1], [0, 1, -4]], dtype=np.float32)
    np.testing.assert_allclose(
        IterNorm().fit_transform((X.astype(np.float64) * scale).astype(np.float32)),
        IterNorm().fit_transform(X),
        atol=1e-4,
    )


def test_progress_hears_of_every_pass():
    heard = []
    iterate_rounds(generic_rows(0), n_iter=3, progress=lambda *report: heard.append(report))
    assert heard == [("normalize", done, 4) for done in (1, 2, 3, 4)]


def test_embeddings_instead_of_a_matrix_are_refused_with_advice():
    embeddings = Embeddings(["a", "b"], np.eye(2, dtype=np.float32))
    with pytest.raises(ShapeError, match=r"X must be a matrix\. Got Embeddings\. Pass its \.vectors, or use isoalign"):
        IterNorm().fit(embeddings)
