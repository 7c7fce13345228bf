"""A PyTorch device that multiplies in full float32."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from isoalign._core.arrays import row_blocks, row_lengths
from isoalign._core.optional import import_extra
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, Matrix
from isoalign.errors import ParameterError
from isoalign.neighbors.engine._choice import SHORTLISTS
from isoalign.neighbors.engine._margins import error_margins

__all__ = ["Tensor", "TorchDevice"]

Tensor = Any  # PyTorch need not be installed


class TorchDevice:
    """Multiply matrices on a device.

    Parameters
    ----------
    device
        A device by PyTorch's name for it: ``"cuda"``, ``"cuda:1"``, ``"mps"``, ``"cpu"``.
    values
        Values of a product on the device at once.

    Attributes
    ----------
    torch
        The module.
    name
        The device as PyTorch's object.

    Raises
    ------
    MissingExtraError
        If PyTorch is not installed.
    ParameterError
        If there is no such device, or if it does not multiply float32 numbers in float32.
    """

    def __init__(self, device: str, *, values: int = SHORTLISTS.values) -> None:
        self._values = values
        self.torch: Any = import_extra("torch", extra="torch")
        try:
            self.name = self.torch.device(device)
            self.place(np.ones(1, dtype=np.float32)).cpu()
        except (RuntimeError, AssertionError, NotImplementedError) as error:
            reason = str(error).split("\n")[0].rstrip(".")
            raise ParameterError(f"device {device!r} cannot be used here: {reason}. Use the device cpu.") from None
        self._check_products()

    def _check_products(self) -> None:
        """Raise an error for a device that rounds factors to fewer digits than float32, as TF32 and bfloat16 do."""
        row = np.full((1, 64), 1 + 2.0**-12, dtype=np.float32)
        lengths = row_lengths(row)

        def visit(_: slice, products: Tensor) -> None:
            error = abs(float(products[0, 0]) - 64 * (1 + 2.0**-12) ** 2)
            if not error <= error_margins(lengths, float(lengths[0]), 64)[0]:
                raise ParameterError(
                    f"device {str(self.name)!r} must multiply in full float32. Its products have fewer digits, so "
                    "no answer could be proven. Use the device cpu."
                )

        self.walk(row, row, visit)

    def walk(
        self,
        X: Matrix,
        Y: Matrix,
        visit: Callable[[slice, Tensor], None],
        what: str = "search",
        progress: Progress = ignore_progress,
    ) -> None:
        """Call a function with blocks of rows of ``X @ Y.T``, which lie on the device."""
        if not len(X) or not len(Y):
            return
        with self._full_precision():
            columns = self.place(Y).T
            blocks = list(row_blocks(len(X), max(1, self._values // len(Y))))
            for done, rows in enumerate(blocks, 1):
                visit(rows, self.place(X[rows]) @ columns)
                progress(what, done, len(blocks))

    def place(self, values: Matrix | FloatVector) -> Tensor:
        """Copy an array to the device."""
        return self.torch.tensor(values, device=self.name)

    @contextmanager
    def _full_precision(self) -> Iterator[None]:
        """Multiply in float32, whatever the host program has set."""
        before = self.torch.get_float32_matmul_precision()
        self.torch.set_float32_matmul_precision("highest")
        try:
            with self.torch.no_grad():
                yield
        finally:
            self.torch.set_float32_matmul_precision(before)
