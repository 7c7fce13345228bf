"""Vectors larger than memory: peak anonymous memory and time of every command, and how both grow with the rows.

``python -m benchmarks.large [--sizes 500000,1000000,2000000] [--folder FOLDER]`` makes two languages of clustered
vectors in a temporary folder (about 18 GB per million words at the peak) and runs the commands on them, each in a
separate process with ``RLIMIT_DATA``: a command that needs more than 1.5 GB fails. What it uses, its anonymous memory,
is monitored as well. ``growth`` compares how processor time grows from one size to the next with how the operations
that ``--dry-run`` prints grow. It is the time spent by the program itself, without its start, which 10,000 words show.
Time spent by the system, mostly for pages of files, is recorded but not compared: on a virtual machine it depends on
the host, which took 30 to 45 s to provide 12 GB for the first time.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import numpy as np

import isoalign as ia
from benchmarks._harness import load, save
from benchmarks._page import DOCS, markdown_table, replace_table
from isoalign.alignment import Sizes
from isoalign.experiments import Work, apply_work, evaluate_work, induce_work, normalize_work
from isoalign.io import Block, VectorStream, encode_npy_header

PAGE = DOCS / "how-to" / "large-files.md"
START = 10_000
SIZES = (500_000, 1_000_000, 2_000_000)
DIM = 300
REPEATED = 5  # commands that take about a second; the fastest run counts
TRAIN, TEST, INDUCED = 5_000, 1_500, 100_000
LIMIT_GB = 1.5
BLOCK = 20_000


def make_blocks(n: int, side: int) -> Iterator[Block]:
    """Yield words and vectors of one side: clusters of unequal size, noise, variances that decrease with the column."""
    clusters = n // 25
    common = np.random.default_rng(0)
    sizes = np.cumsum(np.arange(1, clusters + 1) ** -0.5)
    spectrum = np.arange(1, DIM + 1, dtype=np.float32) ** -0.5
    centres = common.standard_normal((clusters, DIM), dtype=np.float32)
    rotation = np.linalg.qr(np.random.default_rng(side).standard_normal((DIM, DIM)))[0].astype(np.float32)
    for number, start in enumerate(range(0, n, BLOCK)):
        rows = min(BLOCK, n - start)
        shared, own = np.random.default_rng([1, number]), np.random.default_rng([2, side, number])
        words = centres[np.searchsorted(sizes, shared.uniform(0, sizes[-1], rows))]
        words += 0.9 * shared.standard_normal((rows, DIM), dtype=np.float32)
        words += own.lognormal(0, 0.35, (rows, 1)).astype(np.float32) * own.standard_normal((rows, DIM), np.float32)
        vectors = (words * spectrum) @ rotation + 0.05
        yield Block([f"{'ab'[side]}{row}" for row in range(start, start + rows)], vectors)


def make_language(path: Path, n: int, side: int) -> None:
    """Write one side as a native folder."""
    ia.write_vectors(VectorStream(make_blocks(n, side), DIM, n, lang=("en", "de")[side]), path)


def make_dictionaries(folder: Path) -> None:
    """Write row pairs as dictionaries; words of the same row translate each other."""
    rows = np.random.default_rng(3).permutation(50_000)
    for name, some in (("train", rows[:TRAIN]), ("test", rows[TRAIN : TRAIN + TEST])):
        (folder / f"{name}.txt").write_text("".join(f"a{row}\tb{row}\n" for row in sorted(some)))


def anonymous_bytes(pid: int) -> int:
    """Return the anonymous memory of a process and its children, 0 once they are gone."""
    total = 0
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    total += next((int(line.split()[1]) * 1024 for line in status.split("\n") if line.startswith("RssAnon:")), 0)
    return total + sum(anonymous_bytes(int(child)) for child in children)


def limit_data() -> None:
    """Refuse this process more private memory than the limit, reserved memory included; shared maps do not count."""
    resource.setrlimit(resource.RLIMIT_DATA, (int(LIMIT_GB * 1e9),) * 2)


def run(folder: Path, *arguments: str) -> dict[str, Any]:
    """Run one command and return its seconds, processor seconds, the system's, and its peak of anonymous memory."""
    before, start = os.times(), time.perf_counter()
    environment = {**os.environ, "TMPDIR": str(folder)}
    command = [sys.executable, "-m", "isoalign", *arguments]
    with (folder / "output").open("w+") as output:  # a pipe that nobody reads would fill up
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, preexec_fn=limit_data)
        peak = 0
        while process.poll() is None:
            peak = max(peak, anonymous_bytes(process.pid))
            time.sleep(0.01)
        seconds, after = time.perf_counter() - start, os.times()
        if process.returncode:
            raise SystemExit(f"isoalign {' '.join(arguments)} failed.")
        output.seek(0)
        text = output.read()
    found = {
        "seconds": round(seconds, 2),
        "processor": round(after.children_user - before.children_user, 2),
        "system": round(after.children_system - before.children_system, 2),
        "peak_gb": round(peak / 1e9, 3),
    }
    print(arguments[0], found, flush=True)
    return {**found, "output": text}


def measure_commands(folder: Path, n: int, *, only_normalize: bool = False) -> dict[str, dict[str, Any]]:
    """Run every command on both languages; outputs that are not needed later are removed immediately."""
    steps: dict[str, dict[str, Any]] = {}

    def step(name: str, *arguments: str, remove: str | None = None) -> str:
        found = run(folder, *arguments)
        output = found.pop("output")
        steps[name] = min(found, steps.get(name, found), key=lambda one: one["processor"])  # of repeated steps
        if remove is not None:
            place = folder / remove
            shutil.rmtree(place) if place.is_dir() else place.unlink()
        return str(output)

    for _ in range(REPEATED - 1):
        step("normalize", "normalize", "en", "en.norm", "--format", "native", "-q", remove="en.norm")
    step("normalize", "normalize", "en", "en.norm", "--format", "native", "-q")
    step("normalize the other", "normalize", "de", "de.norm", "--format", "native", "-q")
    if only_normalize:
        return steps
    align = ("align", "en.norm", "de.norm", "-d", "train.txt", "--method", "procrustes", "--normalize", "none")
    step("align", *align, "-o", "model", "-q")
    step("align and normalize", "align", "en", "de", *align[3:-1], "iternorm", "-o", "both", "-q", remove="both")
    result = json.loads(step("evaluate", "evaluate", "bli", "model", "-d", "test.txt", "-k", "1", "--json", "-q"))
    steps["evaluate"]["precision"] = result["results"][0]["precision"]["1"]
    step("induce", "induce", "model", "--limit", str(min(INDUCED, n)), "-o", "induced.txt", "-q", remove="induced.txt")
    step("translate", "translate", "model", "a7", "a70", "a700", "-q")
    for _ in range(REPEATED):
        step("apply", "apply", "model", "en", "mapped", "--format", "native", "-q", remove="mapped")
    join = ("join", "en=en.norm", "de=de.norm", "-d", "en-de=train.txt", "--normalize", "none")
    step("join", *join, "-o", "joined", "-q", remove="joined")
    write_stored(folder, n)
    step("migrate fit", "migrate", "fit", "old.npy", "new.npy", "-o", "adapter", "--method", "ridge", "-q")
    step("migrate apply", "migrate", "apply", "adapter", "big.npy", "-o", "out.npy", "-q", remove="out.npy")
    (folder / "big.npy").unlink()
    steps["serve"] = measure_page(folder)
    return steps


def write_stored(folder: Path, n: int) -> None:
    """Write 5,000 paired rows for an adapter, and a file of n rows to map."""
    old, new = (ia.read_vectors(folder / name).vectors for name in ("en", "de"))
    for name, vectors in (("old", old), ("new", new)):
        np.save(folder / f"{name}.npy", vectors[:TRAIN])
    with (folder / "big.npy").open("wb") as file:
        file.write(encode_npy_header("<f4", old.shape))
        for start in range(0, n, BLOCK):
            file.write(np.ascontiguousarray(old[start : start + BLOCK]).data)


def measure_page(folder: Path) -> dict[str, Any]:
    """Open the model as align saved it, without CSLS means, as a page, and wait for the first translation."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "isoalign", "serve", "model", "--port", "0", "--json"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, preexec_fn=limit_data)
    assert process.stdout is not None
    url = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")["url"]
    urlopen(url).read()
    opened = time.perf_counter() - start
    answered = wait_for_answer(f"{url.rstrip('/')}/api/translate?word=") - start
    again = time.perf_counter()
    urlopen(f"{url.rstrip('/')}/api/translate?word=a70").read()
    next_answer = time.perf_counter() - again
    peak = anonymous_bytes(process.pid)
    process.terminate()
    process.communicate()
    found = {
        "seconds": round(opened, 2),
        "first answer": round(answered, 2),
        "next answer": round(next_answer, 2),
        "peak_gb": round(peak / 1e9, 3),
    }
    print("serve", found, flush=True)
    return found


def wait_for_answer(address: str) -> float:
    """Ask until the server has bounded the means that it was opened without, and return the time of the answer."""
    while True:
        try:
            urlopen(f"{address}a7").read()
        except HTTPError as error:
            if error.code != 503:
                raise
        else:
            return time.perf_counter()


def measure_size(n: int, parent: Path | None, *, only_normalize: bool = False) -> dict[str, Any]:
    """Return the figures of one size."""
    with tempfile.TemporaryDirectory(dir=parent, prefix="isoalign-large-") as name:
        folder = Path(name)
        for side, lang in enumerate(("en", "de")):
            make_language(folder / lang, n, side)
        make_dictionaries(folder)
        return measure_commands(folder, n, only_normalize=only_normalize)


def predict(n: int) -> dict[str, Work]:
    """Return the costs printed by ``--dry-run``, for the commands that support it."""
    return {
        "normalize": normalize_work(n, DIM),
        "apply": apply_work(n, DIM),
        "evaluate": evaluate_work(Sizes(n, n, DIM, train=(TRAIN, TRAIN), test=(TEST, TEST)), best=1),
        "induce": induce_work(min(INDUCED, n), min(INDUCED, n), DIM),
    }


def compare_growth(sizes: dict[str, Any]) -> list[dict[str, Any]]:
    """Return measured and predicted growth from each size to the next; the first shows the start of a command."""
    start, *compared = sizes

    def work_time(n: str, command: str) -> float:
        return float(sizes[n][command]["processor"] - sizes[start][command]["processor"])

    return [
        {
            "command": name,
            "from": small,
            "to": large,
            "measured": work_time(large, name) / work_time(small, name),
            "predicted": work.operations / predict(int(small))[name].operations,
        }
        for small, large in pairwise(compared)
        for name, work in predict(int(large)).items()
    ]


def write_tables(figures: dict[str, Any]) -> None:
    """Write time and memory of every command, and how both grow, to the page."""
    sizes = {int(n): steps for n, steps in figures["sizes"].items() if int(n) != START}
    body = [
        (f"`{name}`", *(f"{sizes[n][name]['seconds']:.0f} s, {sizes[n][name]['peak_gb']:.2f} GB" for n in sizes))
        for name in next(iter(sizes.values()))
    ]
    replace_table(PAGE, "large", markdown_table(("command", *(f"{n:,} words" for n in sizes)), body))
    grown = [
        (
            f"`{one['command']}`",
            f"{int(one['from']):,} to {int(one['to']):,}",
            f"{one['predicted']:.2f}",
            f"{one['measured']:.2f}",
        )
        for one in figures["growth"]
    ]
    header = ("command", "words", "operations, by `--dry-run`", "processor time, measured")
    replace_table(PAGE, "growth", markdown_table(header, grown, left=2))


def main() -> None:
    """Measure and save."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=lambda text: [int(size) for size in text.split(",")], default=list(SIZES))
    parser.add_argument("--folder", type=Path, help="Where the temporary folder is made.")
    parser.add_argument("--only-normalize", action="store_true", help="Keep the last figures of all other commands.")
    options = parser.parse_args()
    only = options.only_normalize
    if only and not {str(n) for n in options.sizes} <= load("large")["sizes"].keys():
        parser.error("--only-normalize needs sizes whose other commands were measured before.")
    figures: dict[str, Any] = load("large") if only else {"dim": DIM, "limit_gb": LIMIT_GB, "sizes": {}}
    for n in (START, *options.sizes):
        measured = measure_size(n, options.folder, only_normalize=only)
        figures["sizes"][str(n)] = figures["sizes"].get(str(n), {}) | measured
    figures["growth"] = compare_growth(figures["sizes"])
    figures["peak_gb"] = max(step["peak_gb"] for steps in figures["sizes"].values() for step in steps.values())
    save("large", figures)
    write_tables(figures)


if __name__ == "__main__":
    main()
