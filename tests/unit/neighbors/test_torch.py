"""PyTorch as a backend: the answers of the CPU to the bit, also from the worst device that the proof allows."""

import logging

import numpy as np
import pytest

import isoalign as ia
from isoalign._core.arrays import unit_rows
from isoalign.errors import ParameterError
from isoalign.neighbors import MovingSearch, csls_best, make_retriever, stochastic_best, top_k, top_k_both, use_device
from isoalign.neighbors.engine import ShortlistSettings, _torch_device, use_backend
from isoalign.neighbors.engine._margins import margins_both
from isoalign.neighbors.engine._torch import TorchBackend
from naive_search import hubby_pair
from planted import planted_embeddings

torch = pytest.importorskip("torch")


def tied_pair():
    """Rows in bunches that differ by the last digit of one column, so that float32 products say nothing of them."""
    rng = np.random.default_rng(0)
    X, centres = unit_rows(rng.standard_normal((90, 24))), unit_rows(rng.standard_normal((8, 24)))
    Y = np.repeat(centres, 60, axis=0)
    columns = rng.integers(24, size=len(Y))
    Y[np.arange(len(Y)), columns] = np.nextafter(Y[np.arange(len(Y)), columns], np.float32(2))
    return X, Y[rng.permutation(len(Y))]


PAIRS = {"hubs": lambda: hubby_pair(0, 400, 350, 16), "near-ties": tied_pair}


def move(X, Y):
    search, rng = MovingSearch(Y, 5, list_length=20), np.random.default_rng(1)
    positions = [X, *(unit_rows(X + s * rng.standard_normal(X.shape)) for s in (1e-4, 1e-3, 0.3))]
    return [search.search(position) for position in positions]


def rank(name):
    def ranks(X, Y):
        retriever = make_retriever(name).fit(Y, X)
        return retriever.kneighbors(X, 7), retriever.rank_targets(X, np.arange(len(X)) % len(Y))

    return ranks


def choose(X, Y, **options):
    found = stochastic_best(X, Y, **options)
    return [side._replace(floors=side.chosen) for side in found]  # floors are only hints


SEARCHES = {
    "top": lambda X, Y: top_k(X, Y, 7),
    "top with a bias": lambda X, Y: top_k(X, Y, 7, scale=3.0, bias=np.linspace(-1, 1, len(Y), dtype=np.float32)),
    "more than there are": lambda X, Y: top_k(X, Y, 1000),
    "both ways": lambda X, Y: top_k_both(X, Y, 7),
    "refinement": lambda X, Y: csls_best(X, Y, 2, max_rank=(50, None))[:4],
    "self-learning": lambda X, Y: choose(X, Y, keep=0.1),
    "self-learning, all kept": lambda X, Y: choose(X, Y, dropped_is_zero=True),
    "self-learning, hinted": lambda X, Y: choose(X, Y, keep=0.3, about=stochastic_best(X[::-1], Y, keep=0.1)),
    "moving": move,
    "cosine": rank("nn"),
    "CSLS": rank("csls"),
}


def flatten(found):
    return [found] if isinstance(found, np.ndarray) else [array for part in found for array in flatten(part)]


def assert_same(found, expected):
    for one, other in zip(flatten(found), flatten(expected), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


@pytest.fixture
def on_cpu():
    """Compute what is expected on our own engine, wherever the other tests run."""

    def compute(search, *spaces):
        with use_device("cpu"):
            return search(*spaces)

    return compute


@pytest.mark.parametrize("values", [2**26, 5000], ids=["one block", "many blocks"])
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_has_the_answers_of_the_cpu_to_the_bit(search, pair, values, on_cpu):
    X, Y = PAIRS[pair]()
    with use_backend(TorchBackend("cpu", ShortlistSettings(values=values, more=4))):
        found = SEARCHES[search](X, Y)
    assert_same(found, on_cpu(SEARCHES[search], X, Y))


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("search", SEARCHES)
def test_the_largest_errors_that_the_bound_allows_change_no_answer(search, pair, monkeypatch, on_cpu):
    X, Y = PAIRS[pair]()
    walk = _torch_device.TorchDevice.walk
    rng = np.random.default_rng(0)

    def walk_badly(device, A, B, visit, *rest, **options):
        errors = np.minimum(margins_both(A, B)[0][:, None], margins_both(A, B)[1])

        def spoil(rows, products):
            signs = rng.choice([-0.9, 0.9], size=products.shape)
            visit(rows, products + torch.tensor((signs * errors[rows]).astype(np.float32)))

        walk(device, A, B, spoil, *rest, **options)

    with use_device("torch:cpu"):
        monkeypatch.setattr(_torch_device.TorchDevice, "walk", walk_badly)
        found = SEARCHES[search](X, Y)
    assert_same(found, on_cpu(SEARCHES[search], X, Y))


def test_queries_with_too_many_near_ties_are_searched_on_the_cpu(caplog, on_cpu):
    X, Y = tied_pair()
    with use_device("torch:cpu"), caplog.at_level(logging.DEBUG, "isoalign.neighbors"):
        top_k(X, Y, 7)
    assert "90 of 90 queries have too many near-ties" in caplog.text


def test_a_query_among_very_many_near_ties_is_ranked_on_the_cpu(on_cpu):
    X, Y = tied_pair()
    with use_backend(TorchBackend("cpu", ShortlistSettings(band=20))):
        found = rank("csls")(X, Y)
    assert_same(found, on_cpu(rank("csls"), X, Y))


def test_the_inverted_softmax_agrees_to_six_digits(on_cpu):
    X, Y = hubby_pair(0, 400, 350, 16)
    with use_device("torch:cpu"):
        found = make_retriever("isf").fit(Y, X)
    expected = on_cpu(lambda: make_retriever("isf").fit(Y, X))
    np.testing.assert_allclose(found.log_partition_, expected.log_partition_, rtol=1e-6)


@pytest.mark.parametrize("method", ["refine", "rcsls", "self_learning"])
def test_a_map_learned_on_the_device_is_that_of_the_cpu_to_the_bit(method, on_cpu):
    source, target, lexicon = planted_embeddings(n=400, dim=12, noise=0.3, n_pairs=40)

    def learn():
        model = ia.align(source, target, lexicon, method=method, select=None)
        return np.asarray(model.members[0].map.apply(source.vectors))

    with use_device("torch:cpu"):
        found = learn()
    np.testing.assert_array_equal(found, on_cpu(learn))


def test_a_device_with_fewer_digits_is_refused(monkeypatch):
    place = _torch_device.TorchDevice.place
    monkeypatch.setattr(_torch_device.TorchDevice, "place", lambda self, values: place(self, values).bfloat16().float())
    with pytest.raises(ParameterError, match="must multiply in full float32"), use_device("torch:cpu"):
        pass


def test_products_have_all_digits_though_the_program_prefers_speed():
    seen = []
    device = _torch_device.TorchDevice("cpu")
    torch.set_float32_matmul_precision("medium")
    try:
        ones = np.ones((2, 3), dtype=np.float32)
        device.walk(ones, ones, lambda *_: seen.append(torch.get_float32_matmul_precision()))
        assert (seen, torch.get_float32_matmul_precision()) == (["highest"], "medium")
    finally:
        torch.set_float32_matmul_precision("highest")


@pytest.mark.parametrize("name", ["cuda:77", "toaster", "meta"])
def test_a_device_that_is_not_there_is_a_clear_error(name):
    with pytest.raises(ParameterError, match=f"device '{name}' cannot be used here"), use_device(name):
        pass
