"""Small models with hostile words, one server for all tests, a browser if there is one."""

import os

import numpy as np
import pytest

import isoalign as ia
from hostile import hostile_vectors
from isoalign.alignment import Member
from web.browser import Browser, find_browser
from web.serving import Server

SCRIPT = "<script>document.title='owned'</script>"
IMAGE = "<img src=x onerror=alert(1)>"
OVERRIDE = "abc\u202edef"
HEBREW = ["שלום", "ילדה", "חתול", "כלב"]
ENGLISH = ["girl", "girls", "Girl", "girlfriend", "new york", "tokyo", SCRIPT, OVERRIDE, "a&b", "100%"]


def make_model(*, size=240, dim=16, seed=0):
    """Align a space with a rotated copy of itself, under other words."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((size, dim)) * rng.uniform(0.5, 2, (size, 1)) + rng.standard_normal(dim)
    rotation, _ = np.linalg.qr(rng.standard_normal((dim, dim)))
    source = [*ENGLISH, *(f"word{i}" for i in range(size - len(ENGLISH)))]
    target = [*HEBREW, "tokyo", IMAGE, *(f"מילה{i}" for i in range(size - len(HEBREW) - 2))]
    en = ia.Embeddings(source, X.astype(np.float32), lang="en")
    he = ia.Embeddings(target, (X @ rotation + 0.02 * rng.standard_normal(X.shape)).astype(np.float32), lang="he")
    model = ia.align(en, he, list(zip(source, target, strict=True)), method="procrustes")
    model.compute_means()
    return model


@pytest.fixture(scope="session")
def planted():
    """The model behind the server's first, whose n-th words translate each other."""
    return make_model()


@pytest.fixture(scope="session")
def calibrated():
    """Spaces of which every third target is noise, so that some translations are clear and others doubtful."""
    rng = np.random.default_rng(2)
    X = rng.standard_normal((300, 16))
    Y = X.copy()
    Y[::3] = rng.standard_normal(Y[::3].shape)
    en = ia.Embeddings([f"word{i}" for i in range(300)], X.astype(np.float32), lang="en")
    he = ia.Embeddings([f"מילה{i}" for i in range(300)], Y.astype(np.float32), lang="he")
    pairs = [*zip(en.index_to_key, he.index_to_key, strict=True)]
    model = ia.align(en, he, pairs, method="procrustes")
    ia.calibrate(model, pairs)
    model.compute_means()
    return model


@pytest.fixture(scope="session")
def trio(planted):
    """The same two languages, and the first once more under other words: three members, means of the first two."""
    en = planted["en"]
    words = [*en.raw.index_to_key[:4], "nur", *(f"wort{i}" for i in range(len(en.raw) - 5))]
    member = Member("en2", en.normalizer, en.map, ia.Embeddings(words, en.raw.vectors, lang="en"))
    return ia.Alignment([*planted.members, member], means=planted.means, provenance=planted.provenance)


@pytest.fixture(scope="session")
def hostile():
    """Words of a stranger in three languages, whose n-th words translate each other; two of them are very long."""
    first = hostile_vectors(dim=8)
    words = [*first.index_to_key, "x" * 180, "\u0335\u0489" * 200]
    vectors = np.vstack([first.vectors, np.random.default_rng(1).standard_normal((2, 8), dtype=np.float32)])
    spaces = {name: ia.Embeddings(words, vectors, lang=name) for name in ("en", "ar", "ja")}
    given = [(word, word) for word in words]
    return ia.join(spaces, {("en", "ar"): given, ("en", "ja"): given}, normalize="unit")


@pytest.fixture(scope="session")
def folders(planted, trio, hostile, calibrated, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    planted.save(folder / "en-he")
    make_model(seed=1, size=60).save(folder / "small")
    trio.save(folder / "trio")
    hostile.save(folder / "hostile")
    calibrated.save(folder / "calibrated")
    return [folder / name for name in ("en-he", "small", "trio", "hostile", "calibrated")]


@pytest.fixture(scope="session")
def server(folders):
    server = Server(*folders, measured=True)
    yield server
    log = server.stop()
    assert "Traceback" not in log, log


@pytest.fixture
def server_of_nameless(planted, tmp_path):
    """A server of a model whose members are called source and target, and have no languages."""
    sides = [ia.Embeddings(planted.raw(name).index_to_key, planted.raw(name).vectors) for name in planted]
    model = ia.align(*sides, list(zip(*(side.index_to_key for side in sides), strict=True)), method="procrustes")
    model.compute_means()
    model.save(tmp_path / "nameless")
    server = Server(tmp_path / "nameless")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def locked(folders):
    """A server for others, with a token."""
    server = Server(folders[1], "--token", "open-sesame", "--host", "0.0.0.0", measured=True)
    yield server
    log = server.stop()
    assert "--host 0.0.0.0" in log
    assert "unencrypted" in log


@pytest.fixture(scope="session")
def browser_session(tmp_path_factory):
    paths = find_browser()
    if paths is None:
        message = "no chromium and chromedriver here: the page is not tested"
        if os.environ.get("ISOALIGN_REQUIRE_BROWSER"):
            pytest.fail(message)
        pytest.skip(message)
    browser = Browser(paths, tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture
def browser(browser_session):
    """A browser of usual width that has nothing to complain about afterwards."""
    browser_session.emulate(width=1280)
    browser_session.complaints()
    yield browser_session
    assert browser_session.complaints() == []
