"""Maps from one space to another, as objects: applied to rows, described in JSON, saved as arrays."""

from typing import TYPE_CHECKING

from isoalign._core.registry import lazy_attributes

if TYPE_CHECKING:
    from isoalign.maps._base import AbstractMap as AbstractMap
    from isoalign.maps._blocks import BlockMap as BlockMap
    from isoalign.maps._composed import ComposedMap as ComposedMap
    from isoalign.maps._fixed import IdentityMap as IdentityMap
    from isoalign.maps._fixed import UnitMap as UnitMap
    from isoalign.maps._kernel_correction import KernelCorrection as KernelCorrection
    from isoalign.maps._matrix import MatrixMap as MatrixMap
    from isoalign.maps._registry import MAPS as MAPS
    from isoalign.maps._registry import describe_map as describe_map
    from isoalign.maps._registry import restore_map as restore_map
    from isoalign.maps._stacked import StackedMap as StackedMap

_PUBLIC = {
    "AbstractMap": "_base",
    "BlockMap": "_blocks",
    "ComposedMap": "_composed",
    "IdentityMap": "_fixed",
    "KernelCorrection": "_kernel_correction",
    "MAPS": "_registry",
    "MatrixMap": "_matrix",
    "StackedMap": "_stacked",
    "UnitMap": "_fixed",
    "describe_map": "_registry",
    "restore_map": "_registry",
}

__all__ = [*_PUBLIC]


__getattr__ = lazy_attributes(__name__, _PUBLIC)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
