"""Make a dictionary for a language that has only a short word list.

    python examples/dictionary_for_a_small_language.py SOURCE.vec TARGET.vec WORDLIST.txt DICTIONARY.csv

Without arguments, Japanese takes the place of the small language: 500 words of the embedded dictionary are the word
list, and held-out words show how good the new entries are.
"""

import sys

import isoalign as ia


def grow(source: ia.Embeddings, target: ia.Embeddings, known: ia.Lexicon, file: str) -> ia.Alignment:
    """Align with the word list, and write all pairs of words that are each other's best translation."""
    model = ia.align(source, target, known)
    entries = ia.induce_dictionary(model, mutual=True, min_margin=0.05)
    ia.write_lexicon(ia.Lexicon((entry.source, entry.target) for entry in entries), file)
    words = {word for word, _ in known}
    new = sorted((entry for entry in entries if entry.source not in words), key=lambda entry: -entry.score)
    print(f"{len(words)} known words, {len(entries):,} entries in {file}, {len(new):,} of new words. The clearest:")
    for entry in new[:8]:
        print(f"  {entry.source:14} {entry.target:8} {entry.score:.2f}")
    return model


def main() -> None:
    """Use files, or the sample."""
    if len(sys.argv) == 5:
        source, target = map(ia.read_vectors, sys.argv[1:3])
        grow(source, target, ia.read_lexicon(sys.argv[3]), sys.argv[4])
        return
    sample = ia.load_sample()
    words = set(list(dict.fromkeys(word for word, _ in sample.train))[:500])
    known = ia.Lexicon(pair for pair in sample.train if pair[0] in words)
    model = grow(sample.source, sample.target, known, "dictionary.csv")
    print("Checked with 1,000 held-out words:", ia.evaluate_bli(model, sample.test, ks=(1, 5)))


if __name__ == "__main__":
    main()
