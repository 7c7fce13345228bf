"""Train a document classifier on English texts and use it on Japanese ones.

    python examples/classify_across_languages.py

A text becomes the mean of its words' vectors in the shared space, so texts of all languages can be compared. The
classifier chooses the nearest of the mean texts of each topic. ``data/topics.tsv`` holds 40 English and 40 Japanese
sentences about five topics, written for this example: it shows how it is done, and is no benchmark.
"""

import re
from pathlib import Path

import numpy as np

import isoalign as ia

TEXTS = Path(__file__).parent / "data" / "topics.tsv"


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


def embed(model: ia.Alignment, lang: str, texts: list[str]) -> np.ndarray:
    """Return the mean vector of each text, of unit length; frequent words count less."""
    words, rows = model.raw(lang), []
    for text in texts:
        places = words.find_rows(split_words(text, words, lang))
        rows.append((model.space(lang)[places] * np.log1p(places)[:, None]).sum(axis=0))
    return np.stack(rows) / np.linalg.norm(rows, axis=1, keepdims=True)


def classify(train: np.ndarray, labels: np.ndarray, texts: np.ndarray) -> np.ndarray:
    """Return the topic whose mean training text is nearest."""
    topics = np.unique(labels)
    centers = np.stack([train[labels == topic].mean(axis=0) for topic in topics])
    return topics[np.argmax(texts @ (centers / np.linalg.norm(centers, axis=1, keepdims=True)).T, axis=1)]


sample = ia.load_sample()
model = ia.join({"en": sample.source, "ja": sample.target}, {("en", "ja"): sample.train})
lines = [line.split("\t") for line in TEXTS.read_text("utf-8").split("\n") if line]
vectors = {lang: embed(model, lang, [text for own, _, text in lines if own == lang]) for lang in model}
labels = {lang: np.array([topic for own, topic, _ in lines if own == lang]) for lang in model}
for lang in model:
    others = ~np.eye(len(labels[lang]), dtype=bool)  # each text is judged by the classifier of the other texts
    found = [classify(vectors[lang][mask], labels[lang][mask], vectors[lang][~mask])[0] for mask in others]
    print(f"{lang} → {lang}: {np.mean(found == labels[lang]):.0%} of {len(found)} texts (each left out in turn)")
print(f"en → ja: {np.mean(classify(vectors['en'], labels['en'], vectors['ja']) == labels['ja']):.0%} of 40 texts")
print(f"ja → en: {np.mean(classify(vectors['ja'], labels['ja'], vectors['en']) == labels['en']):.0%} of 40 texts")
