import hashlib
import json
import os
import re
import subprocess
import sys
import threading

import pytest

from isoalign.datasets import cache_folder, fetch, list_stored, path, verify
from isoalign.errors import ChecksumError, DownloadError, FileAccessError, FormatError, MissingFileError, ParameterError
from unit.datasets.file_server import cut_after

CONTENT = bytes(range(256)) * 40


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def test_a_file_is_fetched_once(server, publish, cache):
    publish("a.bin", CONTENT)
    assert fetch("a.bin") == cache / "a.bin" == path("a.bin")
    assert (cache / "a.bin").read_bytes() == CONTENT
    fetch("a.bin")
    assert len(server.requests) == 1
    assert sorted(file.name for file in cache.iterdir()) == ["a.bin", "a.bin.json", "a.bin.lock"]


def test_a_hash_that_nobody_published_is_called_recorded(publish):
    publish("a.bin", CONTENT)
    fetch("a.bin")
    (file,) = list_stored()
    assert (file.status, file.sha256, file.size) == ("recorded", sha256(CONTENT), len(CONTENT))


@pytest.mark.parametrize(
    "published", [{"sha256": sha256(CONTENT)}, {"sha1": hashlib.sha1(CONTENT).hexdigest(), "size": len(CONTENT)}]
)
def test_a_file_with_its_published_hash_is_called_verified(publish, published):
    publish("a.bin", CONTENT, **published)
    fetch("a.bin")
    assert [file.status for file in list_stored()] == ["verified"]
    assert [file.status for file in verify()] == ["verified"]


@pytest.mark.parametrize("published", [{"sha256": sha256(b"other")}, {"sha1": "0" * 40}, {"size": 7}])
def test_a_file_with_another_hash_than_published_is_refused_and_deleted(publish, cache, published):
    publish("a.bin", CONTENT, **published)
    with pytest.raises(ChecksumError, match="published is"):
        fetch("a.bin")
    assert [file.name for file in cache.iterdir()] == ["a.bin.lock"]


def test_a_second_download_must_have_the_recorded_hash(server, publish):
    publish("a.bin", CONTENT)
    fetch("a.bin").unlink()
    server.files["/data/a.bin"] = CONTENT[::-1]
    with pytest.raises(ChecksumError, match=f"but on .* it was {sha256(CONTENT)}"):
        fetch("a.bin")
    assert not path("a.bin").exists()
    assert [file.status for file in list_stored()] == ["missing"]
    server.files["/data/a.bin"] = CONTENT
    assert fetch("a.bin").read_bytes() == CONTENT


def test_a_file_that_was_changed_in_the_cache_is_noticed(publish):
    publish("a.bin", CONTENT)
    fetch("a.bin").write_bytes(b"spoiled")
    assert [file.status for file in verify("a.bin")] == ["changed"]
    with pytest.raises(ChecksumError, match=r"Delete .* and fetch again"):
        fetch("a.bin")


def test_verify_notices_a_change_that_keeps_size_and_time(publish):
    publish("a.bin", CONTENT)
    file = fetch("a.bin")
    times = file.stat().st_atime_ns, file.stat().st_mtime_ns
    file.write_bytes(CONTENT[::-1])
    os.utime(file, ns=times)
    assert [stored.status for stored in list_stored()] == ["recorded"]
    assert [stored.status for stored in verify()] == ["changed"]


def test_verify_compares_with_a_hash_that_is_published_later(publish):
    publish("a.bin", CONTENT)
    fetch("a.bin")
    publish("a.bin", CONTENT, sha256=sha256(b"other"))
    assert [file.status for file in verify()] == ["changed"]


def test_a_file_brought_by_hand_is_taken_without_the_network(server, publish, cache):
    publish("a.bin", CONTENT, sha256=sha256(CONTENT))
    path("a.bin").write_bytes(CONTENT)
    fetch("a.bin")
    assert server.requests == []
    assert [file.status for file in verify("a.bin")] == ["verified"]


def test_a_file_touched_but_not_changed_keeps_its_record(publish, cache):
    publish("a.bin", CONTENT)
    file, record = fetch("a.bin"), cache / "a.bin.json"
    before = {**json.loads(record.read_text()), "date": "2019-07-28"}
    record.write_text(json.dumps(before))
    os.utime(file, ns=(0, 0))
    assert [stored.status for stored in list_stored()] == ["changed"]
    fetch("a.bin")
    assert json.loads(record.read_text()) == before | {"changed": 0}


def test_without_a_network_the_message_says_what_to_put_where(publish, server, cache):
    publish("a.bin", CONTENT)
    server.close()
    with pytest.raises(
        DownloadError, match=rf"cannot connect .* copy the file to {re.escape(str(cache / 'a.bin'))} and"
    ):
        fetch("a.bin", retries=0)


def test_a_mirror_is_asked_instead_of_the_publisher(publish, server, monkeypatch):
    publish("a.bin", b"the publisher's")
    server.files["/mirror/a.bin"] = CONTENT
    monkeypatch.setenv("ISOALIGN_DATA_URL", f"{server.url}/mirror/")
    assert fetch("a.bin").read_bytes() == CONTENT


def test_a_mirror_that_is_no_web_address_is_refused(publish, monkeypatch):
    publish("a.bin", CONTENT)
    monkeypatch.setenv("ISOALIGN_DATA_URL", "file:///etc")
    with pytest.raises(ParameterError, match="ISOALIGN_DATA_URL"):
        fetch("a.bin")


def test_an_unknown_name_is_refused_with_close_ones():
    with pytest.raises(ParameterError, match=r"Close names: .*wiki\.ja\.vec"):
        fetch("wiki.jaa.vec")


def test_verify_asks_to_fetch_what_is_not_there(publish):
    publish("a.bin", CONTENT)
    with pytest.raises(MissingFileError, match=r"isoalign data fetch a\.bin"):
        verify("a.bin")


@pytest.mark.parametrize(("text", "message"), [("{", "damaged"), ('{"schema": "isoalign-dataset/2"}', "version")])
def test_an_unreadable_record_is_named(publish, cache, text, message):
    publish("a.bin", CONTENT)
    fetch("a.bin")
    (cache / "a.bin.json").write_text(text)
    with pytest.raises(FormatError, match=rf"a\.bin\.json: .*{message}"):
        fetch("a.bin")


def test_a_cache_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(FileAccessError, match="ISOALIGN_CACHE"):
        cache_folder(tmp_path / "file" / "cache")


def test_without_settings_the_cache_is_the_platforms(monkeypatch, tmp_path):
    monkeypatch.delenv("ISOALIGN_CACHE")
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / name)
    assert cache_folder() == tmp_path / "isoalign" / "datasets"


def test_two_threads_download_a_file_once(server, publish):
    publish("a.bin", CONTENT)
    server.tricks.append(lambda handler: handler.send_file(pause=0.01) or True)
    threads = [threading.Thread(target=fetch, args=["a.bin"]) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.requests) == 1


def test_two_processes_download_a_file_once(server, cache, monkeypatch):
    server.files["/en-ja.txt"] = CONTENT
    monkeypatch.setenv("ISOALIGN_DATA_URL", server.url)
    server.tricks.append(lambda handler: handler.send_file(pause=0.05) or True)
    command = [sys.executable, "-c", "from isoalign.datasets import fetch; fetch('en-ja.txt')"]
    processes = [subprocess.Popen(command) for _ in range(2)]
    assert [process.wait(60) for process in processes] == [0, 0]
    assert len(server.requests) == 1
    assert (cache / "en-ja.txt").read_bytes() == CONTENT


def test_a_download_goes_on_in_a_later_call(server, publish):
    publish("a.bin", CONTENT)
    server.tricks.append(cut_after(4000))
    with pytest.raises(DownloadError, match="The partial download is kept"):
        fetch("a.bin", retries=0)
    assert not path("a.bin").exists()
    assert list_stored() == []
    assert fetch("a.bin").read_bytes() == CONTENT
    assert server.sent == len(CONTENT)
