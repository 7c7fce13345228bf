"""Made-up languages that are rotations of one space: row i of one translates row i of every other."""

import numpy as np

import isoalign as ia
from planted import random_rotation

LANGUAGES = ("en", "fr", "ja", "ru")
STAR = (("en", "fr"), ("en", "ja"), ("en", "ru"))
CHAIN = (("en", "fr"), ("fr", "ja"), ("ja", "ru"))
TRIANGLE = (("en", "fr"), ("fr", "ja"), ("ja", "en"), ("ru", "fr"))
GRAPHS = {"star": STAR, "chain": CHAIN, "triangle": TRIANGLE}


def planted_languages(names=LANGUAGES, n=200, dim=10, noise=0.0, seed=0):
    """Return embeddings by name, each rotated by itself and with noise of its own."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, dim)) * rng.uniform(0.5, 2, dim)
    spaces = {}
    for number, name in enumerate(names):
        rows = X @ random_rotation(dim, seed=number) + noise * rng.standard_normal((n, dim))
        spaces[name] = ia.Embeddings([f"{name}{i}" for i in range(n)], rows.astype(np.float32), lang=name)
    return spaces


def pairs_of(a, b, n):
    """Return the dictionary of the first ``n`` words of two languages."""
    return ia.Lexicon((f"{a}{i}", f"{b}{i}") for i in range(n))


def dictionaries(graph, n=60):
    """Return a dictionary for every edge."""
    return {(a, b): pairs_of(a, b, n) for a, b in graph}
