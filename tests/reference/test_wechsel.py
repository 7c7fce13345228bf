"""With WECHSEL's own alignment a transfer gives WECHSEL's embeddings."""

import json
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

import isoalign as ia
from isoalign._core.arrays import unit_rows
from isoalign.alignment import apply_file

FASTTEXT = Path(__file__).parent.parent / "data" / "fasttext" / "skipgram.bin"
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


def test_the_program_reads_a_mapped_fasttext_model_and_comes_to_the_same_result(tmp_path):
    """Needs the package wechsel, which is no dependency: pip install wechsel."""
    wechsel, fasttext = pytest.importorskip("wechsel"), pytest.importorskip("fasttext")
    from tools.make_wechsel_reference import Shim

    raw = ia.read_vectors(FASTTEXT, lang="xx")
    other = ia.Embeddings(raw.keys, raw.vectors, lang="yy", subwords=raw.subwords)
    train = ia.Lexicon(zip(raw.index_to_key, reversed(raw.index_to_key), strict=True))
    model = ia.align(raw, other, train, method="procrustes", normalize="center_length")
    for name in model:
        apply_file(model, FASTTEXT, tmp_path / f"{name}.bin", name=name)
    words = [*raw.index_to_key[1:21], "katoka", "猫猫犬"]
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(words)}, unk_token=words[0]))
    found = ia.transfer_vocabulary(model, tokenizer, tokenizer)
    old = np.random.default_rng(0).standard_normal((len(found.old), 6))
    program = wechsel.WECHSEL(
        *(fasttext.load_model(str(tmp_path / f"{name}.bin")) for name in ("xx", "yy")), align_strategy=None
    )
    matrix, _ = program.apply(Shim(tokenizer), Shim(tokenizer), old)
    np.testing.assert_allclose(found.apply(old), matrix, atol=1e-3)
