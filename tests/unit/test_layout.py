"""The map of words of two languages."""

import numpy as np
import pytest

import isoalign as ia
from isoalign.alignment import Member
from isoalign.maps import MatrixMap
from isoalign.normalization import make_normalizer
from isoalign.translation import lay_out, shared_axes


@pytest.fixture(scope="module")
def spaces():
    """A space and its rotation far away: a mean of their own tells the languages apart more than any meaning does."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 12)) * np.linspace(2, 0.5, 12)
    rotation, _ = np.linalg.qr(rng.standard_normal((12, 12)))
    Y = X @ rotation + 0.02 * rng.standard_normal(X.shape)
    source = ia.Embeddings([f"s{i}" for i in range(200)], (X + 3).astype(np.float32), lang="en")
    target = ia.Embeddings([f"t{i}" for i in range(200)], (Y - 2).astype(np.float32), lang="de")
    return source, target, [(f"s{i}", f"t{i}") for i in range(200)]


SOURCES, TARGETS = [f"s{i}" for i in range(9)], [f"t{i}" for i in range(12)]
LINKS = np.array([[i, i] for i in range(9)])


def spread(points):
    return float(np.linalg.norm(points - points.mean(axis=0), axis=1).mean())


def test_translations_lie_together_after_normalisation(spaces):
    plane = lay_out(ia.align(*spaces, method="procrustes").pair(), SOURCES, TARGETS[:9], LINKS)
    apart = float(np.linalg.norm(plane.after[:9] - plane.after[9:], axis=1).mean())
    assert apart < 0.1 * spread(plane.after)
    np.testing.assert_allclose(plane.after[:9].mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(plane.after[9:].mean(axis=0), 0, atol=1e-9)


def test_words_without_a_link_are_placed_too_and_all_are_in_the_square(spaces):
    plane = lay_out(ia.align(*spaces, method="procrustes").pair(), SOURCES, TARGETS, LINKS)
    assert plane.before.shape == plane.after.shape == (21, 2)
    assert np.abs(np.stack(plane)).max() == pytest.approx(1)


def test_before_normalisation_is_where_raw_unit_rows_are_mapped_to(spaces):
    source, target, pairs = spaces
    plane = lay_out(
        ia.align(source, target, pairs, method="procrustes", normalize="unit").pair(), SOURCES, TARGETS, LINKS
    )
    np.testing.assert_allclose(plane.before, plane.after, atol=1e-5)
    moved = lay_out(ia.align(source, target, pairs, method="procrustes").pair(), SOURCES, TARGETS, LINKS)
    assert np.abs(moved.before - moved.after).max() > 0.1


def test_a_query_stage_counts_before_and_after(spaces):
    source, target, _ = spaces
    identity, turn = (
        MatrixMap(np.eye(12)),
        MatrixMap(np.linalg.qr(np.random.default_rng(1).standard_normal((12, 12)))[0]),
    )
    members = [
        Member(side.lang, make_normalizer("unit").fit(side.vectors), identity, side) for side in (source, target)
    ]
    plain = lay_out(ia.Alignment(members).pair(), SOURCES, TARGETS, LINKS)
    staged = lay_out(ia.Alignment(members, stages={("en", "de"): turn}).pair(), SOURCES, TARGETS, LINKS)
    np.testing.assert_allclose(staged.before, staged.after, atol=1e-5)
    assert np.abs(plain.after - staged.after).max() > 0.1


def test_axes_are_those_of_what_pairs_share_and_not_those_that_tear_them_apart():
    rng = np.random.default_rng(0)
    shared, torn = rng.standard_normal((30, 2)) * (2, 1), 5 * rng.standard_normal((30, 1))
    basis = np.linalg.qr(rng.standard_normal((8, 8)))[0]
    A = np.hstack([shared, torn, np.zeros((30, 5))]) @ basis
    B = np.hstack([shared, -torn, np.zeros((30, 5))]) @ basis
    axes = shared_axes(A - A.mean(axis=0), B - B.mean(axis=0))
    np.testing.assert_allclose(axes.T @ axes, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(basis[:2] @ axes, axis=0), 1, atol=1e-9)
    points = (A - A.mean(axis=0)) @ axes
    assert (points[np.abs(points).argmax(axis=0), [0, 1]] > 0).all()


def test_one_pair_in_one_dimension_has_a_place():
    assert shared_axes(np.zeros((1, 1)), np.zeros((1, 1))).shape == (1, 2)
