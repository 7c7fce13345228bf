"""Choose the device for searches."""

from collections.abc import Iterator
from contextlib import contextmanager

from isoalign.neighbors.engine import CpuBackend, SearchBackend, use_backend

__all__ = ["use_device"]

_PREFIX = "torch:"


@contextmanager
def use_device(device: str) -> Iterator[None]:
    """Search on a device inside the block, on all threads of the process.

    The answers are bitwise identical on every device: a device proposes candidates, and exact inner products, summed in
    float64 on the CPU, decide. The sums of the inverted softmax agree to six digits.

    Parameters
    ----------
    device
        ``"cpu"`` for the engine of this package. Any other name is a PyTorch device: ``"cuda"``, ``"cuda:1"``,
        ``"mps"``; ``"torch:cpu"`` is PyTorch on the CPU. Both spaces must fit in the memory of the device.

    Raises
    ------
    MissingExtraError
        If PyTorch is needed and not installed.
    ParameterError
        If there is no such device.

    Examples
    --------
    >>> import isoalign as ia
    >>> sample = ia.load_sample()
    >>> with ia.use_device("cpu"):
    ...     model = ia.align(sample.source, sample.target, sample.train)
    """
    with use_backend(_open(device)):
        yield


def _open(device: str) -> SearchBackend:
    if device == "cpu":
        return CpuBackend()
    from isoalign.neighbors.engine._torch import TorchBackend

    return TorchBackend(device.removeprefix(_PREFIX))
