"""Make ``tests/reference/wechsel``: the results of the program WECHSEL for two small tokenizers and the sample.

Needs ``pip install wechsel tokenizers``. ``python -m tools.make_wechsel_reference [FOLDER]``
"""

import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from gensim.models import Word2Vec
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

import isoalign as ia
from isoalign._core.arrays import unit_rows

FOLDER = Path(__file__).parent.parent / "tests" / "reference" / "wechsel"
N_WORDS, N_TOKENS, DIM = 1500, 320, 6
SPECIAL = ["<unk>", "<s>", "</s>"]


class Shim:
    """The part of a transformers tokenizer that WECHSEL calls."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.vocab = tokenizer.get_vocab()
        self.special_tokens_map = {"all": [name for name in SPECIAL if name in self.vocab]}

    def __len__(self) -> int:
        return len(self.vocab)

    def get_vocab(self) -> dict[str, int]:
        """Return ids by token."""
        return self.vocab

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        """Return the ids of a text."""
        return list(self.tokenizer.encode(text, add_special_tokens=add_special_tokens).ids)

    def decode(self, number: int) -> str:
        """Return the text of a token."""
        return str(self.tokenizer.decode([number], skip_special_tokens=False))

    def convert_ids_to_tokens(self, ids: Any) -> Any:
        """Return the token of an id, or those of several."""
        if isinstance(ids, int):
            return self.tokenizer.id_to_token(ids)
        return [self.tokenizer.id_to_token(int(number)) for number in ids]


def repeat_words(words: Iterable[str]) -> Iterator[str]:
    """Yield words as often as their rank suggests."""
    for rank, word in enumerate(words, 1):
        yield from [word] * max(1, 500 // rank)


def train(words: list[str], *, in_bytes: bool) -> Tokenizer:
    """Train a tokenizer on words."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel() if in_bytes else pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.ByteLevel() if in_bytes else decoders.Metaspace()
    trainer = trainers.BpeTrainer(vocab_size=N_TOKENS, special_tokens=SPECIAL, show_progress=False)
    tokenizer.train_from_iterator(repeat_words(words), trainer)
    return tokenizer


def as_word2vec(side: ia.Embeddings) -> Word2Vec:
    """Return the input of WECHSEL: a gensim model whose counts are 1/rank."""
    model = Word2Vec(vector_size=side.vector_size, min_count=1)
    model.wv.add_vectors(side.index_to_key, unit_rows(side.vectors))
    for rank, word in enumerate(side.index_to_key, 1):
        model.wv.set_vecattr(word, "count", 1 / rank)
    return model


def old_matrix() -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the embeddings of the old tokens."""
    return np.random.default_rng(0).standard_normal((N_TOKENS, DIM))


def main(folder: Path) -> None:
    """Train tokenizers, align and transfer with WECHSEL, and save the results."""
    from wechsel import WECHSEL

    sample = ia.load_sample()
    sides = sample.source.head(N_WORDS), sample.target.head(N_WORDS)
    tokenizers = train(sides[0].index_to_key, in_bytes=False), train(sides[1].index_to_key, in_bytes=True)
    folder.mkdir(exist_ok=True)
    for name, tokenizer in zip(("source", "target"), tokenizers, strict=True):
        tokenizer.save(str(folder / f"{name}.json"), pretty=False)
    known = [(a, b) for a, b in sample.train if a in sides[0] and b in sides[1]]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as dictionary:
        dictionary.writelines(f"{a}\t{b}\n" for a, b in known)
        dictionary.flush()
        program = WECHSEL(*map(as_word2vec, sides), bilingual_dictionary=dictionary.name)
    matrix, info = program.apply(*map(Shim, tokenizers), old_matrix(), use_subword_info=False)
    expected = {
        "not_found": sorted(set(info.not_found) - set(SPECIAL)),
        "matrix": np.round(matrix, 7).tolist(),
    }
    (folder / "expected.json").write_text(json.dumps(expected) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
