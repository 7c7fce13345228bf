r"""An induced dictionary as the table that fast_align writes, which Trans-Tokenization reads.

.. math:: p(b|a) = \frac{\exp(\cos(a, b)/\tau)}{\sum_{b'} \exp(\cos(a, b')/\tau)}, \quad
          n(a, b) = \max(10, 10 \, V \, p(b|a) / \mathrm{rank}(a))

b runs over the translations of the old word a in the dictionary, V is the number of old words. Counts represent how
often the two occur together, with frequencies by Zipf's law; Trans-Tokenization drops pairs with counts below 10.
"""

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np

from isoalign.transfer._tokens import Tokens
from isoalign.translation import InducedDictionary
from isoalign.vectors import Embeddings

__all__ = ["list_fast_align"]

_TEMPERATURE, _LEAST = 0.1, 10
_JOINT = "—"  # separator of Trans-Tokenization between the tokens of a word


def list_fast_align(
    found: InducedDictionary, source: Embeddings, *, tokens: tuple[Tokens, Tokens] | None = None
) -> list[tuple[str, str, str, str]]:
    """Return a row for each pair: old word, new word, log-probability of the new one given the old, count.

    Parameters
    ----------
    found
        Induced from old words to new ones.
    source
        The old words, most frequent first.
    tokens
        Tokens of the old and of the new tokenizer: words are then written as their tokens, which is what
        Trans-Tokenization expects. Pairs with a word that a tokenizer does not know are skipped.
    """
    rows = []
    spell_old, spell_new = map(_Speller, tokens or (None, None))
    for word, group in groupby(found, key=lambda entry: entry.source):
        entries = list(group)
        values = np.array([entry.cosine for entry in entries]) / _TEMPERATURE
        logs = values - values.max()
        logs -= math.log(np.exp(logs).sum())
        frequency = _LEAST * len(source) / (source.get_index(word) + 1)
        for entry, log in zip(entries, logs.tolist(), strict=True):
            old, new = spell_old(entry.source), spell_new(entry.target)
            if old and new:
                rows.append((old, new, f"{log:.6g}", str(max(_LEAST, round(frequency * math.exp(log))))))
    return rows


class _Speller:
    """Return words unchanged, or as their tokens after a space; empty for words with unknown parts."""

    def __init__(self, tokens: Tokens | None) -> None:
        self._tokens = tokens

    def __call__(self, word: Any) -> str:
        if self._tokens is None:
            return str(word)
        numbers: Sequence[int] = self._tokens.encode([f" {word}"])[0].tolist()
        if not self._tokens.special.isdisjoint(numbers):
            return ""
        return _JOINT.join(str(self._tokens.names[number]) for number in numbers)
