"""The application as another ASGI server would run it."""

import asyncio
import json

from isoalign import Alignment
from isoalign.web import Model, make_app
from isoalign.web._limits import Limits


def ask(app, *paths, query="word=girl"):
    """Send several requests at once to an application that has started; return status and JSON of each."""

    async def request(path):
        sent = []
        scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": []}

        async def receive():
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message):
            sent.append(message)

        await app(scope, receive, send)
        return sent[0]["status"], json.loads(sent[1]["body"])

    async def main():
        stop, started = asyncio.Event(), asyncio.Event()
        messages = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])

        async def receive():
            if started.is_set():
                await stop.wait()
            return next(messages)

        async def send(message):
            assert message["type"].endswith(".complete"), message
            started.set()

        life = asyncio.create_task(app({"type": "lifespan", "state": {}}, receive, send))
        await started.wait()
        try:
            return await asyncio.gather(*map(request, paths))
        finally:
            stop.set()
            await life

    return asyncio.run(main())


def test_another_server_can_run_the_application(planted):
    ((status, answer),) = ask(make_app([Model("mine", planted)]), "/api/translate")
    assert status == 200
    assert answer["model"] == "mine"


def test_more_requests_at_once_than_allowed_are_put_off(planted):
    app = make_app([Model("mine", planted)], limits=Limits(connections=2))
    statuses = [status for status, _ in ask(app, *["/api/translate"] * 3)]
    assert sorted(statuses) == [200, 200, 503]


def test_a_request_that_waits_too_long_is_put_off(planted):
    app = make_app([Model("mine", planted)], limits=Limits(answer=0.0))
    ((status, answer),) = ask(app, "/api/word")
    assert status == 503
    assert "busy" in answer["error"]["message"]


def test_means_that_take_too_long_are_computed_on_and_the_request_is_put_off(trio):
    model = Model("mine", Alignment(trio.members, means=trio.means))
    app = make_app([model], limits=Limits(answer=0.0))
    ((status, answer),) = ask(app, "/api/word", query="word=nur&to=he")
    assert status == 503
    assert "CSLS means of en2 and he" in answer["error"]["message"]


def test_languages_whose_means_take_too_long_are_left_open(trio):
    model = Model("mine", Alignment(trio.members, means=trio.means))
    app = make_app([model], limits=Limits(glance=0.0))
    ((status, answer),) = ask(app, "/api/languages")
    assert status == 200
    assert [bool(entry["translations"]) for entry in answer["languages"]] == [True, False]


def test_means_of_other_pairs_are_computed_when_they_are_needed(trio):
    model = Model("mine", Alignment(trio.members, means=trio.means))
    ((status, _),) = ask(make_app([model]), "/api/translate", query="word=nur&to=he")
    assert status == 200
    assert set(model.alignment.means) == {("en", "he"), ("he", "en"), ("en2", "he"), ("he", "en2")}
