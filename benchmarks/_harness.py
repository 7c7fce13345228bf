"""Measurement of time and peak memory, and a record of the environment."""

import gc
import json
import threading
import time
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from isoalign.experiments._environment import describe_environment
from isoalign.io._atomic import replacing_file

__all__ = ["Seconds", "load", "measure", "measure_together", "peak_allocation", "peak_memory", "save"]

_RESULTS = Path(__file__).parent / "results"


class Seconds(NamedTuple):
    """Duration of a call: wall-clock time, and processor time, which other programs disturb less."""

    clock: float
    processor: float


def measure(function: Callable[[], Any], repeat: int = 3) -> float:
    """Return the shortest time of several calls, in seconds."""
    return measure_together({"function": function}, repeat)["function"].clock


def measure_together(functions: Mapping[str, Callable[[], Any]], repeat: int = 3) -> dict[str, Seconds]:
    """Return the shortest times of each function; calls are interleaved, so that noise affects all equally."""
    times: dict[str, list[Seconds]] = {name: [] for name in functions}
    for _ in range(repeat):
        for name, function in functions.items():
            gc.collect()
            clock, processor = time.perf_counter(), time.process_time()
            function()
            times[name].append(Seconds(time.perf_counter() - clock, time.process_time() - processor))
    return {name: Seconds(*map(min, zip(*calls, strict=True))) for name, calls in times.items()}


def _anonymous_bytes() -> int:
    for line in Path("/proc/self/status").read_text().split("\n"):
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    raise OSError("this system does not report the anonymous memory of a process")


def peak_memory(function: Callable[[], Any]) -> int:
    """Return the peak increase of anonymous memory during a call, in bytes."""
    gc.collect()
    before = peak = _anonymous_bytes()
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.002):
            peak = max(peak, _anonymous_bytes())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        function()
    finally:
        done.set()
        watcher.join()
    return peak - before


def peak_allocation(function: Callable[[], Any]) -> int:
    """Return the peak number of bytes allocated by Python and numpy during a call, including reused memory."""
    gc.collect()
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def save(name: str, figures: dict[str, Any], *, show: bool = True) -> None:
    """Print the figures and write them to ``results/<name>.json`` with processor, versions and threads."""
    text = json.dumps({"figures": figures, "environment": describe_environment()}, indent=1)
    if show:
        print(text)
    _RESULTS.mkdir(exist_ok=True)
    with replacing_file(_RESULTS / f"{name}.json") as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")


def load(name: str) -> dict[str, Any]:
    """Return the figures of ``results/<name>.json``."""
    figures: dict[str, Any] = json.loads((_RESULTS / f"{name}.json").read_text(encoding="utf-8"))["figures"]
    return figures
