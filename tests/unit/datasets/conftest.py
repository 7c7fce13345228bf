"""A server of one's own, an empty cache, and a registry that points to the server."""

import pytest

from isoalign.datasets import Dataset
from unit.datasets.file_server import FileServer


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = FileServer()
    yield server
    server.close()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("ISOALIGN_CACHE", str(folder))
    monkeypatch.delenv("ISOALIGN_DATA_URL", raising=False)
    return folder


@pytest.fixture(autouse=True)
def pauses(monkeypatch):
    """The seconds that a download would have slept."""
    pauses = []
    monkeypatch.setattr("isoalign.datasets._download.sleep", pauses.append)
    return pauses


@pytest.fixture
def publish(server, monkeypatch):
    """Put a file on the server and into the registry."""
    datasets = {}
    monkeypatch.setattr("isoalign.datasets._registry._datasets", lambda: datasets)

    def publish(name, content, **checksums):
        server.files[f"/data/{name}"] = content
        datasets[name] = Dataset(
            name, f"{server.url}/data/{name}", "family", "kind", "title", "CC0-1.0", "", "", **checksums
        )

    return publish
