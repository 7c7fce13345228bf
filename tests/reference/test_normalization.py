"""The values that the authors' normalisation prints for the small pair, and the theory on real vectors."""

import json
from pathlib import Path

import numpy as np
import pytest

import isoalign as ia
from isoalign.normalization import CenterLength, IterNorm, make_normalizer

SMALL = Path(__file__).parent / "small"
EXPECTED = json.loads((SMALL / "expected.json").read_text(encoding="utf-8"))["iternorm"]


def read_rows(name):
    lines = (SMALL / name).read_text(encoding="utf-8").split("\n")[1:-1]
    return np.array([line.split(" ")[-20:] for line in lines], dtype=np.float32)


@pytest.mark.parametrize("name", ["iternorm", ",".join(["renorm", "center"] * 5 + ["renorm"])], ids=["name", "words"])
def test_rows_after_five_rounds(name):
    normalizer = make_normalizer(name)
    source = normalizer.fit_transform(read_rows("source.vec"))
    target = normalizer.fit_transform(read_rows("target.vec"))
    np.testing.assert_allclose(source[:3], EXPECTED["source_first_rows"], atol=1e-6)
    np.testing.assert_allclose(target[-3:], EXPECTED["target_last_rows"], atol=1e-6)


def test_residuals_of_ten_rounds():
    history = IterNorm(n_iter=10).fit(read_rows("source.vec")).history_
    expected = [tuple(entry.values())[1:] for entry in EXPECTED["source_trace"]]
    np.testing.assert_allclose(history, expected, atol=1e-6)


def test_centering_and_scaling_once():
    source = CenterLength().fit_transform(read_rows("source.vec"))
    np.testing.assert_allclose(source[:3], EXPECTED["center_length_source_first_rows"], atol=1e-6)


@pytest.mark.parametrize("name", ["en.spacymd300.vec.gz", "ja.chive300.vec.gz"])
def test_real_vectors_need_the_rounds_that_the_contraction_predicts(shared_data, name):
    vectors = ia.read_vectors(shared_data / "data" / name).vectors
    five = IterNorm()
    Z = five.fit_transform(vectors).astype(np.float64)
    assert five.contraction_ == pytest.approx(np.linalg.eigvalsh(Z.T @ Z / len(Z))[-1], rel=0.02)
    converged = IterNorm(tol=1e-6)
    Z = converged.fit_transform(vectors)
    assert converged.n_iter_ == five.predicted_rounds_
    assert np.linalg.norm(Z.mean(axis=0, dtype=np.float64)) <= 1e-6
    np.testing.assert_allclose(np.linalg.norm(Z.astype(np.float64), axis=1), 1, atol=1e-7)
