"""The report of the demonstration."""

import math
from pathlib import Path

from isoalign._core.types import PathName
from isoalign.normalization import IterNorm
from isoalign.reporting._blocks import Section, figure, plain_table, side_by_side
from isoalign.reporting._convergence import plot_convergence
from isoalign.reporting._demo import CAT, FIGURE_1, Demo, Lookup
from isoalign.reporting._findings import describe_comparisons
from isoalign.reporting._html import Markup, join, tag
from isoalign.reporting._hubness import plot_hubness
from isoalign.reporting._neighborhoods import find_glosses, plot_neighborhood_panels
from isoalign.reporting._report import write_report
from isoalign.reporting._spaces import choose_pairs, plot_spaces_panels

__all__ = ["write_demo_report"]

_SPOKEN = {FIGURE_1[1]: "shōjo, girl", CAT: "neko, cat"}


def write_demo_report(demo: Demo, path: PathName, *, overwrite: bool = False) -> None:
    """Write the results of the demonstration to one HTML file."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    write_report(
        demo.records,
        path,
        overwrite=overwrite,
        title="Are girls neko or shōjo?",
        summary=[_answer(demo), *describe_comparisons(demo.records)],
        lead="Iterative Normalization (IN; Zhang et al., ACL 2019) on 8,000 English and 8,000 Japanese words, compared "
        "with vectors as published and with centring and unit length (C+L).",
        sections=[_neighbors(demo), _translations(demo), _rounds(demo), _spaces(demo), _hubs(demo)],
        acknowledgements=[credit.acknowledgement for credit in demo.sample.about],
    )


def _answer(demo: Demo) -> str:
    """Answer the title by the ranks of both words."""
    word, shojo = FIGURE_1
    places = {one: demo.ranking.index(one) + 1 for one in (shojo, CAT) if one in demo.ranking}
    answer = "Shōjo" if places.get(shojo, math.inf) < places.get(CAT, math.inf) else "Neko"
    ranks = [
        f"{one} ({_SPOKEN[one]}) "
        + (f"the {_ordinal(place)}" if number else f"is {_place(place)} translation of {word}")
        for number, (one, place) in enumerate(places.items())
    ]
    best = [] if 1 in places.values() else [f"{demo.ranking[0]} is the best"]
    return f"{answer}: among {len(demo.ranking):,} Japanese words, {'; '.join([', '.join(ranks), *best])}."


def _place(place: int) -> str:
    return "the best" if place == 1 else f"the {_ordinal(place)}-best"


def _ordinal(place: int) -> str:
    if place <= 3:
        return ("best", "second", "third")[place - 1]
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th") if place % 100 not in (11, 12, 13) else "th"
    return f"{place:,}{ending}"


def _neighbors(demo: Demo) -> Section:
    drawn = figure(
        plot_neighborhood_panels(
            demo.neighborhoods, glosses=find_glosses(demo.neighborhoods, demo.sample.train, demo.sample.test)
        ),
        name="neighbors",
        alt="Nearest neighbours of girl and 少女 before and after Iterative Normalization",
        how="How to read it: the longer the bar, the nearer the word; “new” marks words that were not among the "
        "nearest before. Words in brackets are translations from the dictionary. Unlike in the vectors of the paper, "
        "猫 (cat) is not a neighbour of 少女 in these vectors even without normalisation, so little changes.",
    )
    return Section("neighbors", "Nearest neighbours of girl and 少女", (drawn,))


def _translations(demo: Demo) -> Section:
    how = (
        f"By {demo.translator}, CSLS retrieval. Ten test words in each direction, evenly spaced by frequency, not "
        "chosen for their results. A tick marks words whose first translation is in the dictionary. A translation "
        "without a tick may still be correct, since no dictionary is complete."
    )
    tables = [
        plain_table(("word", "", "translations", "dictionary"), [_row(one, *langs) for one in lookups], title=title)
        for title, lookups, langs in (
            ("English to Japanese", demo.forward, ("en", "ja")),
            ("Japanese to English", demo.backward, ("ja", "en")),
        )
    ]
    return Section("translations", "Ten translations each way", (how, side_by_side(*tables)))


def _row(lookup: Lookup, lang: str, other: str) -> list[Markup]:
    mark = tag("b", "✓", class_="mark") if lookup.right else "·"
    found = [join([word, " ", tag("small", f"{score:.2f}".replace("-", "−"))]) for word, score in lookup.found]
    return [
        tag("td", lookup.word, lang=lang),
        tag("td", mark),
        tag("td", join(found, ", "), lang=other),
        tag("td", ", ".join(lookup.gold), lang=other, class_="wrong"),
    ]


def _rounds(demo: Demo) -> Section:
    fitted = {
        name: normalizer
        for name, member in zip(("English", "Japanese"), demo.models["iternorm"].members, strict=True)
        if isinstance(normalizer := member.normalizer, IterNorm)
    }
    drawn = figure(
        plot_convergence(fitted),
        name="rounds",
        alt="Residuals of both conditions by round of Iterative Normalization",
        how="How to read it: the remaining distance from each condition after each round, on a logarithmic scale. "
        "The length of the mean is that after scaling and before centring in each round; the table of conditions has "
        "that of the result, after centring. "
        "On a straight line every round gains the same number of digits; λ is the predicted factor per round.",
    )
    return Section("rounds", "Convergence of Iterative Normalization", (drawn,))


def _spaces(demo: Demo) -> Section:
    model = demo.models["iternorm"]
    drawn = figure(
        plot_spaces_panels(model, choose_pairs(model, demo.sample.test)),
        name="spaces",
        alt="Test words and their translations in two dimensions before and after alignment",
        how="How to read it: a line connects a test word and its translation. Before alignment, the two spaces are "
        "unrelated; afterwards, lines should be short. Two of 300 dimensions show only part of the variance, so "
        "distances in this figure are approximate.",
    )
    return Section("spaces", "Both languages in one picture", (drawn,))


def _hubs(demo: Demo) -> Section:
    drawn = figure(
        plot_hubness(demo.hubs),
        name="hubs",
        alt="Histogram of how often Japanese words are among the ten nearest of an English word",
        how="How to read it: on the right are hubs, words that are near to many others and displace correct answers; "
        "at 0 are words that are never retrieved. The steeper the curve, the better for retrieval.",
    )
    return Section("hubs", "Hubness after Procrustes", (drawn,))
