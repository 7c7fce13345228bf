"""Every Python block and every command of README and docs runs, page by page, in a folder with the files they name."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import isoalign as ia
from isoalign.cli import app
from unit.datasets.file_server import FileServer

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Checked elsewhere: CI runs make itself, tests/web starts the server, and tests/cli runs sweeps and reports. What
# fetches gigabytes stands in blocks called `py`.
ELSEWHERE = (
    "make ",
    "pip ",
    "isoalign serve",
    "isoalign demo",
    "isoalign reproduce",
    "isoalign report results",
    "isoalign sweep",
    "isoalign plot spaces model",
    "dask ",
    "python -m",
)
FASTTEXT = Path(__file__).parent.parent / "data" / "fasttext"
N_WORDS = 4000


def blocks(page):
    text = page.read_text(encoding="utf-8")
    return [(language, body) for language, body in BLOCK.findall(text) if ">>> " not in body]


RUNNABLE = [page for page in PAGES if blocks(page)]


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


def run_command(line):
    command = shlex.split(line, comments=True)
    assert command[0] == "isoalign", f"a page may show only isoalign's own commands: {line}"
    result = CliRunner().invoke(app, command[1:])
    assert result.exit_code == 0, f"{line}\n{result.output}"


@pytest.mark.filterwarnings("ignore::isoalign.errors.IsoalignWarning")
@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_runs_from_top_to_bottom(page, files, tmp_path, monkeypatch):
    for file in files.iterdir():
        (tmp_path / file.name).symlink_to(file)
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page"}
    for language, body in blocks(page):
        if language == "python":
            exec(compile(body, f"{page.name}", "exec"), names)
            continue
        for line in body.split("\n"):
            if line.startswith("$ ") and not line.removeprefix("$ ").startswith(ELSEWHERE):
                run_command(line.removeprefix("$ "))
