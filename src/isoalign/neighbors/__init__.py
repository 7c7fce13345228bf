"""Exact nearest-neighbour search: top-k by inner product, CSLS and its relatives, ranks, hubness.

Functions work on arrays whose rows are words; retrievers are thin classes over them.
"""

from isoalign.neighbors._cosine import Cosine
from isoalign.neighbors._csls import CSLS
from isoalign.neighbors._means import Best, neighborhood_means, top_k_both
from isoalign.neighbors._mutual import CslsBest, csls_best
from isoalign.neighbors._ranking import BEYOND, GoldRows, Ranking, csls_precision_at_1, group_pairs, rank_gold
from isoalign.neighbors._registry import RETRIEVERS, make_retriever
from isoalign.neighbors._retriever import AbstractRetriever
from isoalign.neighbors._search import mean_best, top_k

__all__ = [
    "BEYOND",
    "CSLS",
    "RETRIEVERS",
    "AbstractRetriever",
    "Best",
    "Cosine",
    "CslsBest",
    "GoldRows",
    "Ranking",
    "csls_best",
    "csls_precision_at_1",
    "group_pairs",
    "make_retriever",
    "mean_best",
    "neighborhood_means",
    "rank_gold",
    "top_k",
    "top_k_both",
]
