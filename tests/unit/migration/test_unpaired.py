"""Adapters without pairs: different texts of the same topics, and the verdict whether a map was found."""

import numpy as np
import pytest

import isoalign as ia
from isoalign._core.arrays import unit_rows
from isoalign.errors import IsoalignWarning, ParameterError, ShapeError
from isoalign.migration import fit_adapter
from planted import random_rotation

TOPICS = 16
QUICK = {"n_points": 800, "n_clusters": TOPICS, "n_rounds": 6, "n_refine": 20, "refine_points": 300}


def texts(n, seed, dims=(16, 16)):
    """Return items of some topics as two models see them; the models differ by a rotation, off the origin."""
    rng = np.random.default_rng(seed)
    topics = np.random.default_rng(11).standard_normal((TOPICS, 16)) * np.linspace(2, 0.5, 16)
    items = topics[rng.integers(TOPICS, size=n)] + 0.3 * rng.standard_normal((n, 16))
    return [unit_rows(items @ random_rotation(dim, seed=dim)[:16] + 0.3) for dim in dims]


@pytest.mark.slow
@pytest.mark.parametrize("dims", [(16, 16), (16, 20), (20, 16)], ids=str)
def test_the_map_between_models_of_different_texts_is_found(dims):
    (old, _), (_, new), (asked, truth) = texts(1200, 1, dims), texts(1200, 2, dims), texts(300, 3, dims)
    adapter = fit_adapter(old, new, use="corpus", paired=False, settings=QUICK)
    found = (adapter.transform(asked) @ truth.T).argmax(axis=1) == np.arange(300)
    assert found.mean() > 0.7
    assert adapter.record_["verdict"]["status"] == "found"
    assert (adapter.record_["pairs"], adapter.record_["method"]) == (0, "clusters")
    assert adapter.has_seen(old).all()
    assert not adapter.has_seen(asked).any()


@pytest.mark.slow
def test_a_failure_is_said_and_nothing_is_written(tmp_path):
    rng = np.random.default_rng(0)
    paths = [tmp_path / name for name in ("old.npy", "new.npy")]
    for path in paths:
        np.save(path, unit_rows(rng.standard_normal((400, 8))))
    with pytest.warns(IsoalignWarning, match="Do not use this map: the runs agree on"):
        adapter = fit_adapter(*map(np.load, paths), paired=False, settings={**QUICK, "n_rounds": 1})
    assert adapter.record_["verdict"]["status"] == "failed"
    adapter.save(tmp_path / "adapter")
    assert ia.Adapter.load(tmp_path / "adapter").record_ == adapter.record_


def test_what_needs_pairs_is_refused_without_them():
    old, new = texts(300, 0)
    with pytest.raises(ParameterError, match="ridge needs pairs"):
        fit_adapter(old, new, method="ridge", paired=False)
    with pytest.raises(ParameterError, match="Queries in both models are pairs"):
        fit_adapter(old, new, queries=(old, new), paired=False)
    with pytest.raises(ShapeError, match=r"200 rows of each model are needed\. Got 300 and 100"):
        fit_adapter(old, new[:100], use="corpus", paired=False)
