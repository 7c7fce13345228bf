"""The demonstration as a page."""

from pathlib import Path

from isoalign._types import PathName
from isoalign.normalization import IterNorm
from isoalign.reporting._blocks import Section, figure, plain_table
from isoalign.reporting._convergence import plot_convergence
from isoalign.reporting._demo import Demo, Lookup
from isoalign.reporting._html import Markup, join, tag
from isoalign.reporting._hubness import plot_hubness
from isoalign.reporting._neighborhoods import find_glosses, plot_neighborhoods
from isoalign.reporting._report import write_report
from isoalign.reporting._spaces import choose_pairs, plot_spaces

__all__ = ["write_demo_report"]


def write_demo_report(demo: Demo, path: PathName, *, overwrite: bool = False) -> None:
    """Write everything that the demonstration found into one HTML file."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    write_report(
        demo.records,
        path,
        overwrite=overwrite,
        title="Are girls neko or shōjo?",
        lead="Iterative Normalization (Zhang et al., ACL 2019) on 8,000 English and 8,000 Japanese words: what it "
        "changes, what it gains, and where it gains nothing.",
        sections=[_neighbors(demo), _translations(demo), _rounds(demo), _spaces(demo), _hubs(demo)],
        acknowledgements=[credit.acknowledgement for credit in demo.sample.about],
    )


def _neighbors(demo: Demo) -> Section:
    drawn = figure(
        plot_neighborhoods(
            demo.neighborhoods, glosses=find_glosses(demo.neighborhoods, demo.sample.train, demo.sample.test)
        ),
        name="neighbors",
        alt="Nearest neighbours of girl and 少女 before and after Iterative Normalization",
        how="How to read it: the longer the bar, the nearer the word; “new” was not among the nearest before. Words in "
        "brackets are from the dictionary. In these vectors 少女 never had 猫 (cat) for a neighbour, as it had in "
        "those of the paper, so there is little to repair here, and little changes.",
    )
    return Section("neighbors", "Nearest neighbours of girl and 少女", (drawn, _thanks(demo)))


def _translations(demo: Demo) -> Section:
    how = (
        f"By {demo.translator}, CSLS retrieval. Ten test words each way, taken evenly from frequent to rare, not "
        "picked for their results. A tick: the first translation is in the dictionary. Without one it may still be "
        "right, since no dictionary has everything."
    )
    tables = [
        plain_table(("word", "", "translations", "dictionary"), [_row(one, *langs) for one in lookups], title=title)
        for title, lookups, langs in (
            ("English to Japanese", demo.forward, ("en", "ja")),
            ("Japanese to English", demo.backward, ("ja", "en")),
        )
    ]
    return Section("translations", "Ten translations each way", (how, *tables, _thanks(demo)))


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
        for name, normalizer in zip(("English", "Japanese"), demo.models["iternorm"].normalizers, strict=True)
        if isinstance(normalizer, IterNorm)
    }
    drawn = figure(
        plot_convergence(fitted),
        name="rounds",
        alt="Residuals of both conditions by round of Iterative Normalization",
        how="How to read it: what is still missing from either condition after each round, on a logarithmic scale. "
        "Straight lines mean that every round gains the same number of digits; λ is the factor it predicts.",
    )
    return Section("rounds", "Convergence of Iterative Normalization", (drawn,))


def _spaces(demo: Demo) -> Section:
    model = demo.models["iternorm"]
    drawn = figure(
        plot_spaces(model, choose_pairs(model, demo.sample.test)),
        name="spaces",
        alt="Test words and their translations in two dimensions before and after alignment",
        how="How to read it: a line joins a test word and its translation. Before, the languages share nothing but the "
        "number of dimensions; after, lines should be short. Two dimensions keep only part of 300: measure elsewhere.",
    )
    return Section("spaces", "Both languages in one picture", (drawn, _thanks(demo)))


def _hubs(demo: Demo) -> Section:
    drawn = figure(
        plot_hubness(demo.hubs),
        name="hubs",
        alt="Histogram of how often Japanese words are among the ten nearest of an English word",
        how="How to read it: to the right are hubs, words that are near to everything and crowd out right answers; at "
        "0 are words that can never be found. The steeper the curve falls, the better for retrieval.",
    )
    return Section("hubs", "Hubness after Procrustes", (drawn,))


def _thanks(demo: Demo) -> Markup:
    credit = demo.sample.about[2]
    return tag("p", credit.acknowledgement, class_="how")
