"""Search Japanese texts with English queries.

    python examples/search_across_languages.py

A text becomes the mean of its words' vectors in the shared space, so texts of all languages can be compared.
``data/topics.tsv`` contains 40 English and 40 Japanese sentences about five topics, written for this example. They
show how to search, and are not a benchmark.
"""

import re
from pathlib import Path

import numpy as np

import isoalign as ia

TEXTS = Path(__file__).parent / "data" / "topics.tsv"
QUERIES = ("fresh fish for dinner", "the team lost the match", "doctors and hospitals", "stock market and prices")


def split_words(text: str, known: ia.Embeddings, lang: str) -> list[str]:
    """Return the known words of a text; Japanese has no spaces and is split greedily into the longest known words."""
    if lang != "ja":
        return [word for word in re.findall(r"\w+", text.lower()) if word in known]
    words, place = [], 0
    while place < len(text):
        size = next((size for size in range(8, 0, -1) if text[place : place + size] in known), 0)
        words += [text[place : place + size]] if size else []
        place += size or 1
    return words


def embed(model: ia.Alignment, lang: str, texts: list[str]) -> np.ndarray:
    """Return the mean vector of each text, scaled to unit length; frequent words count less."""
    words, rows = model.raw(lang), []
    for text in texts:
        places = words.find_rows(split_words(text, words, lang))
        rows.append((model.space(lang)[places] * np.log1p(places)[:, None]).sum(axis=0))
    return np.stack(rows) / np.linalg.norm(rows, axis=1, keepdims=True)


sample = ia.load_sample()
model = ia.align(sample.source, sample.target, sample.train, method="vecmap")
lines = [line.split("\t") for line in TEXTS.read_text("utf-8").split("\n") if line]
english, japanese = ([line for line in lines if line[0] == lang] for lang in ("en", "ja"))
index = embed(model, "ja", [text for *_, text in japanese])

for query, scores in zip(QUERIES, embed(model, "en", list(QUERIES)) @ index.T, strict=True):
    print(query)
    for place in np.argsort(-scores)[:2]:
        print(f"  {scores[place]:.2f}  {japanese[place][2]}  ({japanese[place][1]})")

best = np.argmax(embed(model, "en", [text for *_, text in english]) @ index.T, axis=1)
right = sum(one[1] == japanese[place][1] for one, place in zip(english, best, strict=True))
print(f"Nearest Japanese sentence about the same topic: {right} of {len(english)} English sentences")
