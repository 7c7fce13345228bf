"""Words of a stranger who means harm: what they try is in their names."""

import numpy as np

from isoalign.vectors import Embeddings

HOSTILE_WORDS = (
    "\x1b]0;title\x07",
    "\x1b[2J\x1b[H",
    "\x9b31mred",
    "\u202egnp.exe",
    "\u2066isolated\u2069",
    "over\rwritten",
    "back\x08space",
    "bell\x07",
    "nul\x00byte",
    "=cmd|'/C'!A0",
    "@SUM(1)",
    "<script>alert(1)</script>",
    r"\input{secret}",
    "[link](javascript:alert(1))",
    "{{template}}",
    "../../escape",
    "'; DROP TABLE words; --",
    "%s%n",
    "",
)
CONTROLS = frozenset("\x1b\x07\x08\x00\x9b\u202e\u2066\u2069\x7f")


def hostile_vectors(dim: int = 4) -> Embeddings:
    """Return a vector for each hostile word that text can keep, and for some plain ones, the same every time."""
    words = [word for word in HOSTILE_WORDS if word and " " not in word] + [f"plain{row}" for row in range(12)]
    return Embeddings(words, np.random.default_rng(0).standard_normal((len(words), dim), dtype=np.float32))
