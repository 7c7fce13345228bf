"""Which engine computes CSLS, what is distributed, and how long lists are: all thresholds.

The answers are the same with every engine and every threshold, to the bit. The thresholds only decide the time.
"""

from typing import NamedTuple

__all__ = [
    "BEST_ONLY",
    "DEEPENING",
    "ENGINES",
    "LISTS",
    "SHARING",
    "SHORTLISTS",
    "DeepeningSettings",
    "LazySettings",
    "ListSettings",
    "SharingSettings",
    "ShortlistSettings",
    "choose_engine",
]

ENGINES = ("auto", "full", "lazy")


class LazySettings(NamedTuple):
    """When lazy CSLS pays, and how it works.

    Parameters
    ----------
    min_targets
        Number of targets from which ``"auto"`` is lazy.
    max_share
        Queries per target below which ``"auto"`` is lazy.
    sample_share
        Share of the targets whose exact neighbours show which sources are hubs.
    hub_share, min_hubs
        Share of the sources taken as hubs, and how many at least; they bound the means of all targets.
    most_sampled, most_hubs
        An upper limit, so that the time of a search grows with the rows and not with their square.
    means_per_query, few_sampled, few_hubs
        Exact means that a query needs if only ``few_sampled`` targets show the hubs, and only ``few_hubs`` are used.
        With few queries this costs less than good bounds.
    around
        Number of sources around a few queries, all together, that bound the means of their candidates.
    probes
        Number of cells, of about √n, that bound the mean of one target.
    list_length
        Candidates per query, in addition to four for each answer.
    batch
        Smallest number of means computed together: a pass over all sources costs as much for fewer.
    max_wanted
        Compute all means if more than this share of them, beyond those known, is needed at the first look at new lists.
    max_known
        Compute all means if more than this share of them is needed in the end, those known included.
    max_rounds
        Compute all means if the queries have not settled after this number of rounds; 10 to 40 are usual.
    max_unsettled
        Compute all means if longer lists leave more than this share of many queries unsettled, as happens if nearly
        all scores are tied.
    """

    min_targets: int = 10_000
    max_share: float = 1 / 25
    sample_share: float = 1 / 200
    hub_share: float = 1 / 100
    min_hubs: int = 800
    probes: int = 6
    list_length: int = 64
    batch: int = 64
    max_wanted: float = 0.27
    max_known: float = 0.5
    max_rounds: int = 96
    max_unsettled: float = 0.5
    most_sampled: int = 2_000
    most_hubs: int = 4_000
    means_per_query: int = 100
    few_sampled: int = 100
    few_hubs: int = 160
    around: int = 16_384


# The single best target of each query needs few means: for 761 queries among 20,000 targets a lazy search takes
# 1.1 seconds of processor time where all means take 2.8.
BEST_ONLY = LazySettings(max_share=1 / 20)
"""Settings for searches that return one target per query."""


class ListSettings(NamedTuple):
    """How many near rows are listed in one product, among which CSLS chooses when all means are known.

    Parameters
    ----------
    listed
        About the number of rows on a list: few queries then need a second comparison.
    fewest
        Rows from which on the floor of a list is a start for a similar search. Shorter lists had too high a floor.
    kept
        Maximum number of kept rows on a list if entries are dropped and nothing is known about the means.
    hinted
        The same if they are approximately known.
    """

    listed: int = 64
    fewest: int = 32
    kept: int = 64
    hinted: int = 8


LISTS = ListSettings()
"""The default."""


class DeepeningSettings(NamedTuple):
    """How inverted nearest neighbours search deeper for queries that find too few targets.

    Parameters
    ----------
    growth
        Factor by which lists grow.
    values
        Similarities kept at once.
    """

    growth: int = 8
    values: int = 2**24


DEEPENING = DeepeningSettings()
"""The default."""


class SharingSettings(NamedTuple):
    """Which searches are distributed among workers, and into how many parts they are split.

    Parameters
    ----------
    min_products
        Number of inner products below which a search stays in this process, where it takes less than a second.
    parts
        Number of parts of the longer side.
    min_rows, max_rows
        Smallest and largest number of rows in a part, which come before the number of parts.
    listed
        Rows on the lists from which CSLS chooses; the lists of all parts are sent.
    """

    min_products: int = 1 << 28
    parts: int = 32
    min_rows: int = 1 << 11
    max_rows: int = 1 << 16
    listed: int = 24

    def part_rows(self, n: int) -> int:
        """Return the number of rows in a part of n rows."""
        return min(max(-(-n // self.parts), self.min_rows), self.max_rows)


SHARING = SharingSettings()
"""The default."""


class ShortlistSettings(NamedTuple):
    """How much a PyTorch device computes at once, and how much of it the CPU looks at again.

    Parameters
    ----------
    values
        Values of a product on the device at once: 256 MB.
    more
        Rows on a shortlist beyond those that are wanted.
    listed
        Rows on a list from which CSLS chooses.
    kept, max_length
        Kept rows that a list should have if most entries are dropped, and the maximum length of a list for this
        purpose.
    band
        Rows compared one by one with a mark; a query with more of them is ranked on the CPU.
    """

    values: int = 2**26
    more: int = 32
    listed: int = 64
    kept: int = 24
    max_length: int = 512
    band: int = 4096


SHORTLISTS = ShortlistSettings()
"""The default."""


def choose_engine(engine: str, n_targets: int, n_queries: int = 0, *, settings: LazySettings) -> str:
    """Return the engine for a search, ``"full"`` or ``"lazy"``.

    Parameters
    ----------
    engine
        One of :data:`ENGINES`; all but ``"auto"`` are returned as they are.
    n_targets
        Number of targets.
    n_queries
        Number of queries; 0 while it is unknown.
    settings
        Thresholds.
    """
    if engine != "auto":
        return engine
    pays = n_targets >= settings.min_targets and n_queries < settings.max_share * n_targets
    return "lazy" if pays else "full"
