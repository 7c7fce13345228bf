from isoalign.vocabulary import Vocabulary
from isoalign.web._completion import CompletionIndex

WORDS = ["the", "The", "girl", "then", "girls", "ネコ", "猫", "Ⅷ", "thé", "שלום", "\U0010ffffx", ""]
INDEX = CompletionIndex(Vocabulary(WORDS))


def complete(prefix, limit=10):
    return [WORDS[row] for row in INDEX.complete(prefix, limit)]


def test_the_word_itself_comes_first_and_then_the_most_frequent():
    assert complete("the") == ["the", "The", "then"]
    assert complete("girls") == ["girls"]


def test_case_and_width_do_not_matter():
    assert complete("ＧＩ") == ["girl", "girls"]
    assert complete("ﾈｺ") == ["ネコ"]


def test_any_script_is_completed():
    assert complete("שלו") == ["שלום"]
    assert complete("猫") == ["猫"]


def test_the_last_character_of_unicode_is_found_too():
    assert complete("\U0010ffff") == ["\U0010ffffx"]


def test_no_prefix_gives_the_most_frequent_words_within_the_limit():
    assert complete("", 4) == ["", "the", "The", "girl"]


def test_an_unknown_beginning_completes_to_nothing():
    assert complete("q") == []


def test_suggestions_share_the_longest_beginning():
    assert INDEX.suggest("girlx", 5) == (4, ["girl", "girls"])
    assert INDEX.suggest("q", 5) == (0, [])
