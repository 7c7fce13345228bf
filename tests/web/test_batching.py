import asyncio
import threading

import pytest

from isoalign.web._batching import Batcher, BusyError
from isoalign.web._limits import Limits


class Work:
    """Answers in capitals, notes the batches, and starts only when let go."""

    def __init__(self):
        self.batches = []
        self.go = threading.Event()

    def shout(self, mark, words):
        assert self.go.wait(10)
        self.batches.append(list(words))
        return [word.upper() + mark for word in words]

    def fail(self, words):
        raise ArithmeticError(f"{len(words)} words")


def run(limits, scenario):
    async def main():
        async with Batcher(limits) as batcher:
            return await scenario(batcher)

    return asyncio.run(main())


async def ask_together(batcher, work, questions):
    """Ask while the worker is held by the first question, so that the others gather."""
    tasks = []
    for mark, words in questions:
        tasks.append(asyncio.create_task(batcher.submit(work.shout, mark, words=words)))
        await asyncio.sleep(0.02)
    work.go.set()
    return await asyncio.gather(*tasks)


def test_requests_that_wait_together_are_answered_by_one_call_in_order():
    work = Work()
    questions = [("!", ["a"]), ("!", ["b", "c"]), ("?", ["d"]), ("!", ["e"])]
    answers = run(Limits(), lambda batcher: ask_together(batcher, work, questions))
    assert answers == [["A!"], ["B!", "C!"], ["D?"], ["E!"]]
    assert work.batches == [["a"], ["b", "c", "e"], ["d"]]


def test_a_long_request_goes_in_parts_and_lets_others_in_between():
    work = Work()
    questions = [("!", list("abcde")), ("!", ["x"])]
    answers = run(Limits(batch=2), lambda batcher: ask_together(batcher, work, questions))
    assert answers == [["A!", "B!", "C!", "D!", "E!"], ["X!"]]
    assert work.batches.index(["x"]) == 1
    assert all(len(batch) <= 2 for batch in work.batches)


def test_costly_requests_share_a_batch_of_their_own_size():
    work = Work()

    async def scenario(batcher):
        tasks = []
        for word in "abcd":
            tasks.append(asyncio.create_task(batcher.submit(work.shout, "!", words=[word], size=2)))
            await asyncio.sleep(0.02)
        work.go.set()
        return await asyncio.gather(*tasks)

    assert run(Limits(), scenario) == [["A!"], ["B!"], ["C!"], ["D!"]]
    assert work.batches == [["a"], ["b", "c"], ["d"]]


def test_more_words_than_may_wait_are_refused_and_the_rest_is_answered():
    work = Work()

    async def scenario(batcher):
        first = asyncio.create_task(batcher.submit(work.shout, "!", words=["a", "b"]))
        await asyncio.sleep(0)
        with pytest.raises(BusyError):
            await batcher.submit(work.shout, "!", words=["c", "d"])
        work.go.set()
        assert await first == ["A!", "B!"]
        return await batcher.submit(work.shout, "!", words=["c", "d"])

    assert run(Limits(waiting=3), scenario) == ["C!", "D!"]


def test_an_error_reaches_those_who_asked_and_nobody_else():
    work = Work()
    work.go.set()

    async def scenario(batcher):
        with pytest.raises(ArithmeticError, match="2 words"):
            await batcher.submit(work.fail, words=["a", "b"])
        return await batcher.submit(work.shout, "!", words=["c"])

    assert run(Limits(), scenario) == ["C!"]


def test_a_request_that_was_given_up_is_not_computed():
    work = Work()

    async def scenario(batcher):
        first = asyncio.create_task(batcher.submit(work.shout, "!", words=["a"]))
        await asyncio.sleep(0.02)
        given_up = asyncio.create_task(batcher.submit(work.shout, "!", words=["b"]))
        await asyncio.sleep(0.02)
        given_up.cancel()
        work.go.set()
        await first
        await batcher.submit(work.shout, "!", words=["c"])

    run(Limits(), scenario)
    assert work.batches == [["a"], ["c"]]
