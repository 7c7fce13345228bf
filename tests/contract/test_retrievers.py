"""What every registered retriever promises."""

import copy
import importlib
import subprocess
import sys

import numpy as np
import pytest

from isoalign.errors import InvalidValueError, NotFittedError, ParameterError, ShapeError
from isoalign.neighbors import RETRIEVERS, AbstractRetriever, make_retriever
from naive_search import hubby_pair

pytestmark = pytest.mark.parametrize("name", RETRIEVERS)


@pytest.fixture
def spaces():
    return hubby_pair(0, 300, 260, 12)


def test_the_registry_names_a_final_retriever_that_its_package_exports(name):
    retriever = make_retriever(name)
    assert isinstance(retriever, AbstractRetriever)
    assert type(retriever).__subclasses__() == []
    assert type(retriever).__name__ in importlib.import_module("isoalign.neighbors").__all__


def test_settings_survive_a_round_trip_and_show_in_the_repr(name):
    retriever = make_retriever(name, metric="inner")
    assert type(retriever)(**retriever.get_params()).get_params() == retriever.get_params()
    assert "metric='inner'" in repr(retriever)
    with pytest.raises(ParameterError, match="has no setting"):
        retriever.set_params(metrics="cosine")


def test_scores_come_best_first_with_distinct_rows(name, spaces):
    X, Y = spaces
    scores, rows = make_retriever(name).fit(Y, X).kneighbors(X[:40], 7)
    assert scores.shape == rows.shape == (40, 7)
    assert (scores.dtype, rows.dtype) == (np.float32, np.int64)
    assert (np.diff(scores, axis=1) <= 0).all()
    assert all(len(set(row)) == 7 for row in rows.tolist())


def test_fewer_answers_are_the_beginning_of_more(name, spaces):
    X, Y = spaces
    retriever = make_retriever(name).fit(Y, X)
    every_scores, every_rows = retriever.kneighbors(X[:20], 1000)
    np.testing.assert_array_equal(np.sort(every_rows, axis=1), np.tile(np.arange(260), (20, 1)))
    scores, rows = retriever.kneighbors(X[:20], 3)
    np.testing.assert_array_equal(rows, every_rows[:, :3])
    np.testing.assert_array_equal(scores, every_scores[:, :3])


def test_ranks_are_places_in_the_answer(name, spaces):
    X, Y = spaces
    retriever = make_retriever(name).fit(Y, X)
    wanted = np.arange(20) * 13
    every = retriever.kneighbors(X[:20], 260)[1]
    places = 1 + (every == wanted[:, None]).argmax(axis=1)
    np.testing.assert_array_equal(retriever.rank_targets(X[:20], wanted), places)


def test_answers_do_not_depend_on_the_other_queries_or_on_an_earlier_fit(name, spaces):
    X, Y = spaces
    retriever = make_retriever(name).fit(X, Y)
    retriever.kneighbors(Y, 2)
    together = retriever.fit(Y, X).kneighbors(X, 4)
    for query in (0, 299):
        alone = make_retriever(name).fit(Y, X).kneighbors(X[query : query + 1], 4)
        np.testing.assert_array_equal(alone[0][0], together[0][query])
        np.testing.assert_array_equal(alone[1][0], together[1][query])


def test_of_two_equal_targets_the_lower_row_comes_first(name, spaces):
    X, Y = spaces
    Y = np.concatenate([Y[:60], Y[:60]])
    rows = make_retriever(name).fit(Y, X).kneighbors(X[:50], 2)[1]
    np.testing.assert_array_equal(rows[:, 1], rows[:, 0] + 60)


def test_lengths_do_not_matter_for_cosines_and_inputs_stay_as_they_are(name, spaces):
    X, Y = spaces
    long_X, long_Y = X * np.linspace(1, 4, 300)[:, None], Y * np.linspace(3, 1, 260)[:, None]
    before = long_X.copy(), long_Y.copy()
    rows = make_retriever(name).fit(long_Y, long_X).kneighbors(long_X[:30], 3)[1]
    np.testing.assert_array_equal(rows, make_retriever(name).fit(Y, X).kneighbors(X[:30], 3)[1])
    np.testing.assert_array_equal(long_X, before[0])
    np.testing.assert_array_equal(long_Y, before[1])


def test_wrong_data_is_refused_with_the_reason(name, spaces):
    X, Y = spaces
    with pytest.raises(NotFittedError, match="Call fit first"):
        make_retriever(name).kneighbors(X)
    retriever = make_retriever(name).fit(Y, X)
    with pytest.raises(ShapeError, match="same number of columns"):
        retriever.kneighbors(X[:, :5])
    with pytest.raises(ParameterError, match="k must be a whole number"):
        retriever.kneighbors(X, 0)
    broken = X.copy()
    broken[7, 3] = np.nan
    with pytest.raises(InvalidValueError, match="Row 7 contains NaN"):
        retriever.kneighbors(broken)


def test_listing_the_names_imports_no_numpy(name):
    code = "import sys, isoalign.neighbors._registry as r; assert 'numpy' not in sys.modules; print(*r.RETRIEVERS)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert name in out.stdout.split(), out.stderr


def test_a_fitted_copy_gives_the_same_answers(name, spaces):
    X, Y = spaces
    retriever = make_retriever(name).fit(Y, X)
    for one, other in zip(copy.deepcopy(retriever).kneighbors(X, 3), retriever.kneighbors(X, 3), strict=True):
        np.testing.assert_array_equal(one, other)
