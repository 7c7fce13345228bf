import pytest

from unit.reporting import planted


@pytest.fixture
def one_pair():
    return planted.one_pair()


@pytest.fixture
def two_pairs():
    return planted.two_pairs()
