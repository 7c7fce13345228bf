"""Limits of one request, and of all requests together."""

from dataclasses import dataclass

__all__ = ["LIMITS", "Limits"]


@dataclass(frozen=True)
class Limits:
    """Limits that keep one client from blocking the others.

    Attributes
    ----------
    k
        Translations or neighbours of a word.
    words
        Words in one request.
    word_length
        Characters of a word or a filter.
    completions
        Completions of a prefix.
    pairs
        Dictionary pairs in one JSON answer; a TSV download holds all.
    body
        Bytes of the body of a request.
    batch
        Words answered by one product; more would make other requests wait noticeably.
    pages
        The same for requests about neighbours, which translate several words for each one asked for.
    waiting
        Words waiting for an answer at one time; further requests are refused with status 503.
    connections
        Connections open at one time.
    patience
        Seconds that a client has to send a request, or to read the next part of an answer.
    answer
        Seconds that a request may wait for its answer.
    glance
        Seconds that a request for all languages waits for CSLS means that are not known yet.
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
    glance: float = 2.0


LIMITS = Limits()
"""Default limits, which the description of the interface states."""
