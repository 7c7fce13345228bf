import io
import json
import sqlite3
import zipfile

import numpy as np
import pytest

from tools._jmdict import translation_pairs
from tools._spacy_vectors import hash_word, read_wheel, unpack_integers
from tools.build_sample import choose_test_words, quantize


def test_words_are_hashed_as_spacy_documents():
    assert hash_word("coffee") == 3197928453018144401  # https://spacy.io/usage/spacy-101#vocab


def pack(numbers):
    return b"\xdf" + (len(numbers) // 2).to_bytes(4) + b"".join(b"\xcf" + number.to_bytes(8) for number in numbers)


def test_integers_of_every_width_are_unpacked():
    packed = (
        b"\xdf\x00\x00\x00\x03" + b"\x05" + b"\xcc\xff" + b"\xcd\x01\x00" + b"\xce\x00\x01\x00\x00" + pack([7, 8])[5:]
    )
    assert list(unpack_integers(packed)) == [5, 255, 256, 65536, 7, 8]


def test_another_type_than_a_map_is_refused():
    with pytest.raises(ValueError, match="0x93"):
        list(unpack_integers(b"\x93\x01\x02\x03"))


def test_a_row_has_its_first_key_and_a_word_its_first_casing(tmp_path):
    rows = [("The", 0), ("pruned", 0), ("cat", 2), ("the", 1), ("PERSON", 3), ("dog", 4)]
    keys = [number for word, row in rows for number in (380 if word == "PERSON" else hash_word(word), row)]
    table = io.BytesIO()
    np.save(table, np.arange(10, dtype=np.float32).reshape(5, 2))
    with zipfile.ZipFile(tmp_path / "x.whl", "w") as archive:
        archive.writestr("x/x-1.0/vocab/key2row", pack(keys))
        archive.writestr("x/x-1.0/vocab/strings.json", json.dumps([word for word, _ in rows]))
        archive.writestr("x/x-1.0/vocab/vectors", table.getvalue())
    words, vectors = read_wheel(tmp_path / "x.whl", 3)
    assert words == ["the", "cat", "dog"]
    np.testing.assert_array_equal(vectors, [[0, 1], [4, 5], [8, 9]])


@pytest.fixture
def jmdict(tmp_path):
    """A dictionary with a common, a kana, a rare, a slang and a many-spelled entry."""
    path = tmp_path / "jamdict.db"
    connection = sqlite3.connect(path)
    for table in ("Kanji (ID INTEGER, idseq INTEGER, text TEXT)", "Kana (ID INTEGER, idseq INTEGER, text TEXT)"):
        connection.execute(f"CREATE TABLE {table}")
    for table in ("KJP (kid, text)", "KNP (kid, text)", "misc (sid, text)", "SenseGloss (sid, lang, text)"):
        connection.execute(f"CREATE TABLE {table}")
    connection.execute("CREATE TABLE Sense (ID INTEGER, idseq INTEGER)")
    connection.executemany(
        "INSERT INTO Kanji VALUES (?, ?, ?)",
        [
            (1, 10, "猫"),
            (2, 11, "琴"),
            (3, 12, "珍"),
            (4, 13, "奴"),
            (5, 14, "食べる"),
            (6, 14, "喰べる"),
            (7, 15, "事"),
        ],
    )
    connection.executemany(
        "INSERT INTO Kana VALUES (?, ?, ?)",
        [(1, 10, "ねこ"), (2, 11, "こと"), (3, 15, "こと"), (4, 16, "パン")],
    )
    connection.executemany(
        "INSERT INTO KJP VALUES (?, ?)", [(1, "ichi1"), (2, "news1"), (3, "nf20"), (4, "ichi1"), (5, "ichi1")]
    )
    connection.executemany("INSERT INTO KNP VALUES (?, ?)", [(3, "spec1"), (4, "gai1")])
    connection.executemany("INSERT INTO Sense VALUES (?, ?)", [(i - 9, i) for i in range(10, 17)] + [(50, 10)])
    connection.executemany(
        "INSERT INTO misc VALUES (?, ?)", [(4, "slang"), (6, "word usually written using kana alone")]
    )
    connection.executemany(
        "INSERT INTO SenseGloss VALUES (?, 'eng', ?)",
        [
            (1, "cat (esp. the domestic cat)"),
            (1, "Feline"),
            (50, "shamisen"),
            (2, "zither"),
            (3, "rarity"),
            (4, "fellow"),
            (5, "to eat"),
            (5, "to live on"),
            (6, "a thing"),
            (7, "bread"),
            (7, "bread (loaf)"),
        ],
    )
    connection.commit()
    connection.close()
    return path


class Everything:
    def __contains__(self, word):
        return True


def test_common_entries_give_single_words_of_their_first_sense(jmdict):
    assert translation_pairs(jmdict, Everything(), Everything()) == [
        ("cat", "猫"),
        ("feline", "猫"),
        ("zither", "琴"),
        ("eat", "食べる"),
        ("eat", "喰べる"),
        ("thing", "事"),
        ("thing", "こと"),
        ("bread", "パン"),
    ]


def test_pairs_lie_inside_both_vocabularies(jmdict):
    assert translation_pairs(jmdict, {"cat", "eat", "bread"}, {"猫", "喰べる"}) == [("cat", "猫"), ("eat", "喰べる")]


def test_quantized_rows_lie_within_half_a_step():
    X = np.random.default_rng(0).normal(size=(50, 20)).astype(np.float32) * np.logspace(-3, 3, 50)[:, None].astype("f4")
    rows, scales = quantize(X)
    assert rows.dtype == np.int8
    assert np.abs(rows).max(axis=1).tolist() == [127] * 50
    assert (np.abs(rows * scales[:, None] - X) <= 0.501 * scales[:, None]).all()


def test_a_test_word_stays_one_when_other_words_leave():
    words = {f"w{i}" for i in range(3000)}
    chosen = choose_test_words(words)
    assert len(chosen) == 1000
    assert chosen <= choose_test_words(words - {"w0", "w1"}) | {"w0", "w1"}
