"""Settings and fixtures that all tests share."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# As many workers run as there are cores, and each has as many threads of OpenBLAS. Those that wait shall sleep at once:
# they would spin for some hundredths of a second, on a core that another worker needs. NumPy reads this once, when
# imported.
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")

# Kernels are compiled at their first call, so a time limit per example would fail on a fresh machine.
settings.register_profile("isoalign", deadline=None, max_examples=60)
settings.load_profile("isoalign")


def pytest_configure() -> None:
    """Let tests interrupt programs also where the shell started pytest in the background, which ignores interrupts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name packed or long bytes by their length: they may change with the clock, and all workers must agree."""
    return f"{len(val)}-bytes" if isinstance(val, bytes) and (len(val) > 40 or not val.isascii()) else None


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let ``--device torch:cpu`` run the tests of search on PyTorch."""
    parser.addoption("--device", default="cpu", help="where searches are computed, as for isoalign.use_device")


@pytest.fixture(scope="session", autouse=True)
def device(request: pytest.FixtureRequest) -> Iterator[str]:
    """Search where the command line says."""
    name = request.config.getoption("--device")
    if name == "cpu":
        yield name
        return
    from isoalign.neighbors import use_device

    with use_device(name):
        yield name


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Give the folder with real vectors, or skip: the data may be used but not shipped."""
    folder = os.environ.get("ISOALIGN_TEST_DATA")
    if not folder or not (Path(folder) / "data").is_dir():
        pytest.skip("set ISOALIGN_TEST_DATA to the folder with the real vectors")
    return Path(folder)
