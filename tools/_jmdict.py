"""Turn JMdict, as the SQLite file of jamdict, into pairs of an English and a Japanese word."""

import lzma
import re
import shutil
import sqlite3
import tarfile
from collections import defaultdict
from collections.abc import Container, Iterator
from pathlib import Path

__all__ = ["translation_pairs", "unpack_database"]

_COMMON = {"ichi1", "news1", "spec1", "spec2", "gai1"}  # marked as (P) in JMdict
_USUALLY_KANA = "word usually written using kana alone"
_MARGINAL = {
    "Internet slang",
    "abbreviation",
    "archaism",
    "children's language",
    "colloquialism",
    "dated term",
    "derogatory",
    "historical term",
    "manga slang",
    "obscure term",
    "obsolete term",
    "rare",
    "slang",
    "vulgar expression or word",
}
_ASIDE = re.compile(r"\s*\([^)]*\)\s*")  # "cat (esp. the domestic cat)"
_PARTICLE = re.compile(r"^(?:to|an?|the) ")
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")


def unpack_database(sdist: Path, folder: Path) -> Path:
    """Unpack ``jamdict.db`` of a jamdict-data source distribution into a folder."""
    database = folder / "jamdict.db"
    with tarfile.open(sdist) as archive:
        member = next(name for name in archive.getnames() if name.endswith("/jamdict.db.xz"))
        packed = archive.extractfile(member)
        assert packed is not None
        with lzma.open(packed) as unpacked, database.open("wb") as file:
            shutil.copyfileobj(unpacked, file)
    return database


def translation_pairs(database: Path, english: Container[str], japanese: Container[str]) -> list[tuple[str, str]]:
    """Return English–Japanese pairs inside two vocabularies, in the order of the dictionary, each once.

    Only entries that JMdict marks as common (P) count, and of those the first sense unless it is marked as slang,
    dated, an abbreviation or the like; single English words after dropping remarks in parentheses, "to" and articles.
    An entry counts in all its spellings, since the vectors know words by Sudachi's normal form, which is often not
    the spelling that carries the mark. A kana reading counts only where kana is how the word is written: こと is
    "thing", not the reading of 琴 "zither".
    """
    pairs: dict[tuple[str, str], None] = {}
    connection = sqlite3.connect(database)
    try:
        for spellings, glosses in _common_entries(connection):
            words = [spelling for spelling in spellings if spelling in japanese]
            for gloss in glosses:
                source = _PARTICLE.sub("", _ASIDE.sub(" ", gloss).strip().lower())
                if words and _WORD.fullmatch(source) and source in english:
                    pairs.update(dict.fromkeys((source, word) for word in words))
    finally:
        connection.close()
    return list(pairs)


def _common_entries(connection: sqlite3.Connection) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the spellings and the English words of the first sense of every common entry."""
    common = _common_ids(connection)
    kanji = _grouped(connection, "SELECT idseq, text FROM Kanji ORDER BY ID")
    kana = _grouped(connection, "SELECT idseq, text FROM Kana ORDER BY ID")
    remarks = _grouped(connection, "SELECT sid, text FROM misc")
    glosses = _grouped(connection, "SELECT sid, text FROM SenseGloss WHERE lang = 'eng' ORDER BY rowid")
    for entry, sense in connection.execute("SELECT idseq, min(ID) FROM Sense GROUP BY idseq ORDER BY idseq"):
        if entry not in common or not _MARGINAL.isdisjoint(remarks[sense]):
            continue
        written_in_kana = not kanji[entry] or _USUALLY_KANA in remarks[sense]
        yield kanji[entry] + (kana[entry] if written_in_kana else []), glosses[sense]


def _common_ids(connection: sqlite3.Connection) -> set[int]:
    marks = ", ".join(f"'{mark}'" for mark in sorted(_COMMON))
    query = " UNION ".join(
        f"SELECT idseq FROM {form} JOIN {priority} ON {form}.ID = {priority}.kid WHERE {priority}.text IN ({marks})"
        for form, priority in (("Kanji", "KJP"), ("Kana", "KNP"))
    )
    return {entry for (entry,) in connection.execute(query)}


def _grouped(connection: sqlite3.Connection, query: str) -> defaultdict[int, list[str]]:
    groups: defaultdict[int, list[str]] = defaultdict(list)
    for key, text in connection.execute(query):
        groups[key].append(text)
    return groups
