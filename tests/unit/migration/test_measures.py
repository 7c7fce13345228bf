"""Measures, verdict and plan, against counts by hand and planted gains and losses."""

import numpy as np
import pytest

import isoalign as ia
from isoalign.errors import InvalidValueError, ShapeError
from isoalign.migration import evaluate_adapter, judge_migration, plan_migration
from isoalign.migration._measures import ADAPTED, NEW, OLD, _judge
from isoalign.migration._plan import curve_sizes
from isoalign.migration._recall import kept_shares, nearest_rows
from isoalign.migration._verdict import BOTH, NOT, QUERIES
from migrations import planted_change, unit


@pytest.fixture(scope="module")
def change():
    return planted_change(700, noise=0.05)


@pytest.fixture(scope="module")
def adapter(change):
    return ia.fit_adapter(change.old[:400], change.new[:400], use="corpus", method="ridge")


def test_kept_shares_count_what_both_lists_hold():
    found, truth = np.array([[1, 2, 3], [4, 5, 6]]), np.array([[3, 1, 9], [7, 8, 9]])
    np.testing.assert_allclose(kept_shares(found, truth, 3), [2 / 3, 0])
    np.testing.assert_allclose(kept_shares(found, truth, 1), [0, 0])


def test_an_item_is_not_its_own_neighbor(change):
    rows = nearest_rows(change.old, change.old, 5, themselves=True)
    cosines = change.old.astype(float) @ change.old.T
    np.fill_diagonal(cosines, -2)
    np.testing.assert_array_equal(rows, np.argsort(-cosines, axis=1, kind="stable")[:, :5])


def test_judgments_are_scored_as_by_hand():
    found = np.array([[5, 1, 7, 2], [0, 1, 2, 3]])
    scores = _judge(found, np.array([[0, 1], [0, 2], [1, 9]]), (1, 2, 4))
    np.testing.assert_allclose(scores["R@1"], [0, 0])
    np.testing.assert_allclose(scores["R@2"], [0.5, 0])
    np.testing.assert_allclose(scores["R@4"], [1, 0])
    np.testing.assert_allclose(scores["MRR"], [0.5, 0])
    ideal = 1 + 1 / np.log2(3)
    np.testing.assert_allclose(scores["nDCG@10"], [(1 / np.log2(3) + 1 / np.log2(5)) / ideal, 0])


def test_documents_that_were_fitted_on_do_not_judge(change, adapter):
    result = evaluate_adapter(adapter, *change)
    assert (result.n, result.n_index, result.real_queries) == (300, 300, False)
    assert result.systems[NEW]["kept@10"].value == 1
    mapped = adapter.transform(change.old[400:])
    found = nearest_rows(change.new[400:], mapped, 10, themselves=True)
    truth = nearest_rows(change.new[400:], change.new[400:], 10, themselves=True)
    assert result.systems[ADAPTED]["kept@10"].value == pytest.approx(kept_shares(found, truth, 10).mean())
    low, high = result.systems[ADAPTED]["kept@10"].ci95
    assert low < result.systems[ADAPTED]["kept@10"].value < high
    assert sum(cluster.n for cluster in result.clusters) <= 300
    assert result.clusters == sorted(result.clusters, key=lambda cluster: cluster.kept)
    with pytest.raises(InvalidValueError, match="0 documents are left"):
        evaluate_adapter(adapter, change.old[:400], change.new[:400])


def test_a_result_is_a_table(adapter, change):
    result = evaluate_adapter(adapter, *change)
    frame = result.to_dataframe().set_index(["system", "measure"])
    assert set(frame.index.get_level_values("system")) == result.systems.keys()
    score = result.systems[ADAPTED]["kept@10"]
    assert tuple(frame.loc[(ADAPTED, "kept@10")]) == (score.value, *score.ci95)
    assert result._repr_html_().count("<tr>") == 1 + len(frame)


def test_judgments_need_queries_and_every_query_a_document(change, adapter):
    with pytest.raises(ShapeError, match="Judgments need the queries"):
        evaluate_adapter(adapter, *change, relevant=np.arange(700))
    queries = change.old[:5], change.new[:5]
    with pytest.raises(ShapeError, match="2 of 5 have none"):
        evaluate_adapter(adapter, *change, queries=queries, relevant=[[0, 0], [1, 1], [2, 2]])


def noisy_old(noise, n=900):
    """Return an old model that is the new one with noise, queries near documents 0 … 99, and their documents."""
    rng = np.random.default_rng(1)
    documents, wanted = rng.standard_normal((n, 16)) + 0.5, np.arange(100)
    asked = documents[:100] + 0.3 * rng.standard_normal((100, 16))
    turned = np.linalg.qr(rng.standard_normal((16, 16)))[0]
    old, old_queries = (unit(X @ turned + noise * rng.standard_normal(X.shape)) for X in (documents, asked))
    return old, unit(documents), (old_queries, unit(asked)), wanted


def test_a_weak_old_model_is_worth_leaving_and_a_better_one_is_not():
    old, new, queries, wanted = noisy_old(1.0)
    adapter = ia.fit_adapter(old[100:], new[100:], use="corpus", method="ridge")
    gain = evaluate_adapter(adapter, old, new, queries=queries, relevant=wanted)
    assert gain.decisive == "R@10"
    assert gain.difference.ci95[0] > 0
    verdict = judge_migration(gain, None)
    assert verdict.answer == BOTH
    assert f"today {gain.systems[OLD]['R@10'].value:.3f}" in verdict.reasons[0]
    back = ia.fit_adapter(new[100:], old[100:], use="corpus", method="ridge")  # from the better to the worse
    loss = evaluate_adapter(back, new, old, queries=queries[::-1], relevant=wanted)
    assert loss.difference.ci95[1] < 0
    assert judge_migration(loss, None).answer == NOT
    assert judge_migration(loss, gain).answer == QUERIES


def test_a_plan_tells_curve_time_and_verdict():
    old, new, queries, wanted = noisy_old(1.0)
    plan = plan_migration(old, new, uses=["corpus"], method="ridge", queries=queries, relevant=wanted, n_vectors=10**6)
    corpus = plan.directions["corpus"]
    assert [point.pairs for point in corpus.curve] == [250, corpus.adapter.record_["pairs"]]
    assert not corpus.adapter.has_seen(old[:100]).any()
    assert plan.verdict.answer == BOTH
    assert 0 < corpus.seconds < 1000
    assert plan.to_dict()["directions"]["corpus"]["result"]["systems"][NEW]["R@10"]["value"] > 0.9
    assert [{"use": "corpus", **row} for row in corpus.result.to_records()] == plan.to_dataframe().to_dict("records")
    assert repr(plan) == f"MigrationPlan(migrate; {plan.verdict.reasons[0]})"
    assert plan.verdict.to_records() == [{"answer": BOTH, "reason": plan.verdict.reasons[0]}]


def test_the_curve_says_whether_more_pairs_would_help():
    clean = plan_migration(*planted_change(3000, dims=(6, 6), noise=0.0), uses=["corpus"], method="ridge")
    assert clean.directions["corpus"].advice.startswith("More pairs would not help")
    wide = plan_migration(*planted_change(800, dims=(128, 128), noise=0.0), uses=["corpus"], method="ridge")
    assert wide.directions["corpus"].advice.startswith("More pairs would help")
    with pytest.raises(InvalidValueError, match=r"at least 100 pairs\. Got 60"):
        plan_migration(*planted_change(60))


def test_sizes_double_up_to_all_pairs():
    assert curve_sizes(1500) == [250, 500, 1000, 1500]
    assert curve_sizes(1499) == [250, 500, 1499]
    assert curve_sizes(200) == [200]
