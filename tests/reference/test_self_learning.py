"""Agreement of self-learning with what VecMap prints for a small made-up pair."""

import numpy as np
import pytest

from isoalign.alignment import Problem, SelfLearning
from reference.test_maps import EXPECTED, VECMAP_RETRIEVAL, Pair

ACL2017 = SelfLearning(
    max_rank=None, k=0, keep=1.0, patience=1, direction="forward", quirks="vecmap", final="orthogonal"
)


def expected_of(preset):
    return next(entry for entry in EXPECTED["vecmap"] if entry["arguments"][0] == preset)


def accuracies(pair, maps):
    n = len(pair.gold.sources)
    return {name: 100 * pair.n_right(maps, *how, 1) / n for name, how in VECMAP_RETRIEVAL.items()}


def expected_accuracies(preset):
    texts = expected_of(preset)["evaluation"]
    return {name: float(text.rsplit(":", 1)[1].strip(" %")) for name, text in texts.items()}


def test_forward_self_learning_of_2017():
    pair, expected = Pair("unit,center"), expected_of("--acl2017_seed")
    maps = pair.fit(ACL2017).maps_
    np.testing.assert_allclose(maps.source.apply(pair.X[:2]), expected["source_first_rows"], atol=1e-4)
    np.testing.assert_allclose(pair.Y[:2], expected["target_first_rows"], atol=1e-4)
    assert accuracies(pair, maps) == pytest.approx(expected_accuracies("--acl2017_seed"), abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("quirks", ["vecmap", None])
def test_stochastic_self_learning_of_2018(quirks):
    pair = Pair("unit,center,unit")
    runs = [
        SelfLearning(quirks=quirks).fit_problem(Problem(pair.X, pair.Y, pair.train_pairs, random_state=seed)).maps_
        for seed in range(2)
    ]
    one_word = 100 / len(pair.gold.sources)
    for maps in runs:
        assert accuracies(pair, maps) == pytest.approx(expected_accuracies("--semi_supervised"), abs=1.01 * one_word)
