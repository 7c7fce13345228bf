"""Composition of new tokens from old ones, and the rule for each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import column_mean, row_blocks
from isoalign._core.display import Tabular
from isoalign._core.threads import map_threads
from isoalign._core.types import DoubleVector, FloatVector, IntVector, Matrix, MatrixLike
from isoalign._core.validate import check_count, check_finite
from isoalign.errors import ShapeError
from isoalign.transfer._tokens import Tokens

__all__ = ["BY_NAME", "NEIGHBORS", "NO_EVIDENCE", "RULES", "SHARED", "UNUSED", "VocabularyTransfer"]

NEIGHBORS, BY_NAME, SHARED, NO_EVIDENCE, UNUSED = range(5)
RULES = ("neighbors", "name", "shared", "random", "unused")
"""How a row is computed: from the nearest old tokens; as a copy of the special token of that name; as a copy of a token
of that name, if requested and there is no evidence; at random for lack of evidence; at random because no token has the
id."""

_BLOCK_ROWS = 1024


@dataclass(frozen=True, repr=False)
class VocabularyTransfer(Tabular):
    """How every row of a new embedding matrix is computed from an old one.

    Attributes
    ----------
    old, new
        Tokens of the old and of the new tokenizer.
    rules
        (new tokens,): indices into `RULES`.
    rows
        (new tokens, k): the old tokens that a new one is composed of, nearest first.
    weights
        (new tokens, k): their weights, which sum to 1, or zeros if a row is random.
    cosines
        (new tokens, k): their cosines in the shared space.
    about
        Members, evidence and settings: JSON values.
    """

    old: Tokens
    new: Tokens
    rules: NDArray[np.int8]
    rows: IntVector
    weights: DoubleVector
    cosines: FloatVector
    about: Mapping[str, Any] = field(default_factory=dict)

    columns: ClassVar = ("id", "token", "text", "rule", "made_of", "cosine")

    def __len__(self) -> int:
        return len(self.rules)

    def apply(self, E: MatrixLike, *, pad_to: int = 1, random_state: int = 0) -> Matrix:
        """Compute the new matrix.

        Tokens without evidence are drawn from a normal distribution with the mean and the standard deviation of each
        column. Matrices that are equal stay equal, so tied embeddings stay tied.

        Parameters
        ----------
        E
            (n, d): one row per old token; further rows, which pad the matrix, are ignored. (n,) for an output bias.
        pad_to
            Add rows until their number is a multiple of this.
        random_state
            Seed of random rows.

        Returns
        -------
        ndarray
            (new tokens and padding, d), or without the second axis, float32.
        """
        E = np.asarray(E)
        if E.ndim not in (1, 2) or len(E) < len(self.old):
            raise ShapeError(
                f"The old matrix must have a row for each of the {len(self.old):,} tokens of its tokenizer. Got shape "
                f"{E.shape}. Is it the tokenizer of another model?"
            )
        rows = E[: len(self.old)].reshape(len(self.old), -1)
        check_finite(rows, name="The old matrix")
        n_rows = -(-len(self) // check_count(pad_to, name="pad_to")) * pad_to
        made = np.empty((n_rows, rows.shape[1]), dtype=np.float32)

        def fill(block: slice) -> None:
            total = np.zeros((block.stop - block.start, rows.shape[1]))
            for place in range(self.rows.shape[1]):
                total += self.weights[block, place, None] * rows[self.rows[block, place]]
            made[block] = total

        map_threads(fill, row_blocks(len(self), _BLOCK_ROWS))
        drawn = np.append(np.flatnonzero(self.rules >= NO_EVIDENCE), np.arange(len(self), n_rows))
        mean, rng = column_mean(rows), np.random.default_rng(random_state)
        spread = np.sqrt(sum(((rows[block] - mean) ** 2).sum(axis=0) for block in row_blocks(len(rows))) / len(rows))
        for block in row_blocks(len(drawn), _BLOCK_ROWS):
            numbers = drawn[block]
            made[numbers] = mean + spread * rng.standard_normal((len(numbers), len(mean)))
        return made.reshape(n_rows, *E.shape[1:])

    def copy(self, others: Mapping[int, int], rule: int) -> None:
        """Make new tokens copies of old ones, by a rule."""
        new, old = list(others), list(others.values())
        self.rules[new] = rule
        self.weights[new], self.cosines[new] = 0, 0
        self.rows[new, 0], self.weights[new, 0] = old, 1

    def counts(self) -> dict[str, int]:
        """Return the number of tokens by rule."""
        return {rule: int((self.rules == number).sum()) for number, rule in enumerate(RULES)}

    def neighbors(self, number: int) -> list[tuple[str, float, float]]:
        """Return name, weight and cosine of the old tokens that a new one is composed of, nearest first."""
        kept = np.flatnonzero(self.weights[number])
        names = [str(self.old.names[row]) for row in self.rows[number, kept].tolist()]
        columns = zip(names, self.weights[number, kept].tolist(), self.cosines[number, kept].tolist(), strict=True)
        return list(columns)

    def examples(self, n: int = 20) -> list[dict[str, Any]]:
        """Return some tokens with their neighbours, spread evenly over the new vocabulary."""
        made = np.flatnonzero(self.rules == NEIGHBORS)
        chosen = made[np.linspace(0, len(made) - 1, min(n, len(made))).astype(np.int64)]
        return [
            {
                "token": self.new.names[number],
                "neighbors": [
                    {"token": name, "weight": weight, "cosine": cosine}
                    for name, weight, cosine in self.neighbors(number)
                ],
            }
            for number in chosen.tolist()
        ]

    def without_evidence(self) -> list[str]:
        """Return the tokens with random rows."""
        return [str(self.new.names[number]) for number in np.flatnonzero(self.rules == NO_EVIDENCE).tolist()]

    def to_dict(self) -> dict[str, Any]:
        """Return settings, counts, examples and tokens without evidence as JSON values."""
        return {
            **self.about,
            "tokens": {"source": len(self.old.ids), "target": len(self.new.ids)},
            "rules": self.counts(),
            "examples": self.examples(),
            "without_evidence": self.without_evidence(),
        }

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per new token, by column."""
        return [
            {
                "id": number,
                "token": self.new.names[number],
                "text": self.new.texts[number],
                "rule": RULES[rule],
                "made_of": ", ".join(f"{name} {weight:.2f}" for name, weight, _ in self.neighbors(number)),
                "cosine": float(self.cosines[number, 0]) if rule == NEIGHBORS else None,
            }
            for number, rule in enumerate(self.rules.tolist())
        ]

    def __repr__(self) -> str:
        counts = ", ".join(f"{count:,} {rule}" for rule, count in self.counts().items() if count)
        return f"VocabularyTransfer({len(self.old):,} → {len(self):,} tokens: {counts})"
