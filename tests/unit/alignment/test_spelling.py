import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isoalign as ia
from isoalign.alignment._spelling import edit_similarities, spelling_bonus

WORDS = st.text(alphabet="abcéß字", max_size=6)


def plain_distance(a, b):
    if not a or not b:
        return len(a) + len(b)
    return min(
        plain_distance(a[1:], b[1:]) + (a[0] != b[0]), plain_distance(a[1:], b) + 1, plain_distance(a, b[1:]) + 1
    )


@given(WORDS, WORDS)
def test_similarity_is_the_share_of_characters_that_need_no_edit(a, b):
    [[found]] = edit_similarities([a], ["other", b], np.array([[1]]))
    expected = 1 - plain_distance(a, b) / max(len(a), len(b)) if a or b else 1
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_every_query_is_compared_with_its_own_candidates():
    targets = ["chat", "nation", "national"]
    found = edit_similarities(["nation", "hat"], targets, np.array([[2, 1], [0, 2]]))
    np.testing.assert_allclose(found, [[0.75, 1], [0.75, 0.25]])
    np.testing.assert_allclose(spelling_bonus(found), [[0.35, 0.6], [0.35, 0]], atol=1e-6)


def cognates(n=400, dim=10, noise=0.9, seed=0):
    """Return noisy spaces whose translations differ by one letter, and a dictionary of the first half."""
    rng = np.random.default_rng(seed)
    words = list(dict.fromkeys("".join(rng.choice(list("abcdefghij"), 7)) for _ in range(n)))
    X = rng.standard_normal((len(words), dim)).astype(np.float32)
    Y = X + noise * rng.standard_normal(X.shape).astype(np.float32)
    others = [word[:3] + "x" + word[4:] for word in words]
    pairs = list(zip(words, others, strict=True))
    return ia.Embeddings(words, X), ia.Embeddings(others, Y), pairs[: n // 2], pairs[n // 2 :]


def test_a_bonus_for_cognates_is_learned_recorded_and_used(tmp_path):
    source, target, train, test = cognates()
    plain = ia.align(source, target, train)
    model = ia.align(source, target, train, spelling=True)
    weights = model.provenance["rerank"]
    assert set(weights) == {"source→target", "target→source"}
    assert min(way["spelling"] for way in weights.values()) > 0.5
    without, found = (ia.evaluate_bli(one, test, n_resamples=10) for one in (plain, model))
    assert found.precision[1] > without.precision[1] + 0.2
    assert "spelling" in found.retrieval
    assert "spelling" not in without.retrieval
    model.save(tmp_path / "m")
    loaded = ia.Alignment.load(tmp_path / "m")
    words = [word for word, _ in test]
    answers = ia.Translator(loaded).translate(words, k=1)
    right = [best[0].word == gold for best, (_, gold) in zip(answers, test, strict=True)]
    assert np.mean(right) == pytest.approx(found.precision[1])
    by_cosine = [ia.Translator(one, retrieval="nn").translate(words, k=1) for one in (loaded, plain)]
    assert by_cosine[0] == by_cosine[1]  # the bonus is learned for scores of CSLS


def test_unlike_spellings_learn_no_bonus():
    source, target, train, _ = cognates()
    names = {word: f"w{number}" for number, word in enumerate(target.index_to_key)}
    renamed = ia.Embeddings(list(names.values()), target.vectors)
    model = ia.align(source, renamed, [(a, names[b]) for a, b in train], spelling=True)
    assert all(list(way) == ["csls"] for way in model.provenance["rerank"].values())
    some = [(a, names[b]) for a, b in train[:20]]
    assert ia.evaluate_bli(model, some, n_resamples=10).retrieval == "CSLS()"
