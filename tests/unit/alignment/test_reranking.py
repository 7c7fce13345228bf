import numpy as np
import pytest

import isoalign as ia
from isoalign.alignment import Problem, resolve_method
from isoalign.alignment._evidence import FEATURES, CandidateEvidence, Queries
from isoalign.alignment._learned_ranking import Judged, both_ways, choose_weights, join_judged
from isoalign.alignment._reranking import Reranker, fit_weights
from isoalign.errors import FormatError, ParameterError
from isoalign.neighbors import CSLS


def unit(X):
    return (X / np.linalg.norm(X, axis=-1, keepdims=True)).astype(np.float32)


def make_queries(seed=0, n=40, m=60, dim=6, asked=5):
    """Return queries with stages that are two different rotations, and all spaces."""
    rng = np.random.default_rng(seed)
    plain, targets = unit(rng.standard_normal((n, dim))), unit(rng.standard_normal((m, dim)))
    placed, targets_placed = (unit(X @ np.linalg.qr(rng.standard_normal((dim, dim)))[0]) for X in (plain, targets))
    rows = rng.choice(n, size=asked, replace=False)
    queries = Queries(
        words=[f"s{row}" for row in rows],
        rows=rows,
        placed=placed[rows],
        plain=plain[rows],
        targets=targets,
        target_words=[f"t{row}" for row in range(m)],
        place_targets=targets_placed.__getitem__,
        backward_retriever=lambda: CSLS().fit(plain, targets_placed),
    )
    return queries, plain, targets_placed


def plain_evidence(queries, plain, targets_placed, rows):
    """Return the evidence about every candidate, one at a time, as the documentation defines it."""
    backward = CSLS().fit(plain, targets_placed).kneighbors(targets_placed, len(plain))[1]
    found = np.zeros((*rows.shape, len(FEATURES)))
    for i, j in np.ndindex(*rows.shape):
        target = rows[i, j]
        others = [queries.targets[target] @ queries.targets[row] for row in rows[i] if row != target]
        rank = min(10, backward[target].tolist().index(queries.rows[i]))
        rarity = np.log((target + 10) / (queries.rows[i] + 10))
        found[i, j] = (
            queries.placed[i] @ queries.targets[target],
            queries.plain[i] @ queries.targets[target],
            queries.plain[i] @ targets_placed[target],
            np.log(1 + rank),
            np.mean(sorted(others)[-5:]),
            rarity,
            abs(rarity),
        )
    return found


def test_evidence_is_what_the_formulas_say():
    queries, plain, targets_placed = make_queries()
    scores, rows = CSLS().fit(queries.targets, plain).kneighbors(queries.placed, 8)
    found = CandidateEvidence(queries, scores, rows).measure(FEATURES)
    np.testing.assert_allclose(found, plain_evidence(queries, plain, targets_placed, rows), atol=1e-5)
    assert len(np.unique(found[..., 3])) > 3  # the ranks differ


def test_words_without_a_row_have_no_frequency_and_are_never_found_backward():
    queries, *_ = make_queries()
    unknown = Queries(**{**vars(queries), "rows": np.full(5, -1)})
    rows = np.arange(15).reshape(5, 3)
    evidence = CandidateEvidence(unknown, np.zeros((5, 3), np.float32), rows).measure(FEATURES)
    assert not evidence[..., -2:].any()
    np.testing.assert_allclose(evidence[..., 3], np.log(11))


def test_a_single_candidate_is_crowded_by_none():
    queries, *_ = make_queries(asked=2)
    found = CandidateEvidence(queries, np.zeros((2, 1), np.float32), np.array([[3], [4]])).measure(["crowding"])
    assert not found.any()


def planted(weights, n=4000, k=10, seed=0):
    rng = np.random.default_rng(seed)
    evidence = rng.normal(size=(n, k, len(weights)))
    answers = (evidence @ np.array(weights) + rng.gumbel(size=(n, k))).argmax(axis=1)
    return evidence, rng.integers(0, 1000, size=(n, k)), np.arange(k) == answers[:, None]


def test_planted_weights_are_found_in_units_of_csls():
    found = fit_weights(*planted([3.0, 6.0, -1.5]), ("csls", "a", "b"))
    alone = fit_weights(*planted([3.0]), ("csls",))
    assert alone == {"csls": pytest.approx(1.0)}
    np.testing.assert_allclose([found["a"] / found["csls"], found["b"] / found["csls"]], [2, -0.5], rtol=0.1)


def test_spelling_has_no_negative_weight_and_constant_evidence_none():
    evidence, rows, gold = planted([3.0, -2.0, 0.0])
    evidence[..., 2] = 7.0
    assert set(fit_weights(evidence, rows, gold, ("csls", "spelling", "constant"))) == {"csls"}


def test_too_few_words_teach_nothing():
    evidence, rows, gold = planted([3.0, 6.0], n=99)
    assert fit_weights(evidence, rows, gold, ("csls", "a")) == {"csls": 1.0}
    assert fit_weights(evidence, rows, np.zeros_like(gold), ("csls", "a")) == {"csls": 1.0}


def test_scores_that_mislead_set_no_scale():
    assert fit_weights(*planted([-1.0, 2.0]), ("csls", "cosine")) == {"csls": 1.0}


def test_a_dictionary_of_frequent_words_says_nothing_against_rare_ones():
    """All right answers are frequent, as in a dictionary of frequent words, and rarity says nothing else."""
    rng = np.random.default_rng(0)
    evidence, rows, gold = planted([3.0, 0.0])
    rows = np.where(gold, rng.integers(0, 500, gold.shape), rows)
    evidence[..., 1] = np.log(rows + 10.0)
    covered = fit_weights(evidence, rows, gold, ("csls", "rarity"))
    assert abs(covered.get("rarity", 0.0)) < 0.05 * covered["csls"]
    naive = fit_weights(evidence, np.zeros_like(rows), gold, ("csls", "rarity"))
    assert naive["rarity"] < -0.2 * naive["csls"]


def test_candidates_are_sorted_by_the_sum_and_keep_their_mean_score():
    queries, *_ = make_queries(asked=1)
    spelled = Queries(**{**vars(queries), "words": ["abc"], "target_words": ["x", "y", "abc", "zzz", "qqq"]})
    rows, scores = np.array([[4, 3, 2]]), np.array([[0.9, 0.8, 0.7]], dtype=np.float32)
    new_scores, new_rows = Reranker(spelled, {"csls": 1.0, "spelling": 1.0})(scores, rows)
    assert new_rows.tolist() == [[2, 4, 3]]
    np.testing.assert_allclose(new_scores, [[1.1, 0.7, 0.6]], atol=1e-6)


def hubs(n=600, dim=12, seed=0):
    """Return spaces sorted by frequency in which rare near-duplicates of frequent targets distract."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, dim)).astype(np.float32)
    Y = X + 0.6 * rng.standard_normal(X.shape).astype(np.float32)
    twins = X + 0.6 * rng.standard_normal(X.shape).astype(np.float32)
    words = [f"s{row}" for row in range(n)]
    source = ia.Embeddings(words, X)
    target = ia.Embeddings([f"t{row}" for row in range(n)] + [f"twin{row}" for row in range(n)], np.vstack([Y, twins]))
    pairs = [(f"s{row}", f"t{row}") for row in rng.permutation(n)]
    return source, target, pairs[: n // 2], pairs[n // 2 :]


def test_reranking_is_learned_recorded_saved_and_used(tmp_path):
    source, target, train, test = hubs()
    plain, model = (ia.align(source, target, train, method="procrustes", rerank=some) for some in (False, True))
    weights = model.provenance["rerank"]["source→target"]
    assert weights["rarity_gap"] < 0 or weights["rarity"] < 0
    without, found = (ia.evaluate_bli(one, test, n_resamples=10) for one in (plain, model))
    assert found.precision[1] > without.precision[1] + 0.1
    assert "re-ranked by cosine" in found.retrieval
    model.save(tmp_path / "m")
    answers = ia.Translator(ia.Alignment.load(tmp_path / "m")).translate([word for word, _ in test], k=1)
    right = [best[0].word == gold for best, (_, gold) in zip(answers, test, strict=True)]
    assert np.mean(right) == pytest.approx(found.precision[1])


def test_the_reverse_direction_has_weights_of_its_own():
    source, target, train, test = hubs()
    model = ia.align(source, target, train, method="contrast-kernel", rerank=True)
    backward = ia.evaluate_bli(model, [pair[::-1] for pair in test], source="target", target="source", n_resamples=10)
    assert "re-ranked" in backward.retrieval


def test_candidates_are_sorted_again_however_csls_is_spelled():
    source, target, train, test = hubs()
    model = ia.align(source, target, train, method="procrustes", normalize="iternorm")
    model.provenance["rerank"] = {"source→target": {"csls": 0.1, "cosine": 1.0}}
    words = [word for word, _ in test]
    found = {name: ia.Translator(model, retrieval=name).translate(words, k=1) for name in ("csls", "CSLS", "nn")}
    assert found["CSLS"] == found["csls"]
    plain = ia.align(source, target, train, method="procrustes", normalize="iternorm")
    assert found["nn"] == ia.Translator(plain, retrieval="nn").translate(words, k=1)
    assert found["csls"] != ia.Translator(plain).translate(words, k=1)


def test_more_answers_do_not_change_the_first_ones():
    source, target, train, test = hubs()
    translator = ia.Translator(ia.align(source, target, train, method="procrustes", rerank=True))
    for word, _ in test[:50]:
        few, many = translator.translate(word, k=5), translator.translate(word, k=100)
        assert many[:5] == few
        assert [one.score for one in many] == sorted((one.score for one in many), reverse=True)


def test_few_words_teach_nothing_and_no_dictionary_is_an_error():
    source, target, train, _ = hubs()
    model = ia.align(source, target, train[:40], method="procrustes", rerank=True)
    assert set(map(tuple, model.provenance["rerank"].values())) == {("csls",)}
    with pytest.raises(ParameterError, match="rerank and spelling learn from a dictionary"):
        ia.align(source, target, start="similarity", rerank=True)


def test_numbers_have_no_spelling():
    X = np.random.default_rng(0).standard_normal((200, 8)).astype(np.float32)
    pairs = [(row, row) for row in range(150)]
    with pytest.raises(ParameterError, match="spelling needs words"):
        ia.align(X, X, pairs, method="procrustes", spelling=True)
    model = ia.align(X, X[:, ::-1], pairs, method="procrustes", rerank=True)
    assert ia.Translator(model).translate(3, k=1)[0].word == 3


def judge(weights, late_weights, names, seed=0, n_late=1000):
    """Return candidates whose right answers follow other weights in the last quarter of the dictionary."""
    evidence, rows, gold = planted(weights, seed=seed)
    late_evidence, late_rows, late_gold = planted(late_weights, n=n_late, seed=seed + 1)
    known, nothing = Judged(evidence, rows, gold, early=gold), np.zeros_like(late_gold)
    later = Judged(late_evidence, late_rows, late_gold, early=nothing)
    both = join_judged([known, later])  # later pairs are in the dictionary too, but only judge
    return set(choose_weights(both, later, names))


def test_evidence_that_misleads_about_later_words_is_left_out():
    names = ("csls", "cosine", "rarity", "spelling")
    assert judge([2, 1, 1, 1], [2, 1, 1, 1], names) == set(names)
    assert judge([2, 1, 2, 1], [2, 1, -2, 1], names) == {"csls", "cosine", "spelling"}
    assert judge([2, 2, 2, 1], [2, -2, -2, 1], names) == {"csls", "spelling"}
    assert judge([2, 2, 2, 1], [2, -2, -2, -1], names) == {"csls"}
    assert judge([2, 2, 2, 1], [2, -2, -2, -1], names, n_late=12_000) == {"csls"}  # later words only judge


def test_without_later_words_nothing_is_used():
    evidence, rows, gold = planted([2, 2])
    some = Judged(evidence, rows, gold, gold)
    nothing = Judged(*(part[:0] for part in some))
    assert choose_weights(some, nothing, ("csls", "cosine")) == {"csls": pytest.approx(1.0)}


@pytest.mark.parametrize(
    "stored",
    [
        "csls",
        {"source→target": ["csls"]},
        {"source→target": {"csls": 1.0, "_class__": 1.0}},
        {"source→target": {"csls": 1.0, "cosine": "1"}},
        {"source→target": {"csls": 1.0, "cosine": float("nan")}},
    ],
)
def test_damaged_weights_are_refused(stored):
    source, target, train, _ = hubs(n=60)
    model = ia.align(source, target, train, method="procrustes")
    model.provenance["rerank"] = stored
    with pytest.raises(FormatError, match="Align again"):
        ia.Translator(model).translate("s1")


def test_evidence_is_learned_from_queries_as_look_ups_make_them():
    """The candidates of held-out words, in the dictionary or not, look the same to learning and to a translator."""
    source, target, train, test = hubs()
    model = ia.align(source, target, train, method="kernel", normalize="iternorm")
    X, Y = (ia.normalize(side, "iternorm").vectors for side in (source, target))
    problem = Problem.from_spaces(X, Y, ia.Lexicon(train).row_pairs(source, target))
    maps = resolve_method("kernel").aligner.fit_problem(problem).maps_
    names = ("csls", *FEATURES)
    forth, back = both_ways(maps, problem, (source.index_to_key, target.index_to_key), names)
    held = ia.Lexicon(sorted(test, key=lambda pair: source.get_index(pair[0]))).row_pairs(source, target)
    judged = forth.judge(held, np.zeros(len(held), dtype=bool), names, back)
    pair = model.pair("source", "target")
    model.provenance["rerank"] = {"source→target": {"csls": 1.0, "cosine": 1.0}}
    Q = pair.queries(held[:, 0])
    reverse = pair.reverse()
    reranker = pair.rerank(
        [source.index_to_key[row] for row in held[:, 0]],
        Q,
        CSLS(),
        lambda: CSLS().fit(reverse.targets, reverse.sources),
    )
    scores, rows = CSLS().fit(pair.targets, pair.sources).kneighbors(Q, 20)
    np.testing.assert_array_equal(rows, judged.rows)
    found = CandidateEvidence(reranker.queries, scores, rows).measure(names)
    np.testing.assert_allclose(found, judged.evidence, atol=1e-4)
