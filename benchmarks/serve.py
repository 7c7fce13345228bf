"""Time the server: a real process on loopback, two languages of 200,000 words, a bounded load."""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import numpy as np

import isoalign as ia
from benchmarks._harness import save
from isoalign.alignment import CslsMeans
from isoalign.neighbors import mean_best, top_k

WORDS, DIM = 200_000, 300
CLIENTS = 20
MEANS_AMONG = 2_000  # approximate means are enough: using all words would take minutes and not affect the times below


def make_model(folder: Path, n: int) -> None:
    """Save an alignment of a space with a noisy rotation of itself."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, DIM), dtype=np.float32) * rng.uniform(1, 4, (n, 1)).astype(np.float32) + 0.3
    rotation = np.linalg.qr(rng.standard_normal((DIM, DIM)))[0].astype(np.float32)
    Y = X @ rotation + rng.standard_normal((n, DIM), dtype=np.float32)
    source, target = [f"word{i}" for i in range(n)], [f"wort{i}" for i in range(n)]
    pairs = list(zip(source[:5000], target[:5000], strict=True))
    model = ia.align(
        ia.Embeddings(source, X, lang="en"), ia.Embeddings(target, Y, lang="de"), pairs, method="procrustes"
    )
    for pair in (model.pair(), model.pair().reverse()):
        values = mean_best(top_k(pair.targets, pair.sources[:MEANS_AMONG], 10)[0])
        model.means[pair.names] = CslsMeans(10, values)
    model.save(folder)


class Server:
    """``isoalign serve`` on a free port, and its startup time."""

    def __init__(self, folder: Path) -> None:
        start = time.perf_counter()
        command = [sys.executable, "-m", "isoalign", "serve", str(folder), "--port", "0", "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        announced = json.loads("".join(iter(self.process.stdout.readline, "}\n")) + "}")
        address = urlsplit(announced["url"])
        self.host, self.port = str(address.hostname), int(address.port or 0)
        asyncio.run(Client(self).get("/health"))
        self.seconds_to_health = time.perf_counter() - start
        asyncio.run(Client(self).get("/api/translate?word=word7"))
        self.seconds_to_translation = time.perf_counter() - start

    def anonymous_bytes(self) -> int:
        """Return the memory of the process that is not mapped from files."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.split("\n") if line.startswith("RssAnon:")).split()[1]) * 1024


class Client:
    """One connection that stays open."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str) -> float:
        """Return the seconds until the whole answer arrived."""
        return await self._ask(f"GET {path} HTTP/1.1\r\nHost: {self.server.host}\r\n\r\n".encode())

    async def post(self, path: str, data: Any) -> float:
        """As `get`, with a JSON body."""
        body = json.dumps(data).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: {self.server.host}\r\nContent-Length: {len(body)}\r\n\r\n"
        return await self._ask(head.encode() + body)

    async def _ask(self, request: bytes) -> float:
        start = time.perf_counter()
        if self.streams is None:
            self.streams = await asyncio.open_connection(self.server.host, self.server.port)
        reader, writer = self.streams
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(head.partition("content-length:")[2].partition("\r\n")[0])
        body = await reader.readexactly(length)
        if " 200 " not in head:
            raise RuntimeError(f"{head}{body.decode()}")
        return time.perf_counter() - start


async def run_paced(server: Server, seconds: int) -> list[float]:
    """Every client sends one request per second, at different moments."""

    async def run(number: int) -> list[float]:
        client, times, rng = Client(server), [], np.random.default_rng(number)
        begin = time.perf_counter() + rng.uniform()
        for second in range(seconds):
            await asyncio.sleep(begin + second - time.perf_counter())
            times.append(await client.get(f"/api/translate?word={quote(f'word{rng.integers(WORDS // 2)}')}"))
        return times

    return [t for times in await asyncio.gather(*(run(number) for number in range(CLIENTS))) for t in times]


async def run_saturated(server: Server, requests: int, clients: int = CLIENTS) -> float:
    """Every client sends its next request as soon as it has a response; return requests per second."""
    left = iter(range(requests))

    async def run() -> None:
        client = Client(server)
        for number in left:
            await client.get(f"/api/translate?word=word{number * 7919 % (WORDS // 2)}")

    start = time.perf_counter()
    await asyncio.gather(*(run() for _ in range(clients)))
    return requests / (time.perf_counter() - start)


async def repeat(ask: Callable[[int], Awaitable[float]], times: int) -> list[float]:
    """One request after the other."""
    return [await ask(number) for number in range(times)]


def milliseconds(times: list[float]) -> dict[str, float]:
    """Return percentiles."""
    return {f"p{q}": round(1000 * float(np.percentile(times, q)), 1) for q in (50, 99)}


def main() -> None:
    """Measure and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=WORDS)
    parser.add_argument("--seconds", type=int, default=30, help="duration of the paced load")
    parser.add_argument(
        "--requests", type=int, default=20_000, help="number of requests over which memory is monitored"
    )
    parser.add_argument("--model", type=Path, help="folder of the model, which is created if it does not exist")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.model or Path(folder) / "model"
        if not path.exists():
            make_model(path, arguments.words)
        load_before = os.getloadavg()[0]
        server = Server(path)
        try:
            figures = asyncio.run(measure_all(server, arguments))
        finally:
            server.process.terminate()
            server.process.wait()
    save("serve", {"words": arguments.words, "dim": DIM, "load_before": round(load_before, 2), **figures})


async def measure_all(server: Server, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return all figures of one server."""
    client = Client(server)
    await repeat(lambda i: client.get(f"/api/word?word=word{i}"), 5)
    memory_before = server.anonymous_bytes()
    alone = await repeat(lambda i: client.get(f"/api/translate?word=word{100 + i}"), 100)
    page = await repeat(lambda i: client.get(f"/api/word?word=word{100 + i}"), 100)
    complete = await repeat(lambda i: client.get(f"/api/complete?prefix=w{'or'[: i % 3]}"), 100)
    paced = await run_paced(server, arguments.seconds)
    saturated = await run_saturated(server, 2000)
    many = await Client(server).post("/api/translate", {"words": [f"word{i}" for i in range(1000)]})
    memory_middle = server.anonymous_bytes()
    await run_saturated(server, arguments.requests)
    return {
        "start_seconds": {
            "health": round(server.seconds_to_health, 2),
            "first_translation": round(server.seconds_to_translation, 2),
        },
        "translate_alone_ms": milliseconds(alone),
        "translate_20_clients_1_per_second_ms": milliseconds(paced),
        "translate_20_clients_saturated_words_per_second": round(saturated),
        "translate_1000_words_in_one_request_words_per_second": round(1000 / many),
        "page_ms": milliseconds(page),
        "complete_ms": milliseconds(complete),
        "anonymous_mb": {
            "before": round(memory_before / 2**20, 1),
            "after_some": round(memory_middle / 2**20, 1),
            f"after_{arguments.requests}_more": round(server.anonymous_bytes() / 2**20, 1),
        },
    }


if __name__ == "__main__":
    main()
