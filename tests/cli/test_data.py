"""``data list``, ``fetch``, ``verify`` and ``path``, against a server on loopback."""

import json

import pytest

from unit.datasets.file_server import FileServer

VECTORS = b"3 2\ncat 3 4\ndog 0 1\nbird 1 0\n"


@pytest.fixture
def server(monkeypatch, tmp_path):
    server = FileServer()
    server.files.update({"/en-ja.txt": "cat\t猫\n".encode(), "/cc.ja.300.vec.gz": VECTORS, "/wiki.ja.vec": VECTORS})
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("ISOALIGN_DATA_URL", server.url)
    monkeypatch.setenv("ISOALIGN_CACHE", str(tmp_path / "cache"))
    yield server
    server.close()


def test_list_names_families_licences_and_the_samples_credits(run):
    found = run("data", "list").out
    for text in ("fasttext-wiki", "CC-BY-NC-4.0", "not stated", "Electronic Dictionary Research and Development Group"):
        assert text in found


def test_list_says_what_is_here(run, server):
    run("data", "fetch", "en-ja.txt")
    run("data", "fetch", "wiki.ja.vec", "--only-first", 2)
    lines = [line.split(maxsplit=2) for line in run("data", "list", "*ja*").out.split("\n")]
    assert ["en-ja.txt", "CC-BY-NC-4.0", "recorded"] in lines
    assert ["wiki.ja.vec", "CC-BY-SA-3.0", "first 2: recorded"] in lines
    assert ["ja-en.txt", "CC-BY-NC-4.0", "–"] in lines


def test_list_as_json_has_every_field(run):
    found = json.loads(run("data", "list", "wiki.en.vec", "--json").out)
    (entry,) = found["datasets"]
    assert entry["url"].startswith("https://")
    assert len(entry["sha256"]) == 64
    assert [credit["licence"] for credit in found["sample"]] == ["CC0-1.0", "Apache-2.0", "CC-BY-SA-3.0"]


def test_fetch_prints_the_place_and_notes_licence_and_citation(run, server, tmp_path):
    found = run("data", "fetch", "en-ja.txt")
    assert found.out == f"{tmp_path / 'cache' / 'en-ja.txt'}\n"
    assert (tmp_path / "cache" / "en-ja.txt").read_text("utf-8") == "cat\t猫\n"
    assert "CC-BY-NC-4.0" in found.err
    assert "Conneau" in found.err


def test_fetch_takes_patterns_and_first_rows(run, server, tmp_path):
    found = json.loads(run("data", "fetch", "wiki.j?.vec", "--only-first", 2, "--json", "-q").out)
    assert [file["name"] for file in found["files"]] == ["wiki.ja.vec"]
    assert (tmp_path / "cache" / "wiki.ja.first-2.vec").read_bytes() == b"2 2\ncat 3 4\ndog 0 1\n"


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("nonsense", 2, "There is no data set 'nonsense'"),
        ("wiki.ja.vec", 3, "sha1 is"),
        ("en-fr.txt", 1, "404 Not Found"),
    ],
)
def test_fetch_fails_in_one_line(run, server, name, code, message):
    found = run("data", "fetch", name)
    assert found.code == code
    assert found.err.startswith("error: ")
    assert message in found.err
    assert found.err.count("\n") == 1


def test_verify_finds_what_was_changed(run, server, tmp_path):
    run("data", "fetch", "en-ja.txt")
    assert "recorded" in run("data", "verify").out
    (tmp_path / "cache" / "en-ja.txt").write_text("spoiled")
    found = run("data", "verify", "en-ja.txt")
    assert found.code == 3
    assert "changed" in found.out
    assert "Delete and fetch again" in found.err


def test_path_says_where_a_file_would_be(run, server, tmp_path):
    assert run("data", "path").out == f"{tmp_path / 'cache'}\n"
    found = run("data", "path", "wiki.ja.vec", "--only-first", 9)
    assert found.out == f"{tmp_path / 'cache' / 'wiki.ja.first-9.vec'}\n"
    assert json.loads(run("data", "path", "wiki.ja.vec", "--json").out)["exists"] is False
