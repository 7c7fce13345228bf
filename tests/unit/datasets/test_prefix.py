import gzip
import hashlib

import numpy as np
import pytest

from isoalign.datasets import fetch, list_stored, path, verify
from isoalign.errors import FormatError, ParameterError
from unit.datasets.file_server import cut_after

WORDS = [f"word{row}" for row in range(2000)]


def vec_file(*, end=b"\n"):
    rng = np.random.default_rng(0)
    rows = [f"{word} {' '.join(f'{value:.4f}' for value in rng.normal(size=5))}" for word in WORDS]
    return f"{len(WORDS)} 5\n".encode() + "\n".join(rows).encode() + end


def expected(rows):
    return b"%d 5\n" % rows + b"".join(vec_file().splitlines(keepends=True)[1 : rows + 1])


@pytest.fixture(params=["a.vec", "a.vec.gz"])
def name(request, publish):
    """A published file, plain and compressed."""
    content = vec_file()
    publish(request.param, gzip.compress(content) if request.param.endswith(".gz") else content)
    return request.param


def slowly(handler):
    handler.send_file(pause=0.005)
    return True


def test_the_first_rows_become_a_file_with_their_own_header(name, cache):
    assert fetch(name, only_first=100) == cache / "a.first-100.vec" == path(name, only_first=100)
    assert (cache / "a.first-100.vec").read_bytes() == expected(100)


def test_the_download_stops_when_enough_rows_have_arrived(server, name):
    server.files[f"/data/{name}"] += bytes(10_000_000)
    server.tricks.append(slowly)
    fetch(name, only_first=100)
    assert server.sent < 1_000_000


def test_first_rows_need_no_room_for_the_whole_file(publish, monkeypatch):
    publish("a.vec", vec_file())
    monkeypatch.setattr("shutil.disk_usage", lambda path: type("Usage", (), {"free": 10_000}))
    assert fetch("a.vec", only_first=10).read_bytes() == expected(10)


def test_a_prefix_is_marked_as_one_and_only_recorded(publish, cache):
    publish("a.vec", vec_file(), sha256=hashlib.sha256(vec_file()).hexdigest())
    fetch("a.vec", only_first=100)
    (file,) = verify()
    assert (file.name, file.dataset, file.rows, file.status) == ("a.first-100.vec", "a.vec", 100, "recorded")


def test_a_prefix_is_cut_from_the_whole_file_when_that_is_here(server, name):
    fetch(name)
    assert fetch(name, only_first=100).read_bytes() == expected(100)
    assert len(server.requests) == 1
    assert len(list_stored()) == 2


@pytest.mark.parametrize("rows", [2000, 5000])
def test_a_file_with_no_more_rows_is_kept_whole(name, rows):
    assert fetch(name, only_first=rows).read_bytes() == vec_file()


def test_a_last_line_without_its_end_is_completed(publish):
    publish("a.vec", vec_file(end=b""))
    assert fetch("a.vec", only_first=5000).read_bytes() == vec_file()


def test_a_broken_prefix_goes_on_where_it_stopped(server, name):
    server.tricks.append(cut_after(3000))
    assert fetch(name, only_first=1500).read_bytes() == expected(1500)
    assert server.requests[1][1] == "bytes=3000-"


def test_a_prefix_whose_bytes_are_here_needs_no_server(server, name, monkeypatch):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("isoalign.datasets._fetch.write_prefix", interrupt)
        with pytest.raises(KeyboardInterrupt):
            fetch(name, only_first=100)
    assert fetch(name, only_first=100).read_bytes() == expected(100)
    assert len(server.requests) == 1


def test_a_file_replaced_on_the_server_is_counted_anew(server, publish):
    old, new = vec_file(), vec_file().replace(b"word", b"name")
    publish("a.vec", old)

    def replace(handler):
        handler.send_file(stop_after=20_000)
        server.files["/data/a.vec"] = new
        return True

    server.tricks.append(replace)
    assert fetch("a.vec", only_first=1500).read_bytes() == expected(1500).replace(b"word", b"name")


def test_gzip_in_several_members_is_counted_through(publish):
    lines = vec_file().splitlines(keepends=True)
    publish("a.vec.gz", b"".join(gzip.compress(b"".join(lines[i : i + 50])) for i in range(0, len(lines), 50)))
    assert fetch("a.vec.gz", only_first=120).read_bytes() == expected(120)


@pytest.mark.parametrize("content", [b"no header here\n" * 9, b"10 2\nonly 1 2\n"])
def test_a_file_that_is_no_vec_file_is_refused_and_forgotten(server, publish, cache, content):
    publish("a.vec", content)
    with pytest.raises(FormatError):
        fetch("a.vec", only_first=5)
    assert [file.name for file in cache.iterdir()] == ["a.first-5.vec.lock"]


def test_bytes_that_are_not_gzip_are_refused(publish):
    publish("a.vec.gz", vec_file())
    with pytest.raises(FormatError, match="not gzip"):
        fetch("a.vec.gz", only_first=5)


def test_only_vec_files_have_first_rows(publish):
    publish("en-ja.txt", b"a\tb\n")
    with pytest.raises(ParameterError, match=r"rows of \.vec files"):
        fetch("en-ja.txt", only_first=5)


def test_a_prefix_has_at_least_one_row(publish):
    publish("a.vec", vec_file())
    with pytest.raises(ParameterError, match="at least 1"):
        fetch("a.vec", only_first=0)
