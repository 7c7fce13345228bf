"""The names of all maps, by which saved ones are restored."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from isoalign._core.registry import Entry, Registry
from isoalign.errors import FormatError, ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isoalign.maps._base import AbstractMap

__all__ = ["MAPS", "describe_map", "restore_map"]

_PACKAGE = "isoalign.maps"

MAPS = Registry(
    "map",
    (
        Entry("identity", f"{_PACKAGE}._fixed:IdentityMap", "identity", "Leave rows as they are."),
        Entry("matrix", f"{_PACKAGE}._matrix:MatrixMap", "matrix", "Multiply rows by a matrix, add an offset."),
        Entry("blocks", f"{_PACKAGE}._blocks:BlockMap", "blocks", "Map blocks of columns, each in its own way."),
        Entry("composed", f"{_PACKAGE}._composed:ComposedMap", "composed", "Apply maps one after another."),
        Entry(
            "kernel_correction",
            f"{_PACKAGE}._kernel_correction:KernelCorrection",
            "kernel correction",
            "Move rows by what their dictionary neighbours lack.",
        ),
        Entry("unit", f"{_PACKAGE}._fixed:UnitMap", "unit", "Scale rows to length one."),
        Entry(
            "kernel_residual",
            "isoalign.migration._adapters._kernel:KernelResidualMap",
            "kernel residual",
            "An affine map and a kernel regression of its residuals.",
        ),
        Entry(
            "local",
            "isoalign.migration._adapters._local:LocalMap",
            "local",
            "Linear maps of regions, blended.",
        ),
        Entry(
            "residual_network",
            "isoalign.migration._adapters._mlp:ResidualNetworkMap",
            "residual network",
            "An affine map and a small network.",
        ),
        Entry("stacked", f"{_PACKAGE}._stacked:StackedMap", "stacked", "Put the results of several maps side by side."),
    ),
    group="isoalign.maps",
)
"""Every kind of map."""


def describe_map(one: "AbstractMap") -> dict[str, Any]:
    """Return the name and the settings of a map as JSON values; see `restore_map`."""
    name = MAPS.name_of(type(one))
    if name is None:
        raise ParameterError(
            f"{type(one).__name__} is not registered, so it could not be restored. "
            "Call isoalign.register('map', name, class) first."
        )
    return {**one.describe(), "kind": name}


def restore_map(description: Mapping[str, Any], state: "Mapping[str, NDArray[Any]]") -> "AbstractMap":
    """Make the map that `describe_map` described, from the arrays of its ``get_state``."""
    kind = description["kind"]
    if kind not in MAPS:
        raise FormatError(f"no map is registered under the name {kind!r}. Is the package that defines it installed?")
    restored: AbstractMap = MAPS.load(kind).from_state(description, state)
    return restored
