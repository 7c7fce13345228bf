import errno
import hashlib
import itertools

import pytest

from isoalign.datasets import _download
from isoalign.datasets._download import download
from isoalign.errors import DownloadError, FileAccessError
from unit.datasets.file_server import answer, cut_after

CONTENT = bytes(range(256)) * 40


@pytest.fixture
def get(server, tmp_path):
    """Download ``/file`` and return its bytes."""
    server.files["/file"] = CONTENT
    part = tmp_path / "file.part"

    def get(address="/file", **options):
        download(f"{server.url}{address}", part, what="file", **options)
        return part.read_bytes()

    get.part = part
    return get


def test_a_cut_connection_is_taken_up_where_it_broke(server, get):
    server.tricks.extend([cut_after(3000), cut_after(2000)])
    assert get() == CONTENT
    version = f'"{hashlib.md5(CONTENT).hexdigest()}"'
    assert [request[1:] for request in server.requests] == [
        (None, None),
        ("bytes=3000-", version),
        ("bytes=5000-", version),
    ]
    assert server.sent == len(CONTENT)


def test_a_server_without_ranges_is_asked_for_everything_again(server, get):
    server.ranges = False
    server.tricks.append(cut_after(3000))
    assert get() == CONTENT
    assert server.sent == 3000 + len(CONTENT)


def test_a_part_that_nothing_identifies_is_not_continued(server, get):
    server.tags = False
    server.tricks.append(cut_after(3000))
    assert get() == CONTENT
    assert [request[1] for request in server.requests] == [None, None]


@pytest.mark.parametrize("honours_if_range", [True, False])
@pytest.mark.parametrize("new", [CONTENT[::-1], CONTENT[:1000][::-1], CONTENT[::-1] * 2])
def test_a_file_replaced_between_two_halves_comes_whole(server, get, honours_if_range, new):
    server.honours_if_range = honours_if_range

    def replace(handler):
        handler.send_file(stop_after=3000)
        server.files["/file"] = new
        return True

    server.tricks.append(replace)
    assert get() == new


def test_a_part_of_another_address_is_not_continued(server, get):
    server.files["/other"] = CONTENT[::-1]
    assert get() == CONTENT
    assert get("/other") == CONTENT[::-1]


def test_a_rest_that_begins_elsewhere_is_not_used(server, get):
    version = f'"{hashlib.md5(CONTENT).hexdigest()}"'
    server.tricks.extend([cut_after(3000), answer(206, Content_Range="bytes 2048-10239/10240", ETag=version)])
    assert get() == CONTENT
    assert [request[1] for request in server.requests] == [None, "bytes=3000-", None]


@pytest.mark.parametrize("notes", ["", "[]", "{}"])
def test_a_part_with_damaged_notes_is_not_continued(server, get, notes):
    server.tricks.append(cut_after(3000))
    with pytest.raises(DownloadError):
        get(retries=0)
    get.part.with_name("file.part.json").write_text(notes)
    assert get() == CONTENT
    assert server.requests[-1][1] is None


def test_a_complete_part_needs_no_server(server, get):
    get()
    get()
    assert len(server.requests) == 1


def test_a_server_that_falls_silent_is_asked_again(server, get):
    server.tricks.append(lambda handler: handler.send_file(pause=1) or True)
    assert get(timeout=0.2) == CONTENT
    assert server.requests[1][1] == "bytes=1000-"


def test_a_server_that_hangs_up_without_an_answer_is_asked_again(server, get, pauses):
    server.tricks.append(lambda handler: True)
    assert get() == CONTENT
    assert pauses == [1]


def test_a_slow_but_steady_server_is_waited_for(server, get):
    server.tricks.append(lambda handler: handler.send_file(pause=0.05) or True)
    assert get(timeout=0.3) == CONTENT
    assert len(server.requests) == 1


def test_pauses_double_until_it_gives_up(server, get, pauses):
    server.tricks.extend([answer(503)] * 5)
    with pytest.raises(DownloadError, match="503 Service Unavailable; gave up after 5 attempts"):
        get(retries=4)
    assert pauses == [1, 2, 4, 8]


def test_headway_makes_it_patient_again(server, get, pauses, monkeypatch):
    monkeypatch.setattr(_download, "_HEADWAY_BYTES", 1000)
    server.tricks.extend([answer(503), cut_after(2000), answer(503), cut_after(2000), answer(503)])
    assert get(retries=2) == CONTENT
    assert pauses == [1, 1, 2, 1, 2]


def test_a_server_that_always_breaks_at_the_same_byte_is_given_up(server, get):
    server.ranges = False
    server.tricks.extend([cut_after(3000)] * 3)
    with pytest.raises(DownloadError, match="ended after 3,000 of 10,240 bytes"):
        get(retries=2)


@pytest.mark.parametrize(("wish", "pause"), [("7", 7), ("86400", 60), ("Wed, 21 Oct 2026 07:28:00 GMT", 1)])
def test_a_servers_wish_to_wait_is_respected_within_reason(server, get, pauses, wish, pause):
    server.tricks.append(answer(429, Retry_After=wish))
    assert get() == CONTENT
    assert pauses == [pause]


def test_a_missing_file_is_not_asked_for_again(server, get):
    with pytest.raises(DownloadError, match="404 Not Found"):
        get("/nothing")
    assert len(server.requests) == 1


def test_a_redirect_is_followed(server, get):
    server.tricks.append(lambda handler: handler.redirect("/file") or True)
    assert get("/elsewhere") == CONTENT


def test_redirects_in_a_circle_end(server, get):
    server.tricks.extend([lambda handler: handler.redirect("/file") or True] * 20)
    with pytest.raises(DownloadError, match="in a loop"):
        get()


def test_a_web_page_is_not_taken_for_the_file(server, get):
    server.content_type = "text/html; charset=utf-8"
    with pytest.raises(DownloadError, match="received a web page"):
        get()


def test_a_range_that_nobody_asked_for_is_not_used(server, get):
    server.tricks.append(answer(206, Content_Range="bytes 5-9/10"))
    assert get() == CONTENT


def test_a_file_larger_than_the_disk_is_not_begun(get, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda path: type("Usage", (), {"free": 10_000}))
    with pytest.raises(FileAccessError, match="needs 10,240 bytes and the disk has 10,000"):
        get()


def test_a_disk_that_fills_up_keeps_what_has_arrived(server, get, monkeypatch):
    write, calls = _download._write, itertools.count()

    def fail_at_the_third(file, chunk):
        if next(calls) == 2:
            raise FileAccessError("No space left on device")
        write(file, chunk)

    server.tricks.append(lambda handler: handler.send_file(pause=0.02) or True)
    with monkeypatch.context() as patch:
        patch.setattr(_download, "_write", fail_at_the_third)
        with pytest.raises(FileAccessError, match="No space left"):
            get()
    arrived = get.part.stat().st_size
    assert arrived > 0
    assert get() == CONTENT
    assert server.requests[-1][1] == f"bytes={arrived}-"


def test_a_full_disk_is_reported_with_the_file(tmp_path):
    class FullDisk:
        name = "x.part"

        def write(self, chunk):
            """Take bytes into a buffer, as files do."""

        def flush(self):
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(FileAccessError, match=r"x\.part: cannot write: No space left on device"):
        _download._write(FullDisk(), b"x")


def test_progress_hears_all_bytes_in_order(server, get):
    heard = []
    server.tricks.append(cut_after(3000))
    get(progress=lambda what, done, total: heard.append((what, done, total)))
    assert heard == sorted(heard)
    assert heard[-1] == ("file", len(CONTENT), len(CONTENT))
