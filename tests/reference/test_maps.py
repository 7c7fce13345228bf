"""Agreement with what the public reference programs print for a small made-up pair."""

import json
from pathlib import Path

import numpy as np
import pytest

import isoalign as ia
from isoalign.alignment import RCSLS, LeastSquares, Problem, Procrustes, Refine, VecMap, mean_cosine
from isoalign.neighbors import BEYOND, group_pairs, make_retriever, rank_gold

SMALL = Path(__file__).parent / "small"
EXPECTED = json.loads((SMALL / "expected.json").read_text())
# The names that the programs give to a retrieval.
MUSE_RETRIEVAL = {"nn": ("nn", {}), "csls_knn_10": ("csls", {}), "invsm_beta_30": ("isf", {"beta": 30})}
VECMAP_RETRIEVAL = {"nn": ("nn", {}), "csls": ("csls", {}), "invsoftmax": ("isf", {"beta": 1}), "invnn": ("invnn", {})}
VECMAP = {
    "--supervised": ("unit,center,unit", VecMap()),
    "--aaai2018": ("unit,center", VecMap(source_reweight=0, target_reweight=1)),
    "--emnlp2016": ("unit,center", VecMap(whiten=False, source_reweight=0, target_reweight=0)),
    "--orthogonal": ("unit,center,unit", Procrustes()),
    "--unconstrained": ("unit,center,unit", LeastSquares()),
}


class Pair:
    """The small pair after a normalisation, with its dictionaries as rows."""

    def __init__(self, normalization):
        source, target = (ia.read_vectors(SMALL / f"{side}.vec") for side in ("source", "target"))
        self.train, self.test = ia.read_lexicon(SMALL / "train.txt"), ia.read_lexicon(SMALL / "test.txt")
        self.coverage = self.test.coverage(source, target)
        self.train_pairs = self.train.row_pairs(source, target)
        self.gold = group_pairs(self.test.row_pairs(source, target))
        self.X = ia.normalize(source, normalization).vectors
        self.Y = ia.normalize(target, normalization).vectors

    def fit(self, aligner, callback=None):
        return aligner.fit_problem(Problem(self.X, self.Y, self.train_pairs), callback=callback)

    def n_right(self, maps, retrieval, settings, k):
        S, T = maps.spaces(self.X, self.Y)
        retriever = make_retriever(retrieval, **settings).fit(T, S)
        ranks = rank_gold(retriever, S[self.gold.sources], self.gold.starts, self.gold.targets, k=k).ranks
        return int((ranks < BEYOND).sum())


def check_muse(normalization, direction, rounds):
    pair, steps = Pair(normalization), []
    aligner = Refine(max_rank=400, direction=direction, quirks="muse")
    pair.fit(aligner, callback=lambda step, maps: steps.append(maps))
    n = len(pair.gold.sources)
    for expected, found, maps in zip(rounds, aligner.history_, steps, strict=True):
        assert found["dictionary_size"] == expected["dictionary_size"]
        if expected["map"] is not None:  # kept for the first and the last round
            np.testing.assert_allclose(maps.source.matrix.T, expected["map"], atol=1e-4)
        for name, (retrieval, settings) in MUSE_RETRIEVAL.items():
            for k in (1, 5, 10):
                right = pair.n_right(maps, retrieval, settings, k)
                assert 100 * right / n == pytest.approx(expected[f"precision_at_{k}-{name}"], abs=1e-4)
        for name in ("nn", "csls_knn_10"):
            value = mean_cosine(*maps.spaces(pair.X, pair.Y), retrieval=MUSE_RETRIEVAL[name][0])
            assert value == pytest.approx(expected[f"mean_cosine-{name}-S2T-10000"], abs=1e-4)


@pytest.mark.parametrize("normalization", ["none", "center_length", "iternorm"])
def test_muse_supervised(normalization):
    check_muse(normalization, "mutual", EXPECTED["muse_supervised"][normalization])


def test_muse_forward_refinement():
    check_muse("iternorm", "forward", EXPECTED["muse_refine_S2T"]["iternorm"])


@pytest.mark.parametrize(
    "expected", EXPECTED["fasttext_rcsls"], ids=lambda e: f"{e['normalization']}-{e['lr']}{e['options']}"
)
def test_fasttext_rcsls(expected):
    pair = Pair(expected["normalization"])
    spectral = "spectral" in expected["options"]
    aligner = pair.fit(RCSLS(lr=expected["lr"], epochs=expected["niter"], spectral=spectral, quirks="fasttext"))
    np.testing.assert_allclose([step["loss"] for step in aligner.history_], expected["loss"], atol=1e-3)
    np.testing.assert_allclose(aligner.source_map_.matrix.T, expected["map"], atol=1e-4 * np.abs(expected["map"]).max())
    assert pair.coverage.sources == pytest.approx(expected["coverage"])
    for name in ("nn", "csls"):
        right = pair.n_right(aligner.maps_, name, {}, 1)
        assert right / pair.coverage.n_sources == pytest.approx(expected[f"{name}_accuracy"])


@pytest.mark.parametrize("preset", VECMAP)
def test_vecmap_presets(preset):
    expected = next(entry for entry in EXPECTED["vecmap"] if entry["arguments"][0] == preset)
    normalization, aligner = VECMAP[preset]
    pair = Pair(normalization)
    maps = pair.fit(aligner).maps_
    source, target = maps.source.apply(pair.X[:2]), maps.target.apply(pair.Y[:2])
    if preset == "--emnlp2016":
        # VecMap moves only the source there; ours moves both by the same rotation, which changes no cosine.
        rotation = np.linalg.inv(maps.target.matrix)
        source, target = source @ rotation, target @ rotation
    signs = np.sign((np.array(expected["source_first_rows"]) * source).sum(axis=0))
    np.testing.assert_allclose(source * signs, expected["source_first_rows"], atol=1e-4)
    np.testing.assert_allclose(target * signs, expected["target_first_rows"], atol=1e-4)
    for name, (retrieval, settings) in VECMAP_RETRIEVAL.items():
        accuracy = 100 * pair.n_right(maps, retrieval, settings, 1) / len(pair.gold.sources)
        text = f"Coverage: {100 * pair.coverage.sources:5.2f}%  Accuracy:{accuracy:6.2f}%"
        assert text.split() == expected["evaluation"][name].split()
