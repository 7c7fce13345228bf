"""Bring several languages into one space, and translate between two that share no dictionary.

    python examples/many_languages.py en=EN.vec fr=FR.vec ja=JA.vec en-fr=EN-FR.txt en-ja=EN-JA.txt

Files with one language are vectors, files with two are dictionaries. Without arguments, the third language is Pig
Latin: English words with their first letters moved to the end, and rotated vectors with noise, since the package
contains only two real languages. There is an English-Japanese and an English-Pig-Latin dictionary, and none between the
other two.
"""

import sys

import numpy as np

import isoalign as ia


def say(word: str) -> str:
    """Return a word in Pig Latin."""
    vowel = next((place for place, letter in enumerate(word) if letter in "aeiou"), 0)
    return f"{word[vowel:]}{word[:vowel] or 'w'}ay"


def make_pig_latin(english: ia.Embeddings) -> ia.Embeddings:
    """Return a made-up language: the same meanings in a rotated, noisy space."""
    rng = np.random.default_rng(0)
    rotation = np.linalg.qr(rng.standard_normal((english.vector_size,) * 2))[0]
    noise = 0.5 * english.vectors.std() * rng.standard_normal(english.vectors.shape)
    rows = {say(word): row for row, word in reversed(list(enumerate(english.index_to_key)))}
    vectors = (english.vectors @ rotation + noise).astype(np.float32)
    return ia.Embeddings(list(rows), vectors[list(rows.values())], lang="pig")


def main(given: dict[str, str]) -> None:
    """Join the languages, and translate between every pair."""
    if given:
        spaces = {name: ia.read_vectors(file, lang=name) for name, file in given.items() if "-" not in name}
        pairs = {tuple(name.split("-")): ia.read_lexicon(file) for name, file in given.items() if "-" in name}
    else:
        sample = ia.load_sample()
        spaces = {"en": sample.source, "ja": sample.target, "pig": make_pig_latin(sample.source)}
        known = ia.Lexicon((word, say(word)) for word, _ in sample.train)
        pairs = {("en", "ja"): sample.train, ("en", "pig"): known}
    model = ia.join(spaces, pairs)
    print(model)
    for source, word in (("en", "water"), ("pig", "aterway"), ("ja", "水")):
        for target in (name for name in model.names if name != source and word in spaces[source]):
            best = ia.Translator(model, source=source, target=target).translate(word, k=3)
            print(f"{source:>3} → {target:3}  {word}: {', '.join(found.word for found in best)}")


if __name__ == "__main__":
    main(dict(argument.split("=", 1) for argument in sys.argv[1:]))
