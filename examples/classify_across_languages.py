"""Train a document classifier on English texts and use it on Japanese ones.

    python examples/classify_across_languages.py

A text becomes the mean of its words' vectors in the shared space, minus the mean of all texts of its language.
The classifier chooses the topic whose mean text is nearest. ``data/messages.tsv`` contains 120 messages that Django
shows its users, in English and in Japanese translation, labelled with the part of Django that they belong to. A text is
classified by a classifier that saw neither it nor its translation.
"""

import re
from pathlib import Path

import numpy as np

import isoalign as ia

TEXTS = Path(__file__).parent / "data" / "messages.tsv"


def split_words(text: str, known: ia.Embeddings, lang: str) -> list[str]:
    """Return the known words of a text; Japanese has no spaces, so there the longest known word comes first."""
    if lang != "ja":
        return [word for word in re.findall(r"\w+", text.lower()) if word in known]
    words, place = [], 0
    while place < len(text):
        size = next((size for size in range(8, 0, -1) if text[place : place + size] in known), 0)
        words += [text[place : place + size]] if size else []
        place += size or 1
    return words


def embed(model: ia.Alignment, lang: str, texts: tuple[str, ...]) -> np.ndarray:
    """Return the mean vector of each text, of unit length; frequent words count less."""
    words, rows = model.raw(lang), []
    for text in texts:
        places = words.find_rows(split_words(text, words, lang))
        rows.append((model.space(lang)[places] * np.log1p(places)[:, None]).sum(axis=0))
    rows = np.stack(rows) / np.linalg.norm(rows, axis=1, keepdims=True)
    rows -= rows.mean(axis=0)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def classify(train: np.ndarray, labels: np.ndarray, text: np.ndarray) -> str:
    """Return the topic whose mean training text is nearest."""
    topics = np.unique(labels)
    centers = np.stack([train[labels == topic].mean(axis=0) for topic in topics])
    return topics[np.argmax((centers / np.linalg.norm(centers, axis=1, keepdims=True)) @ text)]


sample = ia.load_sample()
model = ia.join({"en": sample.source, "ja": sample.target}, {("en", "ja"): sample.train})
topics, *texts = zip(*(line.split("\t") for line in TEXTS.read_text("utf-8").split("\n") if line), strict=True)
labels, vectors = np.array(topics), {lang: embed(model, lang, own) for lang, own in zip(model, texts, strict=True)}
others = ~np.eye(len(labels), dtype=bool)
print(f"mean over {len(set(topics))} topics of the share of their texts that is recognised, {len(labels)} texts in all")
for train, test in (("en", "en"), ("ja", "ja"), ("en", "ja"), ("ja", "en")):
    found = [classify(vectors[train][rest], labels[rest], vectors[test][row]) for row, rest in enumerate(others)]
    shares = [np.mean(np.array(found)[labels == topic] == topic) for topic in set(topics)]
    print(f"{train} → {test}: {np.mean(shares):.0%}, by chance {1 / len(shares):.0%}")
