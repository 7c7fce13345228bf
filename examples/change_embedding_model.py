"""Change the embedding model without re-indexing: map old vectors into the new space, and count what survives.

    python examples/change_embedding_model.py OLD.vec NEW.vec

Without arguments the new model is the embedded English sample, turned, shifted and with noise: a made-up change.
"""

import sys

import numpy as np

import isoalign as ia
from isoalign.neighbors import top_k


def made_up_change(old: ia.Embeddings) -> ia.Embeddings:
    """Return the same words in a space of their own."""
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


def main(old: ia.Embeddings, new: ia.Embeddings, k: int = 10) -> None:
    """Learn from half of the shared words; on the other half compare neighbours in the new index."""
    learn, held_out = ia.seed_lexicon(old, new, "identical").split(0.5, random_state=0)
    model = ia.align(old, new, learn, method="procrustes")
    rows = held_out.row_pairs(old, new)[:1000]
    index = model.space("target")
    mapped = top_k(model.space("source")[rows[:, 0]], index, k)[1]
    true = top_k(index[rows[:, 1]], index, k)[1]
    kept = np.mean([len(set(a) & set(b)) / k for a, b in zip(mapped.tolist(), true.tolist(), strict=True)])
    first = np.mean([row in near for row, near in zip(rows[:, 1].tolist(), mapped.tolist(), strict=True)])
    print(f"{len(rows)} held-out words, {k} nearest neighbours in the new index:")
    print(f"  {kept:.1%} of the neighbours survive; {first:.1%} of the words find themselves among them")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        main(ia.read_vectors(sys.argv[1]), ia.read_vectors(sys.argv[2]))
    else:
        sample = ia.load_sample().source
        main(sample, made_up_change(sample))
