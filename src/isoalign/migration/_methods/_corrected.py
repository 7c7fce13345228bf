"""What maps share that add a correction to an affine map."""

from typing import Any

import numpy as np

from isoalign.maps import AbstractMap, MatrixMap

__all__ = ["AbstractCorrectedMap"]


class AbstractCorrectedMap(AbstractMap):
    """An affine map of the rows, and a correction that depends on the centred rows.

    Parameters
    ----------
    base
        The affine map.
    center
        m, (dim_in,), which the correction subtracts.
    """

    def __init__(self, base: MatrixMap, center: Any) -> None:
        self.base = base
        self.center = np.array(center, dtype=np.float32)

    @property
    def dim_in(self) -> int:
        """Number of columns that the affine map takes."""
        return self.base.dim_in

    @property
    def dim_out(self) -> int:
        """Number of columns that the affine map yields."""
        return self.base.dim_out
