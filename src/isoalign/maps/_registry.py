"""Registry of maps, used to restore saved ones."""

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
        Entry("identity", f"{_PACKAGE}._fixed:IdentityMap", "identity", "Return rows unchanged."),
        Entry("matrix", f"{_PACKAGE}._matrix:MatrixMap", "matrix", "Multiply rows by a matrix and add an offset."),
        Entry("blocks", f"{_PACKAGE}._blocks:BlockMap", "blocks", "Apply a separate map to each block of columns."),
        Entry("composed", f"{_PACKAGE}._composed:ComposedMap", "composed", "Apply maps one after another."),
        Entry(
            "kernel_correction",
            f"{_PACKAGE}._kernel_correction:KernelCorrection",
            "kernel correction",
            "Move rows by the residuals of their dictionary neighbours.",
        ),
        Entry("unit", f"{_PACKAGE}._fixed:UnitMap", "unit", "Scale rows to unit length."),
        Entry(
            "kernel_residual",
            "isoalign.migration._methods._kernel:KernelResidualMap",
            "kernel residual",
            "An affine map plus a kernel regression of its residuals.",
        ),
        Entry(
            "local",
            "isoalign.migration._methods._local:LocalMap",
            "local",
            "A blend of linear maps, one for each region.",
        ),
        Entry(
            "residual_network",
            "isoalign.migration._methods._mlp:ResidualNetworkMap",
            "residual network",
            "An affine map plus a small neural network.",
        ),
        Entry("stacked", f"{_PACKAGE}._stacked:StackedMap", "stacked", "Concatenate the results of several maps."),
    ),
    group="isoalign.maps",
)
"""All registered maps."""


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
    """Restore a map from the result of `describe_map` and the arrays of its ``get_state``."""
    kind = description["kind"]
    if kind not in MAPS:
        raise FormatError(f"no map is registered under the name {kind!r}. Is the package that defines it installed?")
    restored: AbstractMap = MAPS.load(kind).from_state(description, state)
    return restored
