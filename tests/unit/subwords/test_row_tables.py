import numpy as np
import pytest

from isoalign._core.types import IntVector
from isoalign.subwords._row_tables import DenseTable, QuantizedTable

ROWS: IntVector = np.array([0, 3, 3, 2, 1])
ENDS: IntVector = np.array([1, 1, 5])


def expected_means(matrix: np.ndarray) -> np.ndarray:
    return np.stack([matrix[0], np.zeros(matrix.shape[1]), matrix[[3, 3, 2, 1]].mean(axis=0)])


def test_dense_means_are_those_of_the_rows_and_zero_for_no_rows():
    matrix = np.random.default_rng(0).standard_normal((4, 5), dtype=np.float32)
    table = DenseTable(matrix)
    assert (len(table), table.dim) == (4, 5)
    np.testing.assert_allclose(table.mean_rows(ROWS, ENDS), expected_means(matrix), rtol=1e-6, atol=1e-7)


def test_rows_mapped_at_an_odd_byte_give_the_same_means():
    matrix = np.random.default_rng(0).standard_normal((4, 5), dtype=np.float32)
    shifted = np.frombuffer(b"x" + matrix.tobytes(), dtype=np.uint8)[1:].view(np.float32).reshape(4, 5)
    means = DenseTable(shifted).mean_rows(ROWS, ENDS)
    np.testing.assert_array_equal(means, DenseTable(matrix).mean_rows(ROWS, ENDS))


@pytest.mark.parametrize("width", [1, 2, 3, 5])
@pytest.mark.parametrize("scaled", [False, True])
def test_quantised_means_are_those_of_the_decoded_rows(width, scaled):
    rng = np.random.default_rng(1)
    dim = 5
    widths = [min(width, dim - start) for start in range(0, dim, width)]
    codes = rng.integers(0, 256, (4, len(widths)), dtype=np.uint8)
    books = [rng.standard_normal((256, numbers), dtype=np.float32) for numbers in widths]
    lengths = rng.random(4, dtype=np.float32) if scaled else None
    decoded = np.concatenate([book[codes[:, part]] for part, book in enumerate(books)], axis=1)
    if lengths is not None:
        decoded *= lengths[:, None]
    table = QuantizedTable(codes, np.concatenate([book.ravel() for book in books]), width, lengths)
    assert (len(table), table.dim) == (4, 5)
    np.testing.assert_allclose(table.mean_rows(ROWS, ENDS), expected_means(decoded), rtol=1e-5, atol=1e-7)
