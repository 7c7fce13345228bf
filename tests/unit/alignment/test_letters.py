import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isoalign as ia
from isoalign.alignment import _learned_ranking
from isoalign.alignment._letters import NO_LETTERS, LetterModel, _count_expected, _sum_alignments, learn_letters
from isoalign.errors import FormatError

LATIN, GREEK = "abcdefghijkl", "αβγδεζηθικλμ"
TOY = LetterModel(0.3, {("a", "α"): 8.0, ("b", "β"): 5.0, ("a", ""): 0.2, ("", "β"): 0.1, ("b", "α"): 0.5})


def encipher(word):
    return word.translate(str.maketrans(LATIN, GREEK))


def names(n, seed=0):
    rng = np.random.default_rng(seed)
    return list(dict.fromkeys("".join(rng.choice(list(LATIN), rng.integers(4, 9))) for _ in range(n)))


def planted_pairs(n=600, share=0.4, seed=0):
    """Return pairs of which a share is spelled letter by letter, without some of the letters on either side."""
    rng = np.random.default_rng(seed)
    words, others = names(n, seed), [encipher(word) for word in names(n, seed + 1)]
    pairs = []
    for word, other in zip(words, others, strict=False):
        spelled = "".join(letter for letter in encipher(word) if rng.random() > 0.15)
        pairs.append((word, spelled if rng.random() < share and spelled else other))
    return pairs


def plain_ratio(model, x, y):
    """Sum over all alignments, one after the other."""
    if not x and not y:
        return 1.0
    single = 1e-3
    total = 0.0
    if x:
        total += model.odds.get((x[0], ""), single) * plain_ratio(model, x[1:], y)
    if y:
        total += model.odds.get(("", y[0]), single) * plain_ratio(model, x, y[1:])
    if x and y:
        total += model.odds.get((x[0], y[0]), 0.0) * plain_ratio(model, x[1:], y[1:])
    return total


def score(model, x, y):
    [[found]] = model.score([x], ["other", y], np.array([[1]]))
    return found


@given(st.text(alphabet="abz", min_size=1, max_size=4), st.text(alphabet="αβω", min_size=1, max_size=4))
def test_the_score_sums_over_all_alignments(x, y):
    expected = np.log(1 - TOY.share + TOY.share * plain_ratio(TOY, x, y))
    np.testing.assert_allclose(score(TOY, x, y), expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(score(TOY.reverse(), y, x), expected, rtol=1e-5, atol=1e-6)


def test_recovers_the_planted_cipher_and_its_share():
    model = learn_letters(planted_pairs())
    best = {a: max(GREEK, key=lambda b: model.odds.get((a, b), 0.0)) for a in LATIN}
    assert best == dict(zip(LATIN, GREEK, strict=True))
    assert model.share == pytest.approx(0.4, abs=0.06)


def test_new_words_spelled_letter_by_letter_score_above_others():
    model = learn_letters(planted_pairs())
    words = names(60, seed=7)
    targets = [encipher(word) for word in words]
    found = model.score(words, targets, np.tile(np.arange(len(words)), (len(words), 1)))
    right = np.diag(found)
    assert right.min() > 3
    assert np.mean(found[~np.eye(len(words), dtype=bool)] < 0) > 0.9


def test_without_correspondences_nothing_is_learned():
    words, others = names(500, seed=1), [encipher(word) for word in names(500, seed=2)]
    model = learn_letters(zip(words, others, strict=False))
    assert model.share < 0.05
    found = model.score(words[:50], others, np.arange(50)[:, None])
    assert np.abs(found).mean() < 0.1


@pytest.mark.parametrize(("word", "other"), [("", "αβ"), ("a" * 41, "α" * 41), ("ab", "")])
def test_words_that_the_model_cannot_judge_have_no_evidence(word, other):
    assert score(TOY, word, other) == 0


def test_unknown_letters_speak_against_a_pair():
    assert score(TOY, "字", "αβ") == pytest.approx(np.log(0.7), abs=1e-3)


def test_scores_stay_finite():
    most = LetterModel(0.5, {("a", "α"): 1e7, ("a", ""): 1e7, ("", "α"): 1e7})
    assert np.isfinite(score(most, "a" * 40, "α" * 40))


def test_expected_counts_are_the_gradient_of_the_log_likelihood():
    """The number of times that a pair of letters is used is its log-odds gradient, summed over pairs of words."""
    odds = np.array([[0, 0.1, 0.2], [0.3, 2.0, 0.5], [0.2, 0.4, 3.0]])
    x, y = np.array([1, 2, 1]), np.array([1, 2])
    x_starts, y_starts, share = np.array([0, 3]), np.array([0, 2]), 0.3

    def log_likelihood(table):
        sums = np.empty((41, 41))
        return np.log(1 - share + share * _sum_alignments(x, y, table, sums))

    counts = np.zeros_like(odds)
    _count_expected(x, x_starts, y, y_starts, odds, share, counts)
    for place in np.argwhere(odds > 0):
        step = np.ones_like(odds)
        step[tuple(place)] = np.exp(1e-5)
        slope = (log_likelihood(odds * step) - log_likelihood(odds / step)) / 2e-5
        assert counts[tuple(place)] == pytest.approx(slope, abs=1e-6)


def test_nothing_is_learned_from_no_pairs():
    assert learn_letters([]).odds == {}
    assert score(NO_LETTERS, "ab", "αβ") == 0


def test_a_model_survives_json():
    assert LetterModel.from_json(json.loads(json.dumps(TOY.to_json()))) == TOY


@pytest.mark.parametrize(
    "stored",
    [
        None,
        [],
        {"share": 0.5},
        {"share": "x", "odds": []},
        {"share": 2.0, "odds": []},
        {"share": 0.5, "odds": [["a", "b"]]},
        {"share": 0.5, "odds": [["a", "b", float("nan")]]},
        {"share": 0.5, "odds": [["a", "b", 1e300]]},
        {"share": 0.5, "odds": [["a", "b", 10**400]]},
        {"share": 0.5, "odds": [[chr(256 + i), "b", 1.0] for i in range(2001)]},
        {"share": 0.5, "odds": 3},
    ],
)
def test_damaged_models_are_refused(stored):
    with pytest.raises(FormatError, match="letters"):
        LetterModel.from_json(stored)


@pytest.fixture(scope="module")
def two_scripts():
    """Noisy spaces of words in two scripts, a dictionary and test pairs; a model with evidence of spelling."""
    rng = np.random.default_rng(0)
    words = names(400, seed=3)
    X = rng.standard_normal((len(words), 10)).astype(np.float32)
    Y = X + 0.9 * rng.standard_normal(X.shape).astype(np.float32)
    pairs = [(word, encipher(word)) for word in words]
    source = ia.Embeddings(words, X, lang="xx")
    target = ia.Embeddings([other for _, other in pairs], Y, lang="yy")
    half = len(words) // 2
    return source, target, pairs[:half], pairs[half:]


def test_loanwords_in_another_script_are_found_in_both_directions(two_scripts, tmp_path):
    source, target, train, test = two_scripts
    plain = ia.align(source, target, train)
    model = ia.align(source, target, train, spelling=True)
    assert min(way["letters"] for way in model.provenance["rerank"].values()) > 0
    assert set(model.provenance["letters"]) == {"xx→yy"}
    backward = [pair[::-1] for pair in test]
    for names_of_pair, questions in (({}, test), ({"source": "yy", "target": "xx"}, backward)):
        without, found = (
            ia.evaluate_bli(one, questions, n_resamples=10, **names_of_pair).precision[1] for one in (plain, model)
        )
        assert found > without + 0.2
    model.save(tmp_path / "m")
    loaded = ia.Alignment.load(tmp_path / "m")
    asked = [word for word, _ in test[:20]]
    assert ia.Translator(loaded).translate(asked) == ia.Translator(model).translate(asked)


def test_letters_are_learned_without_the_words_that_judge_them(two_scripts, monkeypatch):
    source, target, train, _ = two_scripts
    learned = []

    def record(pairs):
        learned.append(list(pairs))
        return learn_letters(learned[-1])

    monkeypatch.setattr(_learned_ranking, "learn_letters", record)
    ia.align(source, target, train, method="procrustes", spelling=True)
    *folds, last, everything = map(set, learned)
    assert everything == set(train)
    assert last == set(train[: int(0.75 * len(train))])
    left_out = [everything - fold for fold in folds]
    assert len(left_out) == 3
    assert set.union(*left_out) == everything
    assert sum(map(len, left_out)) == len(everything)


def test_row_numbers_as_candidates_do_not_mix_up_words(two_scripts):
    source, target, train, test = two_scripts
    rows = np.arange(len(source))[::-1]
    model = ia.align(source, target, train, method="procrustes", spelling=True, candidates=(rows, None))
    plain = ia.align(source, target, train, method="procrustes", spelling=True)
    assert model.provenance["letters"] == plain.provenance["letters"]
    assert ia.evaluate_bli(model, test, n_resamples=10).precision[1] > 0.8


@pytest.mark.parametrize("stored", [{"xx→yy": {"share": 7}}, {}, None])
def test_damaged_letters_in_a_model_are_refused(two_scripts, stored):
    source, target, train, _ = two_scripts
    model = ia.align(source, target, train, spelling=True)
    model.provenance["letters"] = stored
    with pytest.raises(FormatError, match="letters"):
        ia.Translator(model).translate(train[0][0])
