"""What large work is said to cost is what it costs, at three sizes."""

import pickle

import numpy as np
import pytest

import isoalign as ia
from isoalign._core.executor import InProcess
from isoalign.alignment import Alignment, Sizes, apply_file
from isoalign.experiments import Work, apply_work, evaluate_work, induce_work, normalize_work, search_work
from isoalign.io import _parts
from isoalign.neighbors import SharingSettings, csls_best, top_k, use_workers
from isoalign.normalization import normalize_file

DIM = 64

ALL = SharingSettings(min_products=1, min_rows=64)


class Counting(InProcess):
    """Count the bytes of what travels: tasks run on copies, as on a worker."""

    def __init__(self):
        self.bytes = 0

    def run(self, function, tasks):
        for task in tasks:
            sent = pickle.dumps(task)
            outcomes = list(function(pickle.loads(sent)))  # noqa: S301  (made in the line before)
            self.bytes += len(sent) + len(pickle.dumps(outcomes))
            yield task, outcomes


def mapped(tmp_path, n, seed):
    X = np.random.default_rng(seed).standard_normal((n, DIM)).astype(np.float32)
    ia.write_vectors(ia.Embeddings(None, X), tmp_path / f"{n}-{seed}")
    return ia.read_vectors(tmp_path / f"{n}-{seed}").vectors


@pytest.mark.parametrize("n", [1_000, 2_000, 4_000])
def test_the_bytes_of_a_search_are_predicted_within_a_fifth(tmp_path, n):
    X, Y = mapped(tmp_path, n, 0), mapped(tmp_path, n, 1)
    cases = {
        "few queries from memory": (
            np.array(X[:300]),
            Y,
            10,
            search_work(300, n, DIM, k=10, in_file=False, sharing=ALL),
        ),
        "many queries": (X, Y[: n // 2], 40, search_work(n, n // 2, DIM, k=40, sharing=ALL)),
    }
    for queries, rows, k, work in cases.values():
        with use_workers(executor := Counting(), sharing=ALL):
            top_k(queries, rows, k)
        assert executor.bytes == pytest.approx(work.shuffled, rel=0.2)
    with use_workers(executor := Counting(), sharing=ALL):
        csls_best(X, Y)
    assert executor.bytes == pytest.approx(induce_work(n, n, DIM, sharing=ALL).shuffled, rel=0.2)


@pytest.mark.parametrize("n", [500, 1_000, 2_000])
def test_the_bytes_of_parts_are_predicted_within_a_fifth(tmp_path, monkeypatch, n):
    monkeypatch.setattr(_parts, "PART_ROWS", 100)
    X = np.random.default_rng(0).standard_normal((n, DIM)).astype(np.float32) + 0.3
    ia.write_vectors(ia.Embeddings(None, X), tmp_path / "x.parts")
    normalize_file(tmp_path / "x.parts", tmp_path / "normal", executor=(executor := Counting()))
    assert executor.bytes == pytest.approx(normalize_work(n, DIM, parts=n // 100).shuffled, rel=0.2)
    model = Alignment.from_matrix(np.eye(DIM)[::-1], target_map=np.eye(DIM))
    apply_file(model, tmp_path / "x.parts", tmp_path / "mapped", executor=(executor := Counting()))
    assert executor.bytes == pytest.approx(apply_work(n, DIM, parts=n // 100).shuffled, rel=0.2)


def test_lazy_evaluation_is_linear_in_the_words_and_induction_quadratic():
    def evaluate(n):
        return evaluate_work(Sizes(n, n, 300, train=(0, 0), test=(1_500, 1_500))).operations

    assert evaluate(2_000_000) / evaluate(1_000_000) == pytest.approx(2, rel=0.02)
    assert induce_work(200, 200, 9).operations == 4 * induce_work(100, 100, 9).operations


def test_work_adds_up():
    total = Work(1, 2, 3, 4) + Work(10, 20, 30, 40)
    assert total == Work(11, 22, 33, 44)
    assert total.seconds(5.5) == 2
