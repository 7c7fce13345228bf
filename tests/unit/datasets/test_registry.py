import re
from collections import Counter

import pytest

from isoalign.datasets import find_dataset, list_datasets

LANGUAGES = """af ar bs ca cs da de el es et fa fi fr he hi hr hu id it ja ko lt lv ms nl pl pt ro ru sk sl sq sv ta
th tr uk vi zh"""


def test_every_name_stands_once_and_every_template_is_filled():
    datasets = list_datasets()
    assert Counter(dataset.family for dataset in datasets) == {
        "fasttext-wiki": 40,
        "fasttext-crawl": 40,
        "muse": 39 * 2 * 3,
        "xling-eval": 28 * 5,
        "word-similarity": 13,
        "muse-similarity": 1,
    }
    assert all(re.fullmatch(r"https://[^{}]+", dataset.url) for dataset in datasets)


@pytest.mark.parametrize("lang", LANGUAGES.split())
def test_the_papers_languages_have_vectors_and_dictionaries(lang):
    assert find_dataset(f"wiki.{lang}.vec").sha1
    assert find_dataset(f"cc.{lang}.300.vec.gz").licence == "CC-BY-SA-3.0"
    for pair in (f"en-{lang}", f"{lang}-en"):
        for part in ("", ".0-5000", ".5000-6500"):
            assert find_dataset(f"{pair}{part}.txt").licence == "CC-BY-NC-4.0"


def test_checksums_have_their_form_and_source():
    for dataset in list_datasets():
        assert re.fullmatch(r"[0-9a-f]{64}", dataset.sha256 or "0" * 64)
        assert re.fullmatch(r"[0-9a-f]{40}", dataset.sha1 or "0" * 40)
        assert dataset.checksums_from or not (dataset.sha256 or dataset.sha1)


def test_a_pattern_chooses_by_name_or_family():
    assert len(list_datasets("wiki.e?.vec")) == 4
    assert {dataset.family for dataset in list_datasets("xling*")} == {"xling-eval"}
