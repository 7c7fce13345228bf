"""The values that the authors' normalisation prints for the small pair."""

import json
from pathlib import Path

import numpy as np
import pytest

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
