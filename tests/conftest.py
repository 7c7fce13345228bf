"""Settings and fixtures that all tests share."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Kernels are compiled at their first call, so a time limit per example would fail on a fresh machine.
settings.register_profile("isoalign", deadline=None, max_examples=60)
settings.load_profile("isoalign")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name packed or long bytes by their length: they may change with the clock, and all workers must agree."""
    return f"{len(val)}-bytes" if isinstance(val, bytes) and (len(val) > 40 or not val.isascii()) else None


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Give the folder with real vectors, or skip: the data may be used but not shipped."""
    folder = os.environ.get("ISOALIGN_TEST_DATA")
    if not folder or not (Path(folder) / "data").is_dir():
        pytest.skip("set ISOALIGN_TEST_DATA to the folder with the real vectors")
    return Path(folder)
