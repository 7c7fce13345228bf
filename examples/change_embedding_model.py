"""Change the embedding model without re-indexing: map old vectors to the new space, and count preserved neighbours.

    python examples/change_embedding_model.py OLD.vec NEW.vec

Without arguments, the new model is synthetic: the embedded English sample, rotated, shifted and with noise.
"""

import sys

import numpy as np

import isoalign as ia
from isoalign.migration import evaluate_adapter, join_items, judge_migration


def made_up_change(old: ia.Embeddings) -> ia.Embeddings:
    """Return the same words in a rotated, shifted and noisy space."""
    rng = np.random.default_rng(0)
    dim = old.vector_size
    rotation = np.linalg.qr(rng.standard_normal((dim, dim)))[0]
    spread = old.vectors.std()
    moved = (
        old.vectors @ rotation
        + spread * rng.standard_normal(dim)
        + 0.5 * spread * rng.standard_normal(old.vectors.shape)
    )
    return ia.Embeddings(old.index_to_key, moved.astype(np.float32), lang=old.lang)


def main(old: ia.Embeddings, new: ia.Embeddings) -> None:
    """Fit on half of the shared words; on the other half compare the new index with the mapped old one."""
    X, Y = join_items(old, new)
    order = np.random.default_rng(0).permutation(len(X))
    fitted, held_out = order[: len(X) // 2], order[len(X) // 2 :][:1000]
    adapter = ia.fit_adapter(X[fitted], Y[fitted], use="corpus", method="shrunk")
    result = evaluate_adapter(adapter, X[held_out], Y[held_out])
    print(f"{result.n} held-out words, 10 nearest neighbours in the new index:")
    print(f"  {result.systems['adapted']['kept@10'].value:.1%} of the neighbours survive")
    print(f"  verdict: {judge_migration(result, None)}")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        main(ia.read_vectors(sys.argv[1]), ia.read_vectors(sys.argv[2]))
    else:
        sample = ia.load_sample().source
        main(sample, made_up_change(sample))
