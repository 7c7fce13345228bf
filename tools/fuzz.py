"""Read damaged files of every format until the time is up; only errors of isoalign may be raised.

``python -m tools.fuzz SECONDS [FORMAT …]`` gives every format the same time, in a separate process with limited
memory. Inputs that raise other errors, hang or kill the process are stored in ``tests/corpus/FORMAT/``, where the tests
replay them.
"""

import argparse
import hashlib
import json
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CORPUS = Path(__file__).parent.parent / "tests" / "corpus"
MEMORY_BYTES = 4 << 30  # of addresses; compiled code and libraries take 1.5 of them
PATIENCE = 5  # seconds of computing for one input
SILENCE = 300  # seconds of waiting
MOST_FINDINGS = 20  # of one format in one run


def main() -> None:
    """Run one worker per format after the other, and report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("seconds", type=float)
    parser.add_argument("formats", nargs="*")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        work(arguments.formats[0], Path(arguments.formats[1]), arguments.seconds, arguments.seed)
        return
    from tools._fuzz_formats import FORMATS

    chosen = arguments.formats or list(FORMATS)
    inputs, findings = 0, 0
    for name in chosen:
        done, found = supervise(name, arguments.seconds / len(chosen), arguments.seed)
        inputs, findings = inputs + done, findings + len(found)
        print(f"{name:20} {done:9,} inputs  {len(found)} findings", flush=True)
        for place, what in found.items():
            print(f"    {place}: {what}", flush=True)
    print(f"{'all':20} {inputs:9,} inputs  {findings} findings; seed {arguments.seed}")
    sys.exit(findings > 0)


def supervise(name: str, seconds: float, seed: int) -> tuple[int, dict[Path, str]]:
    """Run workers for one format until the time is up; return the number of inputs and the findings."""
    deadline = time.monotonic() + seconds
    inputs, found = 0, dict[Path, str]()
    with tempfile.TemporaryDirectory(prefix="isoalign-fuzz-", dir=_fast_disk()) as folder:
        while (left := deadline - time.monotonic()) > 0 and len(found) < MOST_FINDINGS:
            command = [sys.executable, "-m", "tools.fuzz", "--work", "--seed", str(seed + inputs), str(left), name]
            worker = subprocess.Popen([*command, folder], stdout=subprocess.PIPE, text=True)
            lines, _ = worker.communicate()
            counts = [json.loads(line) for line in lines.splitlines()]
            inputs += max([count["inputs"] for count in counts], default=0) + 1
            what = next((count["escaped"] for count in counts if count["escaped"]), None)
            if worker.returncode < 0:
                what = f"ended by {signal.Signals(-worker.returncode).name}"
            elif worker.returncode and what is None:
                what = f"exit code {worker.returncode}"
            if what is not None:
                found[keep(name, Path(folder) / "input")] = what
    return inputs, found


def keep(name: str, folder: Path) -> Path:
    """Copy the files of a finding to the corpus."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:10]
    place = CORPUS / name / digest
    shutil.copytree(folder, place, dirs_exist_ok=True)
    return place.relative_to(CORPUS.parent.parent)


def work(name: str, folder: Path, seconds: float, seed: int) -> None:
    """Try inputs until the time is up or one of them is a finding, which stays in the folder ``input``."""
    from isoalign._core.threads import limit_threads

    with limit_threads(1):
        _try_inputs(name, folder / "input", seconds, seed)


def _try_inputs(name: str, place: Path, seconds: float, seed: int) -> None:
    from tools._fuzz_formats import FORMATS, check_input
    from tools._mutations import mutate

    rng = random.Random(seed)
    valid = FORMATS[name].make()
    for files in valid:
        _lay_out(place, files)
        if trouble := check_input(name, place):
            raise SystemExit(f"a valid input of {name} is refused: {trouble}")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    # Both signals end the process, also inside compiled code.
    deadline = time.monotonic() + seconds
    inputs, escaped, said = 0, None, time.monotonic()
    while escaped is None and time.monotonic() < deadline:
        files = dict(rng.choice(valid))
        changed = rng.choice(list(files))
        files[changed] = mutate(files[changed], rng)
        _lay_out(place, files)
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        signal.setitimer(signal.ITIMER_REAL, SILENCE)
        escaped = check_input(name, place)
        signal.setitimer(signal.ITIMER_PROF, 0)
        inputs += 1
        if time.monotonic() - said > 1 or escaped:
            said = time.monotonic()
            print(json.dumps({"inputs": inputs, "escaped": escaped}), flush=True)
    print(json.dumps({"inputs": inputs, "escaped": None}), flush=True)


def _lay_out(folder: Path, files: dict[str, bytes]) -> None:
    for file, data in files.items():
        place = folder / file
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def _fast_disk() -> str | None:
    """Return a folder in memory, if there is one."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


if __name__ == "__main__":
    main()
