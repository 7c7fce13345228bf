"""Every binary format of the registry refuses or skips rows with NaN or infinity."""

import numpy as np
import pytest

import isoalign as ia
from isoalign.errors import FormatError, IsoalignWarning
from isoalign.io import FORMATS

BINARY = [entry for entry in FORMATS.values() if entry.writer is not None and entry.name not in ("text", "glove")]
MARK = np.float32(12345.678)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("entry", BINARY, ids=lambda entry: entry.name)
def test_a_bad_row_is_named_or_skipped_and_counted(tmp_path, entry, bad):
    path = tmp_path / f"x{entry.suffixes[0]}"
    matrix = np.array([[1, 2], [3, MARK], [4, 5]], dtype=np.float32)
    ia.write_vectors(ia.Embeddings(["a", "b", "c"], matrix), path)
    for file in [path] if path.is_file() else (file for file in path.rglob("*") if file.is_file()):
        file.write_bytes(file.read_bytes().replace(MARK.tobytes(), np.float32(bad).tobytes()))
    with pytest.raises(FormatError, match=r"row 2 \('b'\) contains NaN, infinity or"):
        ia.read_vectors(path, lower=True)
    with pytest.warns(IsoalignWarning, match="1 bad rows were skipped"):
        vectors = ia.read_vectors(path, lower=True, on_bad="skip")
    assert vectors.index_to_key == ["a", "c"]
    np.testing.assert_array_equal(vectors.vectors, [[1, 2], [4, 5]])
