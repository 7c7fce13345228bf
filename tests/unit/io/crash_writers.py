"""Kill or fail every writer at every step it takes: a program of its own for test_crashes.

Each attempt is a fork of this process, which has everything imported and compiled. A step is whatever changes the
disk: opening for writing, writing, forcing to disk, renaming, exchanging, removing, making a folder.
"""

import errno
import hashlib
import io
import json
import os
import pathlib
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

import numpy as np

import isoalign as ia
from isoalign.cli import app
from isoalign.io import _atomic, read_lexicon, write_lexicon, write_mapped
from isoalign.io._fasttext import open_stream
from isoalign.io._stream import collect
from isoalign.normalization import normalize_file
from isoalign.reporting import write_text

FASTTEXT = Path(__file__).parents[2] / "data" / "fasttext"
STEPS = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "os.truncate", "os.link"}
STRIDE = 3  # of whole commands, whose writers are disturbed at every step by themselves
DONE, REFUSED, WRONG, DONE_IN_SPITE, KILLED = range(5)


def vectors(version):
    rng = np.random.default_rng(version)
    return ia.Embeddings([f"w{row}v{version}" for row in range(30)], rng.standard_normal((30, 3), dtype=np.float32))


def write_vectors(path, version):
    ia.write_vectors(vectors(version), path)


def read_vectors(path):
    found = ia.read_vectors(path)
    return repr(found.index_to_key).encode() + np.asarray(found.vectors).tobytes()


def normalize(path, version):
    normalize_file(source_file(path, version), path, "center_length", overwrite=True)


def source_file(path, version):
    """Return a file of vectors beside the folder of an output, made when it is first needed."""
    source = path.parent.parent / f"source{version}.vec"
    if not source.exists():
        write_vectors(source, version)
    return source


def pairs_file(path, version):
    file = path.parent.parent / f"pairs{version}.txt"
    if not file.exists():
        write_lexicon(pairs(version), file)
    return file


def model_folder(path, version):
    folder = path.parent.parent / f"model{version}"
    if not folder.exists():
        save_model(folder, version)
    return folder


def run_command(*arguments):
    """Run a command as a user would, and raise an error of isoalign where it fails."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = app([str(argument) for argument in arguments], standalone_mode=False)
    if code:
        raise ia.errors.IsoalignError(said.getvalue())


def run_align(path, version):
    source = source_file(path, version)
    run_command("align", source, source, "-d", pairs_file(path, version), "-o", path, "--force", "--threads", 1)


def run_join(path, version):
    source, given = source_file(path, version), pairs_file(path, version)
    spaces = [f"{name}={source}" for name in ("source", "b", "c")]
    run_command("join", *spaces, "-d", f"source-b={given}", "-d", f"b-c={given}", "-o", path, "--force", "--threads", 1)


def run_convert(path, version):
    run_command("convert", source_file(path, version), path, "--force")


def run_normalize(path, version):
    run_command("normalize", source_file(path, version), path, "--force")


def run_induce(path, version):
    run_command("induce", model_folder(path, version), "-o", path, "--force")


def run_export(path, version):
    run_command("export", model_folder(path, version), "--prefixed", "-o", path, "--force")


def pairs(version):
    return ia.Lexicon([(f"w{i}v{version}",) * 2 for i in range(20)])


@cache
def model(version):
    return ia.align(vectors(version), vectors(version), pairs(version))


def save_model(path, version):
    model(version).save(path, overwrite=True)


def read_model(path):
    return np.asarray(ia.Alignment.load(path).space("source")).tobytes()


def write_pairs(path, version):
    write_lexicon(ia.Lexicon([(f"a{version}", "b")] * 9), path)


def read_pairs(path):
    return repr(list(read_lexicon(path))).encode()


def map_model(path, version):
    write_mapped(min(FASTTEXT.glob("*.bin")), path, np.eye(dim_of_model(), dtype=np.float32) * (version + 1))


def dim_of_model():
    return open_stream(min(FASTTEXT.glob("*.bin"))).dim


def read_mapped(path):
    return collect(open_stream(path)).vectors.tobytes()


def write_report(path, version):
    write_text(f"report {version}", path, overwrite=True)


WRITERS = {
    "a.vec": (write_vectors, read_vectors),
    "a.txt.gz": (write_vectors, read_vectors),
    "a.bin": (write_vectors, read_vectors),
    "a.npy": (write_vectors, read_vectors),
    "native": (write_vectors, read_vectors),
    "b.vec": (normalize, read_vectors),
    "normalized": (normalize, read_vectors),
    "model": (save_model, read_model),
    "pairs.txt": (write_pairs, read_pairs),
    "fasttext.bin": (map_model, read_mapped),
    "report.html": (write_report, Path.read_bytes),
}
COMMANDS = {
    "aligned": (run_align, read_model),
    "joined": (run_join, read_model),
    "converted.npy": (run_convert, read_vectors),
    "normalized.bin": (run_normalize, read_vectors),
    "induced.tsv": (run_induce, Path.read_bytes),
    "exported.vec": (run_export, read_vectors),
}
FOLDERS = ("native", "normalized", "model")


class CountedFile:
    """A file whose every write is a step."""

    def __init__(self, file, step):
        self._file, self._step = file, step

    def __getattr__(self, name):
        return getattr(self._file, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()

    def write(self, data):
        self._step()
        return self._file.write(data)


def disturb(folder, number, kill):
    """Make the step of that number the last one, or one that fails; return the counter of steps."""
    taken = []

    def step():
        taken.append(None)
        if len(taken) == number:
            if kill:
                os._exit(KILLED)
            raise OSError(errno.EIO, "Input/output error")

    def watch(event, arguments):
        if event in STEPS and str(folder) in str(arguments[0]):
            step()

    sys.addaudithook(watch)
    exchange, open_path = _atomic.exchange, pathlib.Path.open

    def counted_exchange(*names):
        step()
        changed = exchange(*names)
        step()
        return changed

    def counted_open(self, mode="r", *arguments, **settings):
        if "r" in mode or folder not in self.parents:
            return open_path(self, mode, *arguments, **settings)
        step()
        return CountedFile(open_path(self, mode, *arguments, **settings), step)

    os.fsync = lambda _handle: step()
    _atomic.exchange, pathlib.Path.open = counted_exchange, counted_open
    return taken


def attempt(write, path, number, *, kill, can_exchange):
    """Write the new version in a child that is disturbed at one step; return its exit code."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        if not can_exchange:
            _atomic.exchange = lambda *_: False
        taken = disturb(path.parent, number, kill)
        write(path, 1)
    except ia.errors.IsoalignError:
        os._exit(REFUSED)
    except BaseException as error:  # noqa: BLE001  (the child must never return into this program)
        sys.stderr.write(f"{path.name}, step {number}: {error!r}\n")
        os._exit(WRONG)
    os._exit(DONE if len(taken) < number else DONE_IN_SPITE)


def names_in(folder):
    return sorted(entry.name for entry in folder.iterdir())


def digest(read, path):
    return hashlib.sha256(read(path)).hexdigest()


def run(name, folder, *, kill, can_exchange):
    """Disturb one writer at every step and return the troubles and the number of steps."""
    write, read = (WRITERS | COMMANDS)[name]
    path = folder / name
    write(path, 1)
    new = digest(read, path)
    names = names_in(folder)
    write(path, 0)
    old, troubles, number = digest(read, path), [], 0
    assert old != new
    while True:
        number += 1 if name in WRITERS else STRIDE
        code = attempt(write, path, number, kill=kill, can_exchange=can_exchange)
        try:
            found = digest(read, path)
        except ia.errors.IsoalignError as error:
            troubles.append(f"step {number}: nothing opens ({error})")
        else:
            if found not in (old, new) or (code in (DONE, DONE_IN_SPITE) and found != new):
                troubles.append(f"step {number}: something else opens")
        if code == WRONG:
            troubles.append(f"step {number}: not an error of isoalign")
        write(path, 0)
        if names_in(folder) != names:
            troubles.append(f"step {number}: the next run leaves {names_in(folder)}")
        if code == DONE:
            return troubles, number - 1


def main():
    folder = Path(sys.argv[1])
    os.fsync = lambda _handle: None  # slow, and no process that is killed loses what it wrote
    report = {}
    for name in WRITERS | COMMANDS:
        for kill in (True, False) if name in WRITERS else (True,):
            for can_exchange in (True, False) if name in FOLDERS else (True,):
                place = folder / f"{name}-{kill}-{can_exchange}"
                place.mkdir()
                key = f"{name}, {'killed' if kill else 'failing'}{'' if can_exchange else ', no exchange'}"
                troubles, steps = run(name, place, kill=kill, can_exchange=can_exchange)
                report[key] = {"troubles": troubles, "steps": steps}
    sys.stdout.write(json.dumps(report))


if __name__ == "__main__":
    main()
