"""Lists of words, with and without scores."""

import pytest

from isoalign.errors import FormatError
from isoalign.io import read_scores, read_words


def test_words_may_hold_spaces_and_come_once(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("New York\ncat\t0.5\n\ncat\n# a comment\n", encoding="utf-8")
    assert read_words(path) == ["New York", "cat"]


def test_scores_are_read_below_a_header_or_without(tmp_path):
    path = tmp_path / "gold.txt"
    path.write_text("word\tchange\nattack_nn\t0.1439\nNew York\t0\n", encoding="utf-8")
    assert read_scores(path) == {"attack_nn": 0.1439, "New York": 0.0}
    path.write_text("cat 1\ndog 0.25\n", encoding="utf-8")
    assert read_scores(path) == {"cat": 1.0, "dog": 0.25}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "contains no words with scores"),
        ("cat\t1\ndog\tmuch\n", r":2: expected a score in the second column, got 'much'"),
        ("cat\t1\ncat\t2\n", "'cat' occurs twice"),
        ("cat\tnan\n", "expected a score"),
    ],
    ids=["empty", "no number", "twice", "not a number"],
)
def test_bad_lists_are_refused(tmp_path, content, message):
    path = tmp_path / "gold.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_scores(path)


def test_an_empty_list_is_refused(tmp_path):
    (tmp_path / "words.txt").write_text("\n")
    with pytest.raises(FormatError, match="contains no words"):
        read_words(tmp_path / "words.txt")
