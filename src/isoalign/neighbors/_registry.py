"""Retrievers by name, as import paths, so that listing the names imports nothing."""

from typing import TYPE_CHECKING, Any

from isoalign._registry import load_object

if TYPE_CHECKING:
    from isoalign.neighbors._retriever import AbstractRetriever

__all__ = ["RETRIEVERS", "make_retriever"]

RETRIEVERS = {
    "nn": "isoalign.neighbors._cosine:Cosine",
    "csls": "isoalign.neighbors._csls:CSLS",
    "isf": "isoalign.neighbors._inverted_softmax:InvertedSoftmax",
    "invnn": "isoalign.neighbors._inverted_nn:InvertedNN",
}
"""Every retriever: name to import path."""


def make_retriever(name: str, **settings: Any) -> "AbstractRetriever":
    """Return a new retriever by its registered name.

    Parameters
    ----------
    name
        One of :data:`RETRIEVERS`.
    **settings
        For its constructor.
    """
    from isoalign._validate import check_choice

    retriever: AbstractRetriever = load_object(RETRIEVERS[check_choice(name, RETRIEVERS, name="retrieval")])(**settings)
    return retriever
