"""Agreement of the evaluation protocols with what the public evaluators print, on made-up and on real vectors."""

import json
from pathlib import Path

import numpy as np
import pytest

import isoalign as ia

SMALL = Path(__file__).parent / "small"
EXPECTED = json.loads((SMALL / "expected.json").read_text())
TARGETS = {"ja": "ja.chive300.vec.gz", "fr": "fr.spacymd300.vec.gz"}
MUSE_RETRIEVAL = {"nn": "nn", "csls": "csls_knn_10"}
# The Japanese test dictionary is half unknown to these vectors, which is said once per call.
pytestmark = pytest.mark.filterwarnings("ignore:.* dictionary pairs are in the vocabularies")


@pytest.fixture(scope="module")
def small():
    return {
        "source": ia.read_vectors(SMALL / "source.vec"),
        "target": ia.read_vectors(SMALL / "target.vec"),
        "train": ia.read_lexicon(SMALL / "train.txt"),
        "test": ia.read_lexicon(SMALL / "test.txt"),
    }


def assert_muse(model, test, expected, *, words=0):
    """All precisions that MUSE prints, within so many words."""
    for retrieval, name in MUSE_RETRIEVAL.items():
        found = ia.evaluate_bli(model, test, retrieval=retrieval, n_resamples=10)
        for k in (1, 5, 10):
            right = expected[f"precision_at_{k}-{name}"] * found.n / 100
            assert abs(found.precision[k] * found.n - right) < words + 0.01, (retrieval, k)


@pytest.mark.parametrize("normalize", ["none", "center_length", "iternorm"])
def test_muse_on_the_small_pair(small, normalize):
    model = ia.align(small["source"], small["target"], small["train"], method="procrustes", normalize=normalize)
    assert_muse(model, small["test"], EXPECTED["muse_supervised"][normalize][0])


@pytest.mark.parametrize("number", range(len(EXPECTED["fasttext_rcsls"])))
@pytest.mark.parametrize("retrieval", ["nn", "csls"])
def test_fasttext_on_the_small_pair_with_its_own_map(small, number, retrieval):
    expected = EXPECTED["fasttext_rcsls"][number]
    model = ia.Alignment.from_matrix(
        np.array(expected["map"]).T,
        source=small["source"],
        target=small["target"],
        normalize=expected["normalization"],
    )
    found = ia.evaluate_bli(model, small["test"], protocol="fasttext", retrieval=retrieval)
    assert found.coverage == pytest.approx(expected["coverage"])
    assert found.precision[1] == pytest.approx(expected[f"{retrieval}_accuracy"])


@pytest.mark.parametrize("retrieval", ["nn", "csls"])
def test_vecmap_on_the_small_pair(small, retrieval):
    model = ia.align(small["source"], small["target"], small["train"], method="vecmap", normalize="unit,center,unit")
    found = ia.evaluate_bli(model, small["test"], protocol="vecmap", retrieval=retrieval)
    text = f"Coverage: {100 * found.coverage:.2f}% Accuracy: {100 * found.precision[1]:.2f}%"
    assert text.split() == EXPECTED["vecmap"][0]["evaluation"][retrieval].split()


@pytest.fixture(scope="module")
def real(shared_data):
    """What the programs print on the real vectors, and the vectors and dictionaries, each read once."""
    folder = shared_data / "data"
    data = {
        "expected": json.loads((shared_data / "reference" / "real.json").read_text()),
        "en": ia.read_vectors(folder / "en.spacymd300.vec.gz", lang="en"),
        "similarity": folder / "similarity",
    }
    for lang, file in TARGETS.items():
        data[lang] = ia.read_vectors(folder / file, lang=lang)
        for part in ("train", "test"):
            data[f"{lang}.{part}"] = ia.read_lexicon(folder / f"en-{lang}.{part}.txt")
    return data


def learn(real, lang, normalize, method="procrustes"):
    return ia.align(real["en"], real[lang], real[f"{lang}.train"], method=method, normalize=normalize)


@pytest.mark.parametrize("lang", TARGETS)
@pytest.mark.parametrize("normalize", ["none", "iternorm"])
def test_muse_on_real_vectors_within_two_words(real, lang, normalize):
    expected = real["expected"][f"en-{lang}"][f"muse_{normalize}"]["iterations"][0]
    assert_muse(learn(real, lang, normalize), real[f"{lang}.test"], expected, words=2)


@pytest.mark.parametrize("lang", TARGETS)
def test_fasttext_on_real_vectors_at_its_starting_point(real, lang):
    expected = real["expected"][f"en-{lang}"]["fasttext_rcsls_unit"]
    found = ia.evaluate_bli(learn(real, lang, "unit"), real[f"{lang}.test"], protocol="fasttext")
    assert found.coverage == pytest.approx(expected["coverage"], abs=5e-5)
    assert found.known_sources == expected["n"]
    assert abs(found.precision[1] - expected["init_nn"]) * found.n < 2


@pytest.mark.parametrize("lang", TARGETS)
def test_vecmap_on_real_vectors(real, lang):
    expected = real["expected"][f"en-{lang}"]["vecmap_supervised"]
    model = learn(real, lang, "unit,center,unit", method="vecmap")
    found = ia.evaluate_bli(model, real[f"{lang}.test"], protocol="vecmap")
    assert 100 * found.coverage == pytest.approx(expected["coverage"], abs=5e-3)
    assert abs(found.precision[1] - expected["accuracy_nn"] / 100) * found.n < 2


@pytest.mark.parametrize("name", ["MC-30", "SIMLEX-999", "YP-130", "WS-353-ALL", "RG-65"])
def test_word_similarity_on_real_vectors(real, name):
    found = ia.evaluate_similarity(real["en"], ia.read_similarity(real["similarity"] / f"EN_{name}.txt"))
    assert found.spearman == pytest.approx(real["expected"]["word_similarity_en_none"][name], abs=1e-6)
