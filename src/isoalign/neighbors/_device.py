"""Choose the device for searches."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from isoalign.errors import MissingExtraError, ParameterError
from isoalign.neighbors.engine import CpuBackend, SearchBackend, use_backend

__all__ = ["use_device"]

_PREFIX = "torch:"
_NAME = re.compile(r"[a-z_][a-z0-9_]*(:[0-9]+)?")
_TYPES = {"cpu", "cuda", "hip", "hpu", "ipu", "lazy", "maia", "meta", "mps", "mtia", "ve", "vulkan", "xla", "xpu"}


@contextmanager
def use_device(device: str) -> Iterator[None]:
    """Search on a device inside the block, on all threads of the process.

    The answers are bitwise identical on every device: a device proposes candidates, and exact inner products, summed in
    float64 on the CPU, decide. The sums of the inverted softmax agree to six digits.

    Parameters
    ----------
    device
        ``"cpu"``, in any case, for the engine of this package. Any other name is a PyTorch device: ``"cuda"``,
        ``"cuda:1"``, ``"mps"``; ``"torch:cpu"`` is PyTorch on the CPU. Both spaces must fit in the memory of the
        device.

    Raises
    ------
    MissingExtraError
        If PyTorch is needed and not installed.
    ParameterError
        If this is no name of a device, or if there is no such device.

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
    name = device.lower() if isinstance(device, str) else ""
    if name == "cpu":
        return CpuBackend()
    name = name.removeprefix(_PREFIX)
    if not _NAME.fullmatch(name):
        raise _unknown(device)
    from isoalign.neighbors.engine._torch import TorchBackend

    try:
        return TorchBackend(name)
    except MissingExtraError:
        if name.partition(":")[0] not in _TYPES:  # PyTorch itself may know more: packages can add types
            raise _unknown(device) from None
        raise


def _unknown(device: object) -> ParameterError:
    return ParameterError(f"device must be cpu or a PyTorch device such as cuda, cuda:1, mps or xpu. Got {device!r}.")
