"""How much one request, and all requests together, may ask for."""

from dataclasses import dataclass

__all__ = ["LIMITS", "Limits"]


@dataclass(frozen=True)
class Limits:
    """Bounds that keep one client from taking the server away from the others.

    Attributes
    ----------
    k
        Most translations or neighbours of a word.
    words
        Most words in one request.
    word_length
        Most characters of a word or a filter.
    completions
        Most completions of a prefix.
    pairs
        Most dictionary pairs in one JSON answer; a TSV download holds all.
    body
        Bytes of a request's body.
    batch
        Words answered by one product. More would make the words behind them wait for longer than a blink.
    pages
        The same for words whose neighbours are asked for, each of which brings a handful of others.
    waiting
        Words that may wait for an answer at one time; requests beyond are told to come back.
    connections
        Connections open at one time.
    patience
        Seconds that a client has to send a request, or to take the next part of an answer.
    answer
        Seconds that a request may wait for its answer.
    """

    k: int = 100
    words: int = 1000
    word_length: int = 200
    completions: int = 50
    pairs: int = 1000
    body: int = 2**20
    batch: int = 32
    pages: int = 4
    waiting: int = 1024
    connections: int = 256
    patience: float = 10.0
    answer: float = 60.0


LIMITS = Limits()
"""The limits that the server and its description state."""
