"""What every kind of map must do."""

import numpy as np
import pytest

from isoalign._core.arrays import unit_rows
from isoalign.maps import MAPS, BlockMap, ComposedMap, IdentityMap, KernelCorrection, MatrixMap, StackedMap, UnitMap
from isoalign.migration._methods._kernel import KernelResidualMap
from isoalign.migration._methods._local import LocalMap
from isoalign.migration._methods._mlp import Network, ResidualNetworkMap
from isoalign.normalization import make_normalizer
from isoalign.testing import MAP_CHECKS

RNG = np.random.default_rng(0)
ROWS = RNG.standard_normal((30, 5)).astype(np.float32)
TALL, SQUARE = RNG.standard_normal((5, 3)), RNG.standard_normal((5, 5))
PAIRS = np.repeat(np.arange(20)[:, None], 2, axis=1)
EXAMPLES = {
    "identity": [IdentityMap(4)],
    "matrix": [MatrixMap(TALL), MatrixMap(SQUARE, RNG.standard_normal(5))],
    "composed": [
        ComposedMap([MatrixMap(SQUARE), MatrixMap(TALL)]),
        ComposedMap([IdentityMap(5), MatrixMap(SQUARE, np.ones(5))]),
        ComposedMap([IdentityMap(5), UnitMap(5)]),  # the second map gets the rows of the caller
        ComposedMap([MatrixMap(TALL), UnitMap(3)]),
        ComposedMap([MatrixMap(TALL, np.arange(3.0)), UnitMap(3)]),  # offset and lengths in one pass
    ],
    "blocks": [BlockMap([(IdentityMap(2), 1.0), (MatrixMap(TALL), 3.0)])],
    "kernel_correction": [
        KernelCorrection.fit(unit_rows(ROWS), unit_rows(ROWS @ SQUARE.astype(np.float32)), PAIRS, omit_self=omit_self)
        for omit_self in (False, True)
    ],
    "unit": [UnitMap(4)],
    "kernel_residual": [KernelResidualMap(MatrixMap(TALL), np.ones(5), ROWS[:9], TALL[:3].repeat(3, 0), bandwidth=0.5)],
    "local": [LocalMap(np.stack([TALL, -TALL]), ROWS[:2], np.ones(5), np.ones(3), temperature=0.3)],
    "residual_network": [ResidualNetworkMap(MatrixMap(TALL), np.ones(5), 2.0, Network(SQUARE, np.ones(5), TALL))],
    "stacked": [
        StackedMap(
            [
                (make_normalizer("iternorm").fit(ROWS), MatrixMap(TALL), 1.0),
                (make_normalizer("unit,center").fit(ROWS), IdentityMap(5), 3.0),
            ]
        )
    ],
}


def test_every_registered_map_has_an_example():
    assert set(EXAMPLES) == set(MAPS)


@pytest.mark.parametrize("check", MAP_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("one", [one for some in EXAMPLES.values() for one in some], ids=repr)
def test_every_map_keeps_the_contract(one, check):
    check(one)
