import signal
import threading
import time

import numpy as np
import pytest

from isoalign._core import threads as _threads
from isoalign._core.threads import map_threads, thread_count
from isoalign.neighbors import neighborhood_means, top_k
from naive_search import random_pair


@pytest.mark.parametrize("threads", [1, 3])
def test_an_interrupt_stops_a_long_search_within_a_second_and_gives_blas_its_threads_back(threads, monkeypatch):
    X, Y = random_pair(0, 40_000, 40_000, 300)
    top_k(X[:2000], Y[:2000], 10)
    neighborhood_means(X[:2000], Y[:2000])
    before = thread_count()
    monkeypatch.setattr("isoalign.neighbors.engine._tiles.thread_count", lambda: threads)
    monkeypatch.setattr(_threads, "thread_count", lambda: threads)
    sent = []

    def interrupt():
        sent.append(time.process_time())
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    for search in (lambda: top_k(X, Y, 10), lambda: neighborhood_means(X, Y)):
        threading.Timer(0.3, interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            search()
        assert time.process_time() - sent[-1] < 5  # of computing; the whole search takes far longer
    monkeypatch.undo()
    assert thread_count() == before


def test_an_error_in_one_item_tells_the_others_to_stop_and_is_raised():
    stop = threading.Event()

    def run(item):
        if item == 0:
            raise ValueError("item 0")
        return stop.wait(5)

    with pytest.raises(ValueError, match="item 0"):
        map_threads(run, [0, 1], threads=2, stop=stop)
    assert stop.is_set()


@pytest.mark.parametrize("threads", [1, 4])
def test_results_come_in_order_and_are_counted(threads):
    counted = []
    results = map_threads(lambda item: item**2, np.arange(20).tolist(), threads=threads, done=counted.append)
    assert results == [item**2 for item in range(20)]
    assert counted == list(range(1, 21))
