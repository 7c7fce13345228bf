"""Every block of README and docs runs, page by page, in a folder with the files they name, or is at least checked."""

import re
import shlex
import shutil
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import uvicorn
from distributed import LocalCluster
from safetensors.numpy import save_file
from typer.testing import CliRunner

import isoalign as ia
from isoalign.cli import app
from isoalign.experiments import parse_config, read_config, sweep
from isoalign.web._api import ENDPOINTS
from isoalign.web._drift import drift_endpoint
from isoalign.web._openapi import describe_api
from migrations import planted_change
from page_checks import check_command, check_python
from planted_drift import planted_drift
from token_files import SPECIAL, old_matrix, word_tokenizer
from unit.datasets.file_server import FileServer
from unit.experiments.tiny import CONFIG, write_tiny

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Too long for a test: only their options are checked here. The packages' own test, make dist, runs the demonstration;
# tests/cli runs a cut reproduction.
UNAFFORDABLE = (
    "isoalign demo",
    "isoalign reproduce",
    "isoalign migrate apply adapter --from postgresql",
    "isoalign migrate fit old-texts.npy",
    "isoalign align cc.en.300.bin",
    "isoalign apply bins",
)
SCHEDULER = "tcp://host:8786"
TINY_SWEEP = CONFIG.replace('["de", "fr"]', '["de"]').replace('"center_length", ', "")
FASTTEXT = Path(__file__).parent.parent / "data" / "fasttext"
N_WORDS = 2800  # enough for the words that the pages translate


def blocks(page):
    text = page.read_text(encoding="utf-8")
    return [(language, body) for language, body in BLOCK.findall(text) if ">>> " not in body]


def commands(body):
    return [line.removeprefix("$ ") for line in body.split("\n") if line.startswith("$ ")]


QUICK = {"CONTRIBUTING.md", "tutorial.md"}
RUNNABLE = [
    pytest.param(page, marks=() if page.name in QUICK else pytest.mark.slow)
    for page in PAGES
    if blocks(page) and "reference" not in page.parts
]


@pytest.fixture(autouse=True)
def mirror(files, monkeypatch, tmp_path_factory):
    """Serve the public data sets that the pages fetch from this machine."""
    server = FileServer()
    for file in files.iterdir():
        server.files[f"/{file.name}"] = file.read_bytes()
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("ISOALIGN_DATA_URL", server.url)
    monkeypatch.setenv("ISOALIGN_CACHE", str(tmp_path_factory.mktemp("cache")))
    yield
    server.close()


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """Make the files that the pages speak of, from the embedded sample."""
    folder = tmp_path_factory.mktemp("pages")
    sample = ia.load_sample()
    ia.write_vectors(sample.source.head(N_WORDS), folder / "wiki.en.vec")
    ia.write_vectors(sample.target.head(N_WORDS), folder / "wiki.ja.vec")
    ia.write_lexicon(sample.train, folder / "en-ja.0-5000.txt")
    ia.write_lexicon(sample.test, folder / "en-ja.5000-6500.txt")
    ia.write_lexicon(sample.test, folder / "en-ja.txt")
    shutil.copy(FASTTEXT / "skipgram.bin", folder / "cc.en.300.bin")
    return folder


@pytest.fixture
def folder(files, tmp_path, monkeypatch):
    """Be in a folder of one's own with these files."""
    for file in files.iterdir():
        (tmp_path / file.name).symlink_to(file)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def save_models(folder, *names):
    sample = ia.load_sample()
    for name in names:
        model = ia.align(sample.source.head(800), sample.target.head(800), sample.train, method="procrustes")
        model.save(folder / name)


def prepare_serve(folder):
    save_models(folder, "en-ja", "en-de")


def prepare_reproduction(folder):
    """Leave what the commands that are only checked would have left."""
    save_models(folder, "model")
    sweep(read_config(write_tiny(folder, TINY_SWEEP)), folder / "results")
    shutil.copytree(folder / "results", folder / "xling")


def prepare_sweep(folder):
    write_tiny(folder, TINY_SWEEP)


def prepare_machines(folder):
    prepare_sweep(folder)
    save_models(folder, "en-ja")


def prepare_many_languages(folder):
    """Make more languages: English in other words."""
    english = ia.load_sample().source.head(N_WORDS)
    for lang in ("fr", "de"):
        names = {word: "chat" if (lang, word) == ("fr", "cat") else f"{lang}_{word}" for word in english.index_to_key}
        ia.write_vectors(ia.Embeddings(names.values(), english.vectors, lang=lang), folder / f"wiki.{lang}.vec")
        pairs = list(names.items())
        ia.write_lexicon(ia.Lexicon(pairs[:1500]), folder / f"en-{lang}.0-5000.txt")
        ia.write_lexicon(ia.Lexicon(pairs[1500:2000]), folder / f"en-{lang}.5000-6500.txt")


def prepare_migration(folder):
    old, new = planted_change(250)
    np.save(folder / "old.npy", old)
    np.save(folder / "new.npy", new)
    np.save(folder / "old.q.npy", old[:30])
    np.save(folder / "new.q.npy", new[:30])
    (folder / "relevant.tsv").write_text("".join(f"{row}\t{row}\n" for row in range(30)))
    pq.write_table(pa.table({"id": list(range(len(old))), "embedding": old.tolist()}), folder / "corpus.parquet")
    (folder / "parts").mkdir()
    shutil.copy(folder / "corpus.parquet", folder / "parts")
    with closing(sqlite3.connect(folder / "docs.db")) as database:
        database.execute("CREATE TABLE docs (id INTEGER PRIMARY KEY, embedding BLOB)")
        database.executemany("INSERT INTO docs VALUES (?, ?)", [(row, one.tobytes()) for row, one in enumerate(old)])
        database.commit()


def prepare_transfer(folder):
    """Make tokenizers of the words that are there, and a model for one of them."""
    sample = ia.load_sample()
    for name, side in (("en", sample.source), ("ja", sample.target)):
        word_tokenizer(side.index_to_key[:N_WORDS]).save(str(folder / f"{name}.json"))
    matrix = old_matrix(N_WORDS + len(SPECIAL), dim=16)
    save_file({"wte.weight": matrix.astype(np.float16), "ln.weight": np.ones(16)}, folder / "lm.safetensors")


def prepare_drift(folder):
    """Make three periods and two halves of which nothing is known but noise, and judgments of some words."""
    old, new, changed = planted_drift(planted=8, words=400)
    halves = planted_drift(seed=1, words=400)[:2]
    later = planted_drift(seed=2, words=400)[0]
    names = ("1900", "2000", "half-1", "half-2", "1950")
    for name, side in zip(names, (old, new, *halves, later), strict=True):
        ia.write_vectors(side, folder / f"{name}.vec")
    words = list(dict.fromkeys([*sorted(changed), *old.index_to_key[:30]]))
    (folder / "targets.txt").write_text("\n".join(words) + "\n")
    (folder / "graded.txt").write_text("".join(f"{word}\t{place / 38}\n" for place, word in enumerate(words)))


PREPARE = {
    "transfer-vocabulary.md": prepare_transfer,
    "change-of-meaning.md": prepare_drift,
    "many-languages.md": prepare_many_languages,
    "change-embedding-model.md": prepare_migration,
    "serve.md": prepare_serve,
    "reproduce-the-paper.md": prepare_reproduction,
    "many-machines.md": prepare_machines,
}


@pytest.fixture(autouse=True)
def brief_server(monkeypatch):
    """Let a server start, be ready, and stop, instead of waiting for Ctrl-C."""

    async def leave(server):
        assert server.started

    monkeypatch.setattr(uvicorn.Server, "main_loop", leave)


def run_command(line):
    check_command(line)
    program, *arguments = shlex.split(line, comments=True)
    if program != "isoalign" or line.startswith(UNAFFORDABLE):
        return
    if arguments[0] == "serve":
        arguments += ["--port", "0"]  # the default may be in use
    if SCHEDULER in arguments:
        with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
            run_isoalign([cluster.scheduler_address if part == SCHEDULER else part for part in arguments])
    else:
        run_isoalign(arguments)


def run_isoalign(arguments):
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, f"{arguments}\n{result.output}"


def run_python(body, names):
    exec(compile(body, "page", "exec"), names)


def check_api(body):
    paths = describe_api([*ENDPOINTS, drift_endpoint()])["paths"]
    for line in body.strip().split("\n"):
        method, path = re.match(r"(GET|POST)\s+([^\s?]+)", line).groups()
        assert path.endswith("openapi.json") or method.lower() in paths[path]


@pytest.mark.filterwarnings("ignore::isoalign.errors.IsoalignWarning")
@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_runs_from_top_to_bottom(page, folder):
    PREPARE.get(page.name, lambda _folder: None)(folder)
    names = {"__name__": "page"}
    for language, body in blocks(page):
        match language:
            case "python":
                run_python(body, names)
            case "py":
                check_python(body)
            case "console":
                for line in commands(body):
                    run_command(line)
            case "toml":
                parse_config(tomllib.loads(body))
            case "text":
                check_api(body)
            case _:
                raise AssertionError(f"Nobody checks blocks in {language or 'no language'}: {body}")


@pytest.mark.parametrize(
    "wrong",
    [
        "isoalign demo --ouput x",
        "isoalign serve --prot 1",
        "isoalign reproduce",
        "dask worker tcp://host:8786 --threads 1",
        "pip install 'isoalign[gpu]'",
        "make tests",
        "sudo make test",
    ],
)
def test_a_wrong_command_is_noticed(wrong):
    with pytest.raises(Exception, match=r"--ouput|--prot|name|--threads|gpu|tests|sudo"):
        check_command(wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        "from isoalign.experiments import swep",
        "import isoalign as ia\nia.aling(1, 2)",
        "import isoalign as ia\nia.read_vectors('x', limt=3)",
        "import isoalign as ia\nia.",
    ],
)
def test_wrong_python_is_noticed(wrong):
    with pytest.raises((ImportError, AttributeError, TypeError, SyntaxError)):
        check_python(wrong)
