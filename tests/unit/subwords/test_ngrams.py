import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoalign.subwords._ngrams import NGrams

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def fnv1a(data: bytes) -> int:
    value = np.uint32(2166136261)
    with np.errstate(over="ignore"):
        for byte in np.frombuffer(data, dtype=np.int8):
            value = np.uint32(value ^ np.uint32(np.int64(byte) & 0xFFFFFFFF)) * np.uint32(16777619)
    return int(value)


def expected_rows(word: str, ngrams: NGrams) -> list[int]:
    """List the rows from whole strings, character by character."""
    marked = f"<{word}>"
    rows = []
    for start in range(len(marked)):
        for n in range(max(ngrams.minn, 1), ngrams.maxn + 1):
            part = marked[start : start + n]
            if len(part) < n or (n == 1 and start in (0, len(marked) - 1)):
                continue
            bucket = fnv1a(part.encode()) % ngrams.bucket
            if ngrams.kept is None:
                rows.append(ngrams.first_row + bucket)
            elif bucket in ngrams.kept[0]:
                rows.append(ngrams.first_row + int(ngrams.kept[1][list(ngrams.kept[0]).index(bucket)]))
    return rows


def pack(words: list[str]) -> tuple[np.ndarray, np.ndarray]:
    encoded = [word.encode() for word in words]
    ends = np.cumsum([len(word) for word in encoded], dtype=np.int64)
    spans = np.stack([ends - [len(word) for word in encoded], ends], axis=1).astype(np.int64).reshape(-1, 2)
    return np.frombuffer(b"".join(encoded), dtype=np.uint8), spans


def test_the_hash_of_ascii_is_the_published_one():
    assert fnv1a(b"foobar") == 0xBF9CF968


@given(st.lists(texts, min_size=1), st.integers(0, 4), st.integers(0, 6), st.integers(1, 1000))
def test_rows_are_those_of_the_hashed_substrings(words, minn, maxn, bucket):
    ngrams = NGrams(minn, maxn, bucket, first_row=50)
    rows, ends = ngrams.find_rows(*pack(words))
    for word, found in zip(words, np.split(rows, ends[:-1]), strict=True):
        assert found.tolist() == ([] if word == "</s>" else expected_rows(word, ngrams))


@given(texts)
def test_pruned_buckets_have_no_row(word):
    ngrams = NGrams(1, 3, 6, first_row=10, kept=(np.array([1, 4]), np.array([1, 0])))
    rows, _ = ngrams.find_rows(*pack([word]))
    assert rows.tolist() == expected_rows(word, ngrams)
    assert set(rows.tolist()) <= {10, 11}


def test_own_rows_come_first_and_the_end_of_sentence_has_nothing_else():
    ngrams = NGrams(3, 3, 100, first_row=10)
    rows, ends = ngrams.find_rows(*pack(["ab", "</s>", "c"]), own_row=5)
    assert ends.tolist() == [3, 4, 6]
    assert [rows[0], rows[3], rows[4]] == [5, 6, 7]


@pytest.mark.parametrize("ngrams", [NGrams(3, 6, 0, 0), NGrams(0, 0, 9, 0), NGrams(4, 3, 9, 0)])
def test_settings_without_ngrams_are_false_and_find_no_rows(ngrams):
    assert not ngrams
    assert len(ngrams.find_rows(*pack(["word"]))[0]) == 0
