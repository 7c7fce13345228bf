r"""New token embeddings as weighted sums of old ones (WECHSEL, Minixhofer et al. 2022).

.. math:: e_t = \sum_{s \in N_k(t)} \frac{\exp(\cos(u_t, v_s)/\tau)}{\sum_{s' \in N_k(t)} \exp(\cos(u_t, v_{s'})/\tau)}
          \, e_s

u and v are static vectors of the new and the old tokens in one space, N the k nearest old tokens.
"""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from isoalign._core.progress import ProgressLike, as_progress, ignore_progress
from isoalign._core.validate import check_choice, check_count, check_number
from isoalign.alignment import Alignment, Member, Pair
from isoalign.errors import ParameterError
from isoalign.neighbors import top_k
from isoalign.transfer._result import BY_NAME, NEIGHBORS, NO_EVIDENCE, SHARED, UNUSED, VocabularyTransfer
from isoalign.transfer._token_vectors import (
    TokenVectors,
    bring_together,
    vectors_from_subwords,
    vectors_from_words,
    word_frequencies,
)
from isoalign.transfer._tokens import Tokens, read_tokens

__all__ = ["transfer_vocabulary"]

Evidence = Literal["auto", "subwords", "words"]
Counts = Mapping[str, float] | None


def transfer_vocabulary(
    model: Alignment,
    source_tokenizer: Any,
    target_tokenizer: Any,
    *,
    source: str | None = None,
    target: str | None = None,
    evidence: Evidence = "auto",
    k: int = 10,
    temperature: float = 0.1,
    special: Mapping[str, str] | None = None,
    copy_shared: bool = False,
    capitalize: bool | None = None,
    counts: tuple[Counts, Counts] = (None, None),
    max_words: int | None = None,
    progress: ProgressLike = ignore_progress,
) -> VocabularyTransfer:
    """Compute how the embedding of every new token is composed of old tokens.

    Parameters
    ----------
    model
        Alignment of the two languages, with vectors.
    source_tokenizer, target_tokenizer
        Current tokenizer of the language model, and the new one: ``tokenizer.json`` files, or objects of ``tokenizers``
        or ``transformers``.
    source, target
        Members: the language of the old tokenizer and of the new one. May be omitted if there are two.
    evidence
        Source of the vectors of tokens: ``"subwords"`` of fastText models, ``"words"`` that tokens occur in,
        weighted by frequency, or ``"auto"``: subwords if both members have them.
    k
        Number of old tokens per new token.
    temperature
        Temperature of the softmax over their cosines; a lower value gives more weight to the nearest.
    special
        Old special tokens by new ones, such as ``{"[CLS]": "<s>"}``, beyond those with the same name.
    copy_shared
        Whether to copy the rows of tokens without evidence that are in both vocabularies, such as punctuation and
        digits, instead of drawing them at random.
    capitalize
        Whether to use capitalised forms of words as evidence too; None: if all words of a member are in lower case.
    counts
        Counts of source words and of target words; None uses 1/rank.
    max_words
        Number of words of each member to use as evidence.
    progress
        Progress callback; True draws a bar.

    Returns
    -------
    VocabularyTransfer
        Its ``apply`` computes the new matrix from an old one.

    Examples
    --------
    >>> found = transfer_vocabulary(model, "en.json", "fr.json")  # doctest: +SKIP
    >>> new = found.apply(old)  # doctest: +SKIP

    References
    ----------
    Minixhofer et al. 2022, "WECHSEL: Effective initialization of subword embeddings for cross-lingual transfer of
    monolingual language models". Its program aligns with Procrustes on raw vectors, whereas this function takes any
    alignment; in contrast to it, special tokens and tokens without evidence are never neighbours here.
    """
    progress = as_progress(progress)
    k = check_count(k, name="k")
    if not check_number(temperature, name="temperature") > 0:
        raise ParameterError(f"temperature must be above 0. Got {temperature}. WECHSEL has 0.1.")
    max_words = None if max_words is None else check_count(max_words, name="max_words")
    pair = model.pair(source, target).reverse()  # new tokens are the queries
    old, new = read_tokens(source_tokenizer), read_tokens(target_tokenizer)
    by_name = _match_special(old, new, special or {})
    evidence = _choose_evidence(pair, evidence)

    def place(tokens: Tokens, member: Member, counted: Counts, to: str | None) -> TokenVectors:
        if evidence == "subwords":
            vectors = vectors_from_subwords(tokens, member.raw, progress=progress)
        else:
            words = member.raw.vocabulary.words[:max_words]
            frequencies = word_frequencies(words, counted)
            vectors = vectors_from_words(
                tokens, words, member.raw.vectors, frequencies, capitalize=capitalize, progress=progress
            )
        return bring_together(tokens, vectors, lambda X: model.apply(X, member.name, to=to))

    vectors = place(old, pair.target, counts[0], None), place(new, pair.source, counts[1], pair.target.name)
    candidates = np.flatnonzero(vectors[0].known)
    queries = np.flatnonzero(vectors[1].known)
    best = top_k(vectors[1].vectors[queries], vectors[0].vectors[candidates], k, progress=progress)
    found = VocabularyTransfer(
        old=old,
        new=new,
        rules=np.full(len(new), UNUSED, dtype=np.int8),
        rows=np.zeros((len(new), best.rows.shape[1]), dtype=np.int64),
        weights=np.zeros((len(new), best.rows.shape[1])),
        cosines=np.zeros((len(new), best.rows.shape[1]), dtype=np.float32),
        about={
            "members": {"source": pair.target.name, "target": pair.source.name},
            "evidence": evidence,
            "frequency": None if evidence == "subwords" else ["1/rank" if one is None else "counts" for one in counts],
            "k": k,
            "temperature": temperature,
            "candidates": len(candidates),
        },
    )
    found.rules[list(new.ids.values())] = NO_EVIDENCE
    found.rules[queries] = NEIGHBORS
    found.rows[queries], found.cosines[queries] = candidates[best.rows], best.scores
    found.weights[queries] = _softmax(best.scores.astype(np.float64) / temperature)
    found.copy(by_name, BY_NAME)
    if copy_shared:
        missing = np.flatnonzero(found.rules == NO_EVIDENCE).tolist()
        found.copy({row: old.ids[name] for row in missing if (name := new.names[row]) in old.ids}, SHARED)
    return found


def _choose_evidence(pair: Pair, evidence: Evidence) -> Evidence:
    """Return the kind of evidence for token vectors."""
    check_choice(evidence, ("auto", "subwords", "words"), name="evidence")
    without = [member.name for member in (pair.source, pair.target) if member.raw.subwords is None]
    if evidence == "subwords" and without:
        raise ParameterError(
            f"evidence='subwords' needs fastText models (.bin) of both members; {', '.join(without)} has vectors of "
            "whole words only. Load the alignment with the .bin files, or use evidence='words'."
        )
    return "words" if without else "subwords" if evidence == "auto" else evidence


def _match_special(old: Tokens, new: Tokens, given: Mapping[str, str]) -> dict[int, int]:
    """Return old tokens by new ones: special tokens with the same name, then those given."""
    same = {
        number: old.ids[name]
        for name, number in new.ids.items()
        if name in old.ids and (number in new.special or old.ids[name] in old.special)
    }
    return same | {new.find(name, what="target"): old.find(other, what="source") for name, other in given.items()}


def _softmax(values: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    shares: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return shares
