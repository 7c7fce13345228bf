import os
import signal
import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from isoalign._core.threads import blas_libraries, limit_threads, map_threads, single_threaded_blas, thread_count


def blas_threads():
    return [library["num_threads"] for library in blas_libraries()]


def test_the_number_of_threads_follows_threadpoolctl():
    with threadpool_limits(1):
        assert thread_count() == 1
    with limit_threads(1):
        assert thread_count() == 1


def test_blas_gets_its_threads_back():
    before, count = blas_threads(), thread_count()
    with single_threaded_blas():
        assert blas_threads() == [1] * len(before)
        assert thread_count() == count
        with single_threaded_blas():
            assert blas_threads() == [1] * len(before)
        assert blas_threads() == [1] * len(before)
    assert blas_threads() == before


def test_overlapping_users_restore_blas_only_at_the_end():
    before = blas_threads()
    inside, leave = threading.Event(), threading.Event()

    def hold():
        with single_threaded_blas():
            inside.set()
            leave.wait(10)

    other = threading.Thread(target=hold)
    with single_threaded_blas():
        other.start()
        assert inside.wait(10)
    assert blas_threads() == [1] * len(before)
    leave.set()
    other.join()
    assert blas_threads() == before


@pytest.mark.parametrize("threads", [1, 3])
def test_results_come_in_the_order_of_the_items(threads):
    assert map_threads(lambda item: item * item, range(20), threads=threads) == [i * i for i in range(20)]


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_failure_is_raised_and_stops_the_rest(threads):
    started, stop = [], threading.Event()

    def work(item):
        started.append(item)
        if item == 2:
            raise ValueError("item 2")
        stop.wait(0.05)

    with pytest.raises(ValueError, match="item 2"):
        map_threads(work, range(1000), threads=threads, stop=stop)
    assert len(started) < 1000


def test_tasks_inside_tasks_never_wait_for_each_other():
    """With as many outer tasks as threads, inner tasks in the same pool would wait for ever."""

    def outer(item):
        return sum(map_threads(lambda one: item * one, range(4), threads=2))

    assert map_threads(outer, range(6), threads=2) == [6 * item for item in range(6)]


def test_nothing_runs_after_a_failure():
    running, leave = [], threading.Event()

    def work(item):
        if item == 0:
            raise ValueError("item 0")
        running.append(item)
        leave.wait(0.2)
        running.remove(item)

    with pytest.raises(ValueError, match="item 0"):
        map_threads(work, range(6), threads=3)
    assert not running


@pytest.mark.skipif(not hasattr(os, "fork"), reason="other systems do not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own():
    map_threads(abs, range(4), threads=2)  # the parent has a pool
    child = os.fork()
    if child == 0:
        signal.alarm(10)  # waiting for the threads of the parent would never end
        os._exit(map_threads(abs, range(4), threads=2) != [0, 1, 2, 3])
    assert os.waitpid(child, 0)[1] == 0


def test_no_items_are_no_work():
    assert map_threads(np.sqrt, []) == []
