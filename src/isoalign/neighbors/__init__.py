"""Exact nearest-neighbour search: top-k by inner product, CSLS and its relatives, ranks, hubness.

Functions work on arrays whose rows are words; retrievers are thin classes over them. A name is imported when it is
first used, so that listing the retrievers for a command line costs nothing.
"""

from typing import TYPE_CHECKING

from isoalign._registry import lazy_attributes

if TYPE_CHECKING:
    from isoalign.neighbors._cosine import Cosine as Cosine
    from isoalign.neighbors._csls import CSLS as CSLS
    from isoalign.neighbors._hubness import Hubness as Hubness
    from isoalign.neighbors._hubness import count_occurrences as count_occurrences
    from isoalign.neighbors._hubness import describe_occurrences as describe_occurrences
    from isoalign.neighbors._hubness import measure_hubness as measure_hubness
    from isoalign.neighbors._inverted_nn import InvertedNN as InvertedNN
    from isoalign.neighbors._inverted_softmax import InvertedSoftmax as InvertedSoftmax
    from isoalign.neighbors._means import Best as Best
    from isoalign.neighbors._means import neighborhood_means as neighborhood_means
    from isoalign.neighbors._means import top_k_both as top_k_both
    from isoalign.neighbors._moving import MovingSearch as MovingSearch
    from isoalign.neighbors._mutual import CslsBest as CslsBest
    from isoalign.neighbors._mutual import csls_best as csls_best
    from isoalign.neighbors._ranking import BEYOND as BEYOND
    from isoalign.neighbors._ranking import GoldRows as GoldRows
    from isoalign.neighbors._ranking import Ranking as Ranking
    from isoalign.neighbors._ranking import csls_precision_at_1 as csls_precision_at_1
    from isoalign.neighbors._ranking import group_pairs as group_pairs
    from isoalign.neighbors._ranking import rank_gold as rank_gold
    from isoalign.neighbors._registry import RETRIEVERS as RETRIEVERS
    from isoalign.neighbors._registry import make_retriever as make_retriever
    from isoalign.neighbors._retriever import AbstractRetriever as AbstractRetriever
    from isoalign.neighbors._search import mean_best as mean_best
    from isoalign.neighbors._search import top_k as top_k

_PUBLIC = {
    "Cosine": "_cosine",
    "CSLS": "_csls",
    "Hubness": "_hubness",
    "count_occurrences": "_hubness",
    "describe_occurrences": "_hubness",
    "measure_hubness": "_hubness",
    "InvertedNN": "_inverted_nn",
    "InvertedSoftmax": "_inverted_softmax",
    "Best": "_means",
    "neighborhood_means": "_means",
    "top_k_both": "_means",
    "MovingSearch": "_moving",
    "CslsBest": "_mutual",
    "csls_best": "_mutual",
    "BEYOND": "_ranking",
    "GoldRows": "_ranking",
    "Ranking": "_ranking",
    "csls_precision_at_1": "_ranking",
    "group_pairs": "_ranking",
    "rank_gold": "_ranking",
    "RETRIEVERS": "_registry",
    "make_retriever": "_registry",
    "AbstractRetriever": "_retriever",
    "mean_best": "_search",
    "top_k": "_search",
}

__all__ = [*_PUBLIC]


__getattr__ = lazy_attributes(__name__, _PUBLIC)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
