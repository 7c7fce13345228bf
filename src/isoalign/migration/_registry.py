"""Registry of adapters, which are imported when first used."""

from isoalign._core.registry import Entry, Registry

__all__ = ["ADAPTERS"]

_PACKAGE = "isoalign.migration._methods"

ADAPTERS = Registry(
    "adapter",
    (
        Entry("procrustes", f"{_PACKAGE}._procrustes:fit_procrustes", "Procrustes", "The best rotation."),
        Entry("ridge", f"{_PACKAGE}._ridge:fit_ridge", "Ridge", "Regularised linear regression."),
        Entry("reduced_rank", f"{_PACKAGE}._reduced_rank:fit_reduced_rank", "Reduced rank", "Ridge, of limited rank."),
        Entry("shrunk", f"{_PACKAGE}._shrunk:fit_shrunk", "Shrunk", "Linear regression, shrunk towards the rotation."),
        Entry("adjoint", f"{_PACKAGE}._adjoint:fit_adjoint", "Adjoint", "The transposed map from target to source."),
        Entry("local", f"{_PACKAGE}._local:fit_local", "Local", "A ridge map per cluster, blended."),
        Entry("kernel", f"{_PACKAGE}._kernel:fit_kernel", "Kernel", "Ridge plus a smooth correction of its residuals."),
        Entry("mlp", f"{_PACKAGE}._mlp:fit_mlp", "Network", "Ridge plus a small neural network."),
    ),
    group="isoalign.adapters",
)
"""Every adapter: a function from paired rows and settings to a map."""
