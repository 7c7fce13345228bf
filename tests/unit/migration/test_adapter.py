"""Adapters as estimators: chosen on held-out items, kept in folders, refusing vectors of other models."""

import json
import pickle

import numpy as np
import pytest

import isoalign as ia
from isoalign.errors import FormatError, InvalidValueError, MissingFileError, ParameterError, ShapeError
from isoalign.migration import PairedRows
from isoalign.migration._pairs import duplicate_groups
from isoalign.migration._recall import neighbor_recall, true_neighbors
from isoalign.migration._selection import held_out_folds
from migrations import planted_change, unit


@pytest.fixture(scope="module")
def change():
    return planted_change(500, noise=0.02)


@pytest.fixture(scope="module")
def adapter(change):
    return ia.fit_adapter(*change, use="corpus", method="ridge", old_name="small-1", new_name="large-2")


def test_the_chosen_adapter_is_the_best_that_was_tried_and_far_from_chance(change):
    record = ia.fit_adapter(*change, use="corpus").record_
    assert {trial["method"] for trial in record["tried"]} == {"procrustes", "ridge", "shrunk", "adjoint", "kernel"}
    assert record["held_out"]["recall"] == max(trial["recall"] for trial in record["tried"])
    assert record["held_out"]["recall"] > 0.6 > 0.2 > record["held_out"]["null"]
    assert record["held_out"]["identity_p1"] > 0.9


@pytest.mark.parametrize(("n", "k"), [(50, 1), (500, 2), (1000, 4), (4000, 10)])
def test_at_most_a_fiftieth_of_the_held_out_items_are_neighbors(n, k):
    record = ia.fit_adapter(*planted_change(n, noise=0.02), use="corpus", method="procrustes").record_
    assert record["held_out"]["k"] == k


def test_a_large_penalty_is_chosen_for_few_noisy_pairs_and_a_small_one_for_many_clean_ones():
    few = ia.fit_adapter(*planted_change(40, noise=0.8), use="corpus", method="ridge").record_["settings"]
    many = ia.fit_adapter(*planted_change(1000, noise=0.0), use="corpus", method="ridge").record_["settings"]
    assert few["ridge"] > 10 * many["ridge"]


def test_the_record_says_what_belongs_together(adapter, change):
    record = adapter.record_
    assert record["source"] | {"sha256": None} == {"name": "small-1", "dim": 12, "unit": True, "sha256": None}
    assert record["target"]["name"] == "large-2"
    assert record["pairs"] == 500
    other = ia.fit_adapter(change.old[::-1], change.new[::-1], use="corpus", method="ridge")
    assert other.record_["source"]["sha256"] != record["source"]["sha256"]


def test_queries_are_mapped_the_other_way(change):
    adapter = ia.fit_adapter(*change, use="queries", method="adjoint")
    assert (adapter.map_.dim_in, adapter.map_.dim_out) == (16, 12)
    assert adapter.record_["source"]["dim"] == 16


def test_one_vector_is_mapped_as_a_row_is(adapter, change):
    np.testing.assert_allclose(adapter.transform(change.old[3]), adapter.transform(change.old)[3], atol=1e-6)


def test_one_vector_of_another_dimension_or_with_nan_is_refused(adapter):
    with pytest.raises(ShapeError, match=r"takes 12 columns\. Got a vector with 5"):
        adapter.transform(np.ones(5))
    with pytest.raises(InvalidValueError, match="NaN or infinity"):
        adapter.transform(np.full(12, np.nan))


def test_it_survives_pickle_and_a_folder_to_the_bit(adapter, change, tmp_path):
    adapter.save(tmp_path / "a")
    loaded = ia.Adapter.load(tmp_path / "a")
    for other in (loaded, pickle.loads(pickle.dumps(adapter))):  # noqa: S301
        np.testing.assert_array_equal(other.transform(change.old), adapter.transform(change.old))
        assert other.record_ == adapter.record_
        assert other.get_params() == adapter.get_params()
        assert other.has_seen(change.old).all()


def test_damaged_and_missing_folders_are_named(adapter, tmp_path):
    with pytest.raises(MissingFileError, match="no such folder"):
        ia.Adapter.load(tmp_path / "none")
    adapter.save(tmp_path / "a")
    about = json.loads((tmp_path / "a" / "adapter.json").read_text())
    del about["map"]
    (tmp_path / "a" / "adapter.json").write_text(json.dumps(about))
    with pytest.raises(FormatError, match="a damaged adapter"):
        ia.Adapter.load(tmp_path / "a")


def test_scikit_learn_clones_and_searches(change):
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV

    search = GridSearchCV(ia.Adapter("ridge"), {"method": ["procrustes", "ridge"]}, cv=3)
    search.fit(*change)
    assert search.best_params_ == {"method": "ridge"}
    copy = clone(search.best_estimator_)
    assert copy.method == "ridge"
    assert not hasattr(copy, "map_")


def test_vectors_of_another_model_are_refused_with_the_numbers(adapter, change):
    adapter.check(planted_change(200, noise=0.02, seed=5).old)
    with pytest.raises(ShapeError, match=r"the adapter takes vectors of dimension 12\. Got 16\."):
        adapter.check(change.new)
    with pytest.raises(InvalidValueError, match=r"mean length of its vectors is 4, but 1 of those"):
        adapter.check(4 * change.old)
    with pytest.raises(InvalidValueError, match=r"cosine between the mean of its vectors and the mean .* is -"):
        adapter.check(-change.old)


def test_the_mean_of_few_or_centred_vectors_is_no_reason_to_refuse(adapter, change):
    adapter.check(-change.old[:1])
    centred = ia.fit_adapter(unit(change.old - change.old.mean(0)), change.new, use="corpus", method="ridge")
    centred.check(unit(change.old.mean(0) - change.old))


def test_unknown_settings_uses_and_methods_are_refused(change):
    with pytest.raises(ParameterError, match=r"ridge has no setting 'rigde'\. It has: ridge"):
        ia.fit_adapter(*change, method="ridge", settings={"rigde": 1})
    with pytest.raises(ParameterError, match="use must be one of 'corpus', 'queries'"):
        ia.fit_adapter(*change, use="query")
    with pytest.raises(ParameterError, match="adapter must be one of"):
        ia.fit_adapter(*change, method="rigde")


def test_items_are_joined_by_their_keys(change):
    order = np.random.default_rng(0).permutation(500)[:400]
    old = ia.Embeddings([f"d{i}" for i in range(500)], change.old)
    new = ia.Embeddings([f"d{i}" for i in order], change.new[order])
    joined = ia.fit_adapter(old, new, use="corpus", method="procrustes")
    assert joined.record_["pairs"] == 400
    assert joined.record_["held_out"]["identity_p1"] > 0.7
    with pytest.raises(ShapeError, match="Pass keys with both models or with neither"):
        ia.fit_adapter(old, change.new)
    with pytest.raises(ShapeError, match="Rows of old and new must correspond"):
        ia.fit_adapter(change.old, change.new[:-1])


@pytest.mark.parametrize("use", ["corpus", "queries"])
def test_recall_of_queries_is_the_share_of_their_nearest_documents_that_is_found(use):
    rng = np.random.default_rng(3)
    X, Y, mapped = (unit(rng.standard_normal((60, 5))) for _ in range(3))
    queries = rng.random(60) < 0.4
    new, asked, index = (Y, Y, mapped) if use == "corpus" else (X, mapped, Y)
    wanted, found = (
        np.argsort(-(side[queries] @ documents[~queries].T), axis=1)[:, :7]
        for side, documents in ((new, new), (asked, index))
    )
    expected = [len(set(one) & set(other)) / 7 for one, other in zip(wanted, found, strict=True)]
    truth = true_neighbors(X, Y, use=use, k=7, queries=queries)
    np.testing.assert_allclose(neighbor_recall(mapped, Y, truth, use=use, queries=queries), expected)


def test_from_200_queries_on_they_decide_alone(monkeypatch):
    change = planted_change(1000)
    masks = []

    def recall(*arguments, queries, **options):
        masks.append(None if queries is None else int(queries.sum()))
        return neighbor_recall(*arguments, queries=queries, **options)

    monkeypatch.setattr("isoalign.migration._selection.neighbor_recall", recall)
    for n, judged in ((199, None), (200, 200)):
        masks.clear()
        queries = tuple(side[:n] for side in planted_change(n, seed=9))
        adapter = ia.fit_adapter(*(side[: 900 - n] for side in change), queries=queries, method="procrustes")
        assert adapter.record_["queries"] == n
        assert (None if None in masks else sum(masks[:5])) == judged


def test_fitting_on_queries_too_counts_them(change):
    both = ia.fit_adapter(*change, queries=planted_change(100, seed=9), use="corpus", method="procrustes")
    assert both.record_["pairs"] == 600


def test_an_adapter_that_only_remembers_its_pairs_is_not_chosen():
    """With fewer pairs than dimensions, a small penalty maps known items without error and others badly."""
    old, new = planted_change(90, dims=(64, 64), noise=0.3)
    adapter = ia.fit_adapter(old, new, use="queries", method="adjoint")
    assert adapter.record_["settings"]["ridge"] > 0.01


def test_duplicates_lie_in_one_fold(change):
    X, Y = np.repeat(change.old[:60], 2, axis=0), np.roll(np.repeat(change.new[:60], 2, axis=0), 1, axis=0)
    assert len(set(duplicate_groups(X, Y))) == 1  # every pair is joined to the next
    X, Y = np.concatenate([change.old, change.old[:50]]), np.concatenate([change.new, change.new[::-1][:50]])
    folds = held_out_folds(PairedRows.from_rows(X, Y), 5, np.random.default_rng(0))
    assert sorted(np.concatenate(folds)) == list(range(550))
    for fold in folds:
        others = np.setdiff1d(np.arange(550), fold)
        for side in (X, Y):
            assert not {row.tobytes() for row in side[fold]} & {row.tobytes() for row in side[others]}
