"""Tokenizers whose vocabularies are known, and model files that belong to them."""

import numpy as np
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from tokenizers.models import WordLevel

import isoalign as ia
from planted import planted_pair

SPECIAL = ["<unk>", "<s>", "<0x0A>"]
N = 40


def word_tokenizer(words, special=SPECIAL):
    """Return a tokenizer whose tokens are whole words."""
    vocabulary = {name: number for number, name in enumerate([*special, *words])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token=special[0]))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.add_special_tokens([name for name in special if not name.startswith("<0x")])
    return tokenizer


def piece_tokenizer(pieces):
    """Return a WordPiece tokenizer."""
    tokenizer = Tokenizer(models.WordPiece({name: number for number, name in enumerate(["[UNK]", *pieces])}))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.add_special_tokens(["[UNK]"])
    return tokenizer


def planted_model(n=N, noise=0.0):
    """Return two aligned languages; word ``s3`` means ``t3``."""
    X, Y, W = planted_pair(n, noise=noise)
    source = ia.Embeddings([f"s{i}" for i in range(n)], X, lang="xx")
    target = ia.Embeddings([f"t{i}" for i in range(n)], Y, lang="yy")
    return ia.Alignment.from_matrix(W, source=source, target=target)


def planted_tokenizers(n=N):
    """Return tokenizers of both languages; the new one has its words in opposite order, and one unknown word."""
    old = word_tokenizer([f"s{i}" for i in range(n)])
    new = word_tokenizer([*(f"t{i}" for i in reversed(range(n))), "nowhere", "!"])
    return old, new


def old_matrix(n_tokens, dim=5, seed=3):
    """Return embeddings of the old tokens."""
    return np.random.default_rng(seed).standard_normal((n_tokens, dim)).astype(np.float32)
