from pathlib import Path

import numpy as np
import pytest

import isoalign as ia
from isoalign.alignment import align_files, load_with_files
from planted import planted_embeddings

SMALL = Path(__file__).parent.parent.parent / "reference" / "small"


@pytest.fixture(scope="module")
def model():
    return align_files(SMALL / "source.vec", SMALL / "target.vec", SMALL / "train.txt", langs=("xx", None))


def test_files_are_aligned_as_what_they_hold(model):
    source, target = (ia.read_vectors(SMALL / f"{side}.vec") for side in ("source", "target"))
    expected = ia.align(source, target, ia.read_lexicon(SMALL / "train.txt"))
    np.testing.assert_array_equal(model["xx"].map, expected["source"].map)
    assert model.raw("xx").lang == "xx"


def test_reading_options_go_to_both_files():
    model = align_files(
        SMALL / "source.vec", SMALL / "target.vec", SMALL / "train.txt", reading={"limit": 500}, normalize="unit"
    )
    assert [len(member.raw) for member in model.members] == [500, 500]


def test_recipes_of_programs_that_lower_case_do_so(tmp_path):
    source, target, train = planted_embeddings(n=60, dim=4)
    ia.write_vectors(ia.Embeddings([word.upper() for word in source.index_to_key], source.vectors), tmp_path / "s.vec")
    ia.write_vectors(target, tmp_path / "t.vec")
    ia.write_lexicon(train, tmp_path / "d.txt")
    model = align_files(tmp_path / "s.vec", tmp_path / "t.vec", tmp_path / "d.txt", method="muse-supervised")
    assert model.provenance["lexicon"]["known_pairs"] == 60


def test_vectors_of_files_stand_in_for_those_left_out(model, tmp_path):
    model.save(tmp_path / "m", vectors=False)
    loaded = load_with_files(tmp_path / "m", SMALL / "source.vec", SMALL / "target.vec")
    np.testing.assert_allclose(loaded.space("xx"), model.space("xx"), atol=1e-6)
