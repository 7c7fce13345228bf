"""Start a sweep again and again, kill it at random moments, and report: a program of its own for test_kill.

Starting Python takes longer than the sweep, so every start is a fork of this process, which has everything imported
and compiled but has never started a thread.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from isoalign.experiments import read_config, sweep


def start(config: Path, results: Path) -> int:
    """Start a sweep in a child and return its process number."""
    child = os.fork()
    if child == 0:
        try:
            sweep(read_config(config), results)
        except BaseException as error:  # noqa: BLE001  (the child must never return into this program)
            sys.stderr.write(f"{error!r}\n")
            os._exit(1)
        os._exit(0)
    return child


def main() -> None:
    """Kill ``N`` sweeps; whenever a folder is complete, begin another; leave all of them complete."""
    config, folder, kills = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    sweep(read_config(config), folder / "warm")
    began = time.perf_counter()
    _, status = os.waitpid(start(config, folder / "alone"), 0)
    whole = time.perf_counter() - began
    assert status == 0
    rng = random.Random(0)
    number = struck = 0
    while struck < kills:
        child = start(config, folder / f"killed-{number}")
        time.sleep(rng.uniform(0, whole / 4))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            struck += 1
        else:
            assert status == 0
            number += 1
    _, status = os.waitpid(start(config, folder / f"killed-{number}"), 0)
    assert status == 0
    sys.stdout.write(json.dumps({"struck": struck, "folders": number + 1}))


if __name__ == "__main__":
    main()
