import numpy as np
import pytest

from isoalign.alignment import Procrustes, VecMap
from isoalign.errors import ParameterError
from planted import planted_pair


def gram(maps, X, Y):
    """All inner products of mapped rows: what signs of columns cannot change."""
    return maps.source.apply(X) @ maps.target.apply(Y).T


def test_a_rotated_copy_lands_on_its_original():
    X, Y, _ = planted_pair()
    fitted = VecMap().fit(X, Y)
    np.testing.assert_allclose(fitted.transform(X), fitted.transform_target(Y), atol=1e-4)


def test_without_whitening_and_weights_it_is_the_rotation_of_procrustes():
    X, Y, _ = planted_pair(noise=0.5)
    fitted = VecMap(whiten=False, source_reweight=0, target_reweight=0).fit(X, Y)
    W = Procrustes().fit(X, Y).source_map_
    np.testing.assert_allclose(fitted.source_map_.matrix @ fitted.target_map_.matrix.T, W, atol=1e-8)


def test_whitened_rows_are_uncorrelated_before_weights_and_dewhitening():
    X, Y, _ = planted_pair(noise=0.5)
    fitted = VecMap(source_reweight=0, target_reweight=0, dewhiten=False).fit(X, Y)
    for rows in (fitted.transform(X), fitted.transform_target(Y)):
        np.testing.assert_allclose(rows.T @ rows, np.eye(12), atol=1e-5)


def test_only_the_sum_of_the_weights_matters_without_dewhitening():
    X, Y, _ = planted_pair(noise=0.5)
    settings = [(0.5, 0.5), (0.0, 1.0), (1.0, 0.0)]
    products = [
        gram(VecMap(source_reweight=a, target_reweight=b, dewhiten=False).fit(X, Y).maps_, X, Y) for a, b in settings
    ]
    np.testing.assert_allclose(products[1], products[0], atol=1e-6)
    np.testing.assert_allclose(products[2], products[0], atol=1e-6)


def test_weights_favour_directions_that_correlate():
    X, Y, _ = planted_pair(noise=0.5)
    lengths = {
        weight: np.linalg.norm(
            VecMap(source_reweight=weight, target_reweight=0, dewhiten=False).fit(X, Y).transform(X), axis=0
        )
        for weight in (0.0, 1.0)
    }
    np.testing.assert_allclose(lengths[0.0], 1, atol=1e-5)
    assert (np.diff(lengths[1.0]) < 0).all()  # singular values come in descending order


def test_both_sides_keep_the_best_correlated_components():
    X, Y, _ = planted_pair(noise=0.5)
    whole, part = VecMap().fit(X, Y), VecMap(n_components=4).fit(X, Y)
    assert part.source_map_.matrix.shape == part.target_map_.matrix.shape == (12, 4)
    np.testing.assert_allclose(part.source_map_, whole.source_map_.matrix[:, :4], atol=1e-12)


def test_different_dimensions_meet_in_the_smaller_one():
    X, Y, _ = planted_pair()
    fitted = VecMap().fit(X, Y[:, :7])
    assert fitted.source_map_.matrix.shape == (12, 7)
    assert fitted.target_map_.matrix.shape == (7, 7)


@pytest.mark.parametrize("n", [1, 5, 11])
def test_fewer_pairs_than_dimensions_still_align_the_pairs(n):
    X, Y, _ = planted_pair(n=n)
    fitted = VecMap().fit(X, Y)
    assert np.isfinite(fitted.source_map_.matrix).all()
    np.testing.assert_allclose(fitted.transform(X), fitted.transform_target(Y), atol=1e-4)
    assert np.linalg.norm(fitted.transform(X), axis=1).min() > 0.1


def test_zero_components_are_refused():
    with pytest.raises(ParameterError, match="n_components"):
        VecMap(n_components=0).fit(np.eye(3), np.eye(3))


@pytest.mark.parametrize("name", ["source_reweight", "target_reweight"])
@pytest.mark.parametrize("value", ["much", -0.5, float("nan")])
def test_weights_that_are_no_numbers_or_negative_are_refused(name, value):
    with pytest.raises(ParameterError, match=f"{name} must"):
        VecMap(**{name: value}).fit(np.eye(3), np.eye(3))
