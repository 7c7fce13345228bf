"""Run a server as a process of its own, and ask it."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import ProxyHandler, Request, build_opener

from coverage import Coverage

# Few servers are worth it: measuring every process that the tests of this folder start took them from 44 s to 75 s.
_MEASURE = {"COVERAGE_PROCESS_START": str(Path(__file__).parents[2] / "pyproject.toml")}
_OPEN = build_opener(ProxyHandler({})).open


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def message(self):
        return self.json["error"]["message"]


class Server:
    """``isoalign serve`` with some arguments, or Python code that serves and prints its address first.

    What a ``measured`` one runs counts as covered, where coverage is measured.
    """

    def __init__(self, *arguments, code=None, measured=False):
        command = ["-c", code] if code else ["-m", "isoalign", "serve", "--port", "0", "--json", *map(str, arguments)]
        self.process = subprocess.Popen(
            [sys.executable, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **(_MEASURE if measured and Coverage.current() else {})},
        )
        if code:
            self.url = self.process.stdout.readline().strip()
        else:
            self.announced = json.loads("".join(self._read_announcement()))
            self.url = self.announced["url"]
        self.url = self.url.partition("#")[0].rstrip("/")

    def _read_announcement(self):
        for line in self.process.stdout:
            yield line
            if line == "}\n":
                return
        raise RuntimeError(f"the server ended before it answered: {self.process.communicate()[1]}")

    def stop(self, stop=signal.SIGTERM):
        """Return what it wrote to standard error."""
        self.process.send_signal(stop)
        _, err = self.process.communicate(timeout=20)
        return err

    def get(self, path, headers=None, **query):
        return self.send("GET", path, headers=headers, **query)

    def post(self, path, data, headers=None):
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        return self.send("POST", path, body=body, headers=headers)

    def send(self, method, path, *, body=None, headers=None, **query):
        url = self.url + quote(path, safe="/?=&%.") + (f"?{urlencode(query)}" if query else "")
        request = Request(url, data=body, headers=headers or {}, method=method)
        try:
            with _OPEN(request, timeout=30) as answer:
                return Answer(answer.status, answer.headers, answer.read())
        except HTTPError as error:
            with error:
                return Answer(error.code, error.headers, error.read())

    def connect(self):
        """Open a bare connection."""
        parts = urlsplit(self.url)
        return socket.create_connection((parts.hostname, parts.port), timeout=10)
