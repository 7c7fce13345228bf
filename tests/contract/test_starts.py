"""What every registered start must do."""

import pytest

from isoalign.alignment import STARTS
from isoalign.testing import START_CHECKS

QUICK = {
    "adversarial": {"hidden": 16, "epochs": 1, "epoch_size": 320},
    "clusters": {"n_rounds": 2, "n_refine": 3},
    "gromov_wasserstein": {"epsilons": (2e-2, 1e-2), "max_iter": 10},
    "icp": {"n_starts": 4},
    "wasserstein": {"start_iter": 3, "n_iter": 4, "epochs": 2},
}


@pytest.mark.parametrize("check", START_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", STARTS)
def test_every_start_keeps_the_contract(name, check):
    check(name, QUICK.get(name))
