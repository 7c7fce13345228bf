"""Registry of retrievers, which are imported when first used."""

from typing import TYPE_CHECKING, Any

from isoalign._core.registry import Entry, Registry

if TYPE_CHECKING:
    from isoalign.neighbors._retriever import AbstractRetriever

__all__ = ["DEFAULT_RETRIEVAL", "RETRIEVERS", "make_retriever"]

_PACKAGE = "isoalign.neighbors"

DEFAULT_RETRIEVAL = "csls"

RETRIEVERS = Registry(
    "retrieval",
    (
        Entry("nn", f"{_PACKAGE}._cosine:Cosine", "NN", "Nearest neighbours by cosine."),
        Entry("csls", f"{_PACKAGE}._csls:CSLS", "CSLS", "Cosine corrected for crowded neighbourhoods."),
        Entry("isf", f"{_PACKAGE}._inverted_softmax:InvertedSoftmax", "ISF", "Inverted softmax."),
        Entry(
            "invnn",
            f"{_PACKAGE}._inverted_nn:InvertedNN",
            "Inverted NN",
            "Rank of the query among the neighbours of the target.",
        ),
    ),
    group="isoalign.retrievals",
)
"""Every retriever."""


def make_retriever(name: str, **settings: Any) -> "AbstractRetriever":
    """Return a new retriever by its registered name.

    Parameters
    ----------
    name
        One of :data:`RETRIEVERS`.
    **settings
        For its constructor.
    """
    retriever: AbstractRetriever = RETRIEVERS.make(name, settings)
    return retriever
