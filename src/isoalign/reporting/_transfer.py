"""The report of a transferred vocabulary."""

from isoalign.reporting._blocks import Section, folded, plain_table, sections_to_html
from isoalign.reporting._html import join, page, tag
from isoalign.transfer import TransferredFile

__all__ = ["build_transfer_report"]

_MEANINGS = {
    "neighbors": "weighted sum of the nearest old tokens",
    "name": "copy of the special token of that name",
    "shared": "copy of a token that both vocabularies have",
    "random": "drawn at random: no evidence",
    "unused": "drawn at random: no token has the id",
}


def build_transfer_report(done: TransferredFile) -> str:
    """Return a self-contained HTML page: rules, tensors, examples, and tokens without evidence.

    Parameters
    ----------
    done
        Result of `transfer_file`.
    """
    found = done.to_dict()
    members, tokens = found["members"], found["tokens"]
    title = f"{members['source']} → {members['target']}: {tokens['target']:,} new tokens"
    lead = (
        f"Made from {found['candidates']:,} of {tokens['source']:,} old tokens, known by {found['evidence']}; the "
        f"{found['k']} nearest by cosine, softmax at {found['temperature']}."
    )
    header = tag("header", tag("h1", title), tag("p", lead, class_="lead"))
    rules = [
        (rule, f"{count:,}", f"{100 * count / len(done.transfer):.1f} %", _MEANINGS[rule])
        for rule, count in found["rules"].items()
    ]
    tensors = [(name, one["dtype"], one["old_shape"], one["shape"]) for name, one in found["tensors"].items()]
    examples = [
        (one["token"], ", ".join(f"{near['token']} {near['weight']:.2f}" for near in one["neighbors"]))
        for one in found["examples"]
    ]
    missing = found["without_evidence"]
    sections = [
        Section(
            "rules",
            "How rows are made",
            (
                plain_table(("rule", "tokens", "share", "what it means"), rules, numbers=(1, 2)),
                plain_table(("tensor", "type", "old shape", "new shape"), tensors),
            ),
        ),
        Section(
            "examples",
            "Examples",
            (
                "Spread evenly over the new vocabulary. Numbers are weights.",
                plain_table(("new token", "made of"), examples),
            ),
        ),
        Section(
            "missing",
            "Without evidence",
            (folded(f"{len(missing):,} tokens", tag("p", "  ".join(missing))),) if missing else ("None.",),
        ),
    ]
    return page(title, join([header, tag("main", sections_to_html(sections))]))
