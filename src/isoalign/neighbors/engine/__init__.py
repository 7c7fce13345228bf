"""The engine of exact search: walks over tiles of a product, and what is kept of them.

From the bottom up: compiled loops (`_kernels`), tiles and plans (`_tiles`), overflow check and error bounds
(`_margins`), the best rows in one direction (`_top_rows`) and in both (`_top_both`), ranks (`_counts`, `_places`),
lists of near rows (`_near_lists`) with their users, CSLS in both directions (`_csls_lists`), the same with entries
dropped by coins (`_coins`, `_stochastic`) and moving queries (`_moving`), and lazy CSLS (`_choice`, `_bounds`,
`_lazy`).
"""

from isoalign.neighbors.engine._bounds import MeanBounds
from isoalign.neighbors.engine._choice import BEST_ONLY, ENGINES, LazySettings, choose_engine
from isoalign.neighbors.engine._coins import is_kept, row_keys
from isoalign.neighbors.engine._counts import count_ranks
from isoalign.neighbors.engine._csls_lists import ListingWalk, choose_by_csls
from isoalign.neighbors.engine._kernels import Rows, sort_heaps
from isoalign.neighbors.engine._lazy import lazy_top_k
from isoalign.neighbors.engine._margins import as_rows, check_products, error_margins, longest_row
from isoalign.neighbors.engine._moving import MovingSearch
from isoalign.neighbors.engine._places import NO_KEY, Keys, collect_places, read_places
from isoalign.neighbors.engine._stochastic import NOTHING, StochasticBest, stochastic_best
from isoalign.neighbors.engine._tiles import (
    TILING,
    Tile,
    Tiling,
    multiply_tiles,
    plan_parts,
    plan_rounds,
    walk_tiles,
)
from isoalign.neighbors.engine._top_both import TopRowsBoth, search_both
from isoalign.neighbors.engine._top_rows import Best, TopRows, mean_best, search

__all__ = [
    "BEST_ONLY",
    "ENGINES",
    "NOTHING",
    "NO_KEY",
    "TILING",
    "Best",
    "Keys",
    "LazySettings",
    "ListingWalk",
    "MeanBounds",
    "MovingSearch",
    "Rows",
    "StochasticBest",
    "Tile",
    "Tiling",
    "TopRows",
    "TopRowsBoth",
    "as_rows",
    "check_products",
    "choose_by_csls",
    "choose_engine",
    "collect_places",
    "count_ranks",
    "error_margins",
    "is_kept",
    "lazy_top_k",
    "longest_row",
    "mean_best",
    "multiply_tiles",
    "plan_parts",
    "plan_rounds",
    "read_places",
    "row_keys",
    "search",
    "search_both",
    "sort_heaps",
    "stochastic_best",
    "walk_tiles",
]
