import subprocess
import sys

import numpy as np
import pytest

import isoalign as ia
from isoalign._core.arrays import row_blocks
from isoalign.errors import FormatError, OutputExistsError, ShapeError
from isoalign.io import Block, VectorStream, open_native
from isoalign.normalization import normalize_file


@pytest.fixture
def words(tmp_path):
    vectors = np.random.default_rng(0).standard_normal((50, 4)).astype(np.float32) + 1
    embeddings = ia.Embeddings([f"w{i}" for i in range(50)], vectors, lang="en", metadata={"source": "test"})
    ia.write_vectors(embeddings, tmp_path / "words")
    return embeddings


@pytest.mark.parametrize("target", ["out", "out.vec", "out.txt.xz"])
def test_the_file_holds_what_memory_would(words, tmp_path, target):
    normalizer = normalize_file(tmp_path / "words", tmp_path / target, tol=1e-5)
    written = ia.read_vectors(tmp_path / target)
    np.testing.assert_array_equal(written.vectors, ia.normalize(words, tol=1e-5).vectors)
    np.testing.assert_array_equal(written.vectors, normalizer.transform(words.vectors))
    assert written.index_to_key == words.index_to_key


def test_the_source_stays_as_it_is(words, tmp_path):
    normalize_file(tmp_path / "words", tmp_path / "out")
    np.testing.assert_array_equal(ia.read_vectors(tmp_path / "words").vectors, words.vectors)


def test_a_folder_records_language_and_method(words, tmp_path):
    normalize_file(tmp_path / "words", tmp_path / "out", reading={"limit": 30})
    written = open_native(tmp_path / "out")
    assert written.lang == "en"
    assert written.metadata == {"source": "test", "normalization": {"method": "IterNorm()", "rows": 30}}


def test_an_existing_target_is_replaced_only_when_allowed(words, tmp_path):
    for target in (tmp_path / "out", tmp_path / "out.vec"):
        normalize_file(tmp_path / "words", target)
        with pytest.raises(OutputExistsError):
            normalize_file(tmp_path / "words", target, "unit")
        normalize_file(tmp_path / "words", target, "unit", overwrite=True)
        np.testing.assert_array_equal(ia.read_vectors(target).vectors, ia.normalize(words, "unit").vectors)


def test_a_folder_can_be_normalised_onto_itself(words, tmp_path):
    normalize_file(tmp_path / "words", tmp_path / "words", overwrite=True)
    np.testing.assert_array_equal(ia.read_vectors(tmp_path / "words").vectors, ia.normalize(words).vectors)


def test_nothing_is_left_behind_by_a_failure(tmp_path):
    (tmp_path / "x.vec").write_text("3 2\na 1 2\nb 3 4\n")
    for target in ("out", "out.vec"):
        with pytest.raises(FormatError):
            normalize_file(tmp_path / "x.vec", tmp_path / target)
    assert [path.name for path in tmp_path.iterdir()] == ["x.vec"]


def test_a_file_without_rows_is_refused(tmp_path):
    ia.write_vectors(ia.Embeddings([], np.empty((0, 2), dtype=np.float32)), tmp_path / "empty")
    with pytest.raises(ShapeError, match="at least 1 row"):
        normalize_file(tmp_path / "empty", tmp_path / "out")
    assert not (tmp_path / "out").exists()


BIG_ROWS, BIG_DIM = 500_000, 300

WITHIN_A_LIMIT = """
import resource, sys
import numpy as np
import isoalign as ia
from isoalign.normalization import normalize_file

source, target, warm = sys.argv[1:]
normalize_file(warm, warm + "-out")
data = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmData")) * 1024
resource.setrlimit(resource.RLIMIT_DATA, (data + (64 << 20), resource.RLIM_INFINITY))
try:
    np.ones(200 << 20, dtype=np.uint8)
except MemoryError:
    normalize_file(source, target)
    print("done")
"""


if sys.platform == "linux":  # where RLIMIT_DATA counts private pages and not shared maps

    @pytest.mark.slow
    def test_a_matrix_ten_times_the_allowed_memory_is_normalised(tmp_path):
        def blocks():
            rng = np.random.default_rng(0)
            for start in range(0, BIG_ROWS, 10_000):
                yield Block([f"w{start + i}" for i in range(10_000)], rng.random((10_000, BIG_DIM), dtype=np.float32))

        ia.write_vectors(VectorStream(blocks(), dim=BIG_DIM), tmp_path / "big")
        ia.write_vectors(open_native(tmp_path / "big").head(20_000), tmp_path / "warm")
        found = subprocess.run(
            [sys.executable, "-c", WITHIN_A_LIMIT, tmp_path / "big", tmp_path / "out", tmp_path / "warm"],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert found.stdout == "done\n", found.stderr
        expected = np.array(open_native(tmp_path / "big").vectors)
        ia.IterNorm().fit_transform(expected, copy=False)
        written = open_native(tmp_path / "out").vectors
        for rows in row_blocks(BIG_ROWS):  # compared as a whole, the temporary arrays would take ten seconds
            np.testing.assert_array_equal(written[rows], expected[rows])
