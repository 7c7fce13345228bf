"""Two periods made from the sample: the same words with noise of their own, and some words exchanged."""

import numpy as np

import isoalign as ia

WORDS = 1200


def planted_drift(*, seed=0, planted=0, words=WORDS, noise=0.6, unequal=False):
    """Return both periods, and the words whose vectors were exchanged in the second.

    Noise grows with rarity and differs from word to word; the second period is rotated, and its words come in an order
    of frequency of their own.
    """
    rng = np.random.default_rng([seed, planted])
    sample = ia.load_sample().source.head(words)
    X = sample.vectors / np.linalg.norm(sample.vectors, axis=1, keepdims=True)
    X = X[:, :60].astype(np.float64)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    levels = noise * (np.arange(1, words + 1) / words) ** 0.25
    old, new = (
        X + rng.standard_normal(X.shape) * (levels * np.exp(0.2 * rng.standard_normal(words)))[:, None] / 60**0.5
        for _ in range(2)
    )
    chosen = rng.choice(words, planted, replace=False)
    new[chosen] = new[np.roll(chosen, 1)]
    new = new @ np.linalg.qr(rng.standard_normal((60, 60)))[0]
    if unequal:
        new = new @ np.linalg.qr(rng.standard_normal((70, 60)))[0].T
    order = np.argsort(np.arange(words) * np.exp(0.1 * rng.standard_normal(words)))
    keys = sample.index_to_key
    return (
        ia.Embeddings(keys, old.astype(np.float32)),
        ia.Embeddings([keys[row] for row in order], new[order].astype(np.float32)),
        {keys[row] for row in chosen},
    )
