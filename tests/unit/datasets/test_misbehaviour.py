"""Servers that send too little, too much, too slowly, or something else than the file."""

import gzip
import hashlib
import io
import zipfile
from urllib.request import Request

import pytest

from isoalign.datasets import _http, fetch
from isoalign.errors import ChecksumError, DownloadError, FormatError
from unit.datasets.file_server import answer

VEC = b"3 2\na 1 2\nb 3 4\nc 5 6\n"
PAIRS = b"cat chat\ndog chien\n"


def send(body, *, status=200, chunked=False, **headers):
    """Answer with a body, without a length unless one is given."""

    def trick(handler):
        handler.protocol_version = "HTTP/1.1" if chunked else "HTTP/1.0"
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        if chunked:
            handler.send_header("Transfer-Encoding", "chunked")
            handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if chunked else body)
        handler.close_connection = True
        return True

    return trick


def packed(content):
    """Pack without the time of day, which would make the names of tests differ from process to process."""
    return gzip.compress(content, mtime=0)


def zipped():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", PAIRS)
    return out.getvalue()


def nothing_is_kept(cache):
    return not [path for path in cache.iterdir() if path.suffix != ".lock"]


@pytest.mark.parametrize("trick", [send(b""), send(b"", Content_Length="0"), send(b"", chunked=True)])
def test_an_empty_body_is_refused_and_the_right_file_is_then_accepted(server, publish, cache, trick):
    publish("d.txt", PAIRS)
    server.tricks.append(trick)
    with pytest.raises(DownloadError, match="sends an empty file"):
        fetch("d.txt")
    assert fetch("d.txt").read_bytes() == PAIRS


@pytest.mark.parametrize(
    ("name", "whole", "cut", "message"),
    [
        ("a.vec", VEC, VEC[:-6], "promises 3 rows, but 2 arrived"),
        ("a.vec", VEC, VEC + b"d 7 8\n", "promises 3 rows, but 4 arrived"),
        ("a.vec", VEC, b"no header\n", "does not begin with the numbers of rows"),
        ("a.vec.gz", packed(VEC), packed(VEC)[:-6], "damaged gzip file"),
        ("a.vec.gz", packed(VEC), packed(VEC[:-6]), "promises 3 rows, but 2 arrived"),
        ("a.vec.gz", packed(VEC), VEC, "not compressed with gzip, contrary to its name"),
        ("d.txt.gz", packed(PAIRS), packed(PAIRS)[:-1], "damaged gzip file"),
        ("s.zip", zipped(), zipped()[:-9], "is not a zip archive, or is cut off"),
        ("d.txt", PAIRS, PAIRS[:-4], "it is unknown whether it is complete"),
    ],
)
def test_a_body_without_length_that_was_cut_is_refused(server, publish, cache, name, whole, cut, message):
    publish(name, whole)
    server.tricks.append(send(cut))
    with pytest.raises(FormatError, match=message):
        fetch(name)
    assert nothing_is_kept(cache)
    assert fetch(name).read_bytes() == whole


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.vec", VEC), ("a.vec", VEC[:-1]), ("a.vec.gz", packed(VEC)), ("s.zip", zipped())],
)
def test_a_body_without_length_is_accepted_where_the_content_proves_its_end(server, publish, name, content):
    publish(name, content)
    server.tricks.append(send(content))
    assert fetch(name).read_bytes() == content


def test_a_body_without_length_is_accepted_where_it_comes_in_chunks_or_a_hash_is_published(server, publish):
    publish("d.txt", PAIRS)
    server.tricks.append(send(PAIRS, chunked=True))
    assert fetch("d.txt").read_bytes() == PAIRS
    publish("e.txt", PAIRS, sha256=hashlib.sha256(PAIRS).hexdigest())
    server.tricks.append(send(PAIRS))
    assert fetch("e.txt").read_bytes() == PAIRS


def test_a_body_that_is_packed_on_the_way_is_refused(server, publish, cache):
    publish("d.txt", PAIRS)
    body = packed(PAIRS)
    server.tricks.append(send(body, Content_Encoding="gzip", Content_Length=str(len(body))))
    with pytest.raises(DownloadError, match=r"sends the file compressed \(gzip\), although this was not requested"):
        fetch("d.txt")
    server.tricks.append(send(body, Content_Length=str(len(body))))  # without saying so
    with pytest.raises(FormatError, match="compressed with gzip, contrary to its name"):
        fetch("d.txt")
    assert fetch("d.txt").read_bytes() == PAIRS


def test_a_packed_file_may_be_announced_as_packed(server, publish):
    body = packed(VEC)
    publish("a.vec.gz", body)
    server.tricks.append(send(body, Content_Encoding="x-gzip", Content_Length=str(len(body))))
    assert fetch("a.vec.gz").read_bytes() == body


def test_a_rest_without_a_tag_is_not_spliced(server, publish, cache):
    publish("a.vec", VEC)
    server.tricks.append(lambda handler: handler.send_file(stop_after=10) or True)
    length = {"Content_Range": f"bytes 10-{len(VEC) - 1}/{len(VEC)}", "Content_Length": str(len(VEC) - 10)}
    server.tricks.append(send(b"x" * (len(VEC) - 10), status=206, **length))
    assert fetch("a.vec").read_bytes() == VEC
    assert [request[1] for request in server.requests] == [None, "bytes=10-", None]


@pytest.mark.parametrize("page", [b"<!DOCTYPE html><p>login", b"  <html>", b"<?xml version='1.0'?>"])
def test_a_page_that_is_not_announced_as_one_is_refused(server, publish, cache, page):
    publish("d.txt", page)
    with pytest.raises(FormatError, match="received a web page"):
        fetch("d.txt")
    assert nothing_is_kept(cache)


@pytest.mark.parametrize("target", ["ftp://127.0.0.1/x", "file:///etc/passwd", "data:text/plain,x"])
def test_a_redirect_to_another_kind_of_server_is_refused(server, publish, target):
    publish("d.txt", PAIRS)
    server.tricks.append(answer(302, Location=target))
    with pytest.raises(DownloadError, match=r"redirects (from http to ftp|to an address that is neither)"):
        fetch("d.txt")


def test_a_redirect_from_an_encrypted_address_to_an_open_one_is_refused():
    follow = _http._SafeRedirects()
    asked = Request("https://example.org/x")
    with pytest.raises(DownloadError, match=r"redirects from https to http \(http://example.org/x\), which is refused"):
        follow.redirect_request(asked, None, 302, "Found", {}, "http://example.org/x")
    assert follow.redirect_request(asked, None, 302, "Found", {}, "https://example.org/y").full_url.endswith("/y")


def test_a_body_that_never_ends_has_a_limit(server, publish, monkeypatch):
    monkeypatch.setattr(_http, "_MOST_BYTES", 1000)
    publish("d.txt", PAIRS)
    server.tricks.append(send(PAIRS * 1000))
    with pytest.raises(DownloadError, match="does not stop after 1,000 bytes"):
        fetch("d.txt")


def test_a_server_that_drips_is_given_up(server, publish, monkeypatch):
    monkeypatch.setattr(_http, "_SLOW_SECONDS", 0.05)
    publish("a.vec", VEC * 500)
    server.tricks.extend([lambda handler: handler.send_file(pause=0.1) or True] * 2)
    with pytest.raises(DownloadError, match=r"the server sent \d+ bytes in 0 seconds; gave up after 2 attempts"):
        fetch("a.vec", retries=1)


def test_a_new_version_is_accepted_when_asked_for(server, publish):
    publish("d.txt", PAIRS)
    fetch("d.txt")
    publish("d.txt", PAIRS * 2)
    assert fetch("d.txt").read_bytes() == PAIRS
    assert fetch("d.txt", replace=True).read_bytes() == PAIRS * 2
    assert fetch("d.txt").read_bytes() == PAIRS * 2
    publish("d.txt", PAIRS, sha256="0" * 64)
    with pytest.raises(ChecksumError, match="published is 000"):
        fetch("d.txt", replace=True)


def test_a_failed_replacement_leaves_the_file_as_it_was(server, publish):
    publish("d.txt", PAIRS)
    path = fetch("d.txt")
    server.tricks.append(send(b""))
    with pytest.raises(DownloadError):
        fetch("d.txt", replace=True)
    assert path.read_bytes() == PAIRS
    assert fetch("d.txt") == path
