"""With WECHSEL's own alignment, unit vectors and all, a transfer gives WECHSEL's embeddings."""

import json
from pathlib import Path

import numpy as np

import isoalign as ia
from isoalign._core.arrays import unit_rows

FOLDER = Path(__file__).parent / "wechsel"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
N_WORDS = 1500


def test_the_whole_computation_is_that_of_the_program():
    sample = ia.load_sample()
    source, target = (
        side.head(N_WORDS).with_vectors(unit_rows(side.vectors[:N_WORDS])) for side in (sample.source, sample.target)
    )
    known = ia.Lexicon((a, b) for a, b in sample.train if a in source and b in target)
    model = ia.align(source, target, known, method="procrustes", normalize="none")
    found = ia.transfer_vocabulary(model, FOLDER / "source.json", FOLDER / "target.json", capitalize=False)
    old = np.random.default_rng(0).standard_normal((len(found.old), 6))
    expected = np.array(EXPECTED["matrix"])
    made = [number for number, name in enumerate(found.new.names) if name not in EXPECTED["not_found"]]
    assert sorted(found.without_evidence()) == EXPECTED["not_found"]
    assert found.counts()["name"] == 3
    np.testing.assert_allclose(found.apply(old)[made], expected[made], atol=2e-4)
