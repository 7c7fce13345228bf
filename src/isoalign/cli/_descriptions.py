"""Describe alignments that were just learned."""

from typing import TYPE_CHECKING, Any

from isoalign.cli._console import Console

if TYPE_CHECKING:
    from isoalign.alignment import Alignment

__all__ = ["describe_alignment", "describe_join"]


def describe_alignment(console: Console, model: "Alignment", written: list[str]) -> str:
    """Return a table of the spaces, the dictionary, the method and the output of an alignment."""
    about = model.provenance
    rows = [
        ("spaces", " → ".join(repr(member.embeddings) for member in model.members)),
        ("dictionary", _describe_dictionary(about)),
        ("normalisation", about["normalize"]),
        ("method", f"{about['method']} {about['settings']}"),
    ]
    if not all(member.embeddings is None or member.embeddings.lang for member in model.members):
        rows.insert(1, ("languages", "not known from the names of the files; --langs en,ja names them"))
    if about["grown_by"]:
        rows.insert(-1, ("grown", f"{about['grown_pairs']} pairs by {about['grown_by']}"))
    for way, weights in (about.get("rerank") or {}).items():
        shares = ", ".join(f"{name} {weight:.2g}" for name, weight in weights.items())
        rows.append((f"re-rank {way}", shares))
    if model.verdict:
        rows.append(("verdict", model.verdict["text"]))
    rows += _describe_selection(model.history["selection"])
    return console.table([*rows, *(("wrote", path) for path in written)])


def describe_join(console: Console, model: "Alignment", written: str, *, added: bool) -> str:
    """Return a table of all members and of the dictionaries that connect them; with `join --into`, the new ones."""
    about, history = model.provenance, model.history
    if added:
        about, history = about["joined"][-1], history["joined"][-1]
    rows = [
        *(("member", f"{member.name}: {member.embeddings!r}") for member in model.members),
        *(("dictionary", f"{name}: {_describe_edge(found)}") for name, found in about["dictionaries"].items()),
        *_describe_selection(history["selection"]),
        ("wrote", written),
    ]
    return console.table(rows)


def _describe_edge(found: dict[str, Any]) -> str:
    if found["start"] is None:
        return f"{found['known_pairs']} of {found['pairs']} pairs known"
    verdict = "not judged" if found["verdict"] is None else found["verdict"]["text"]
    return f"{found['known_pairs']} pairs found by {found['start']}, {verdict}"


def _describe_selection(selection: dict[str, Any] | None) -> list[tuple[str, str]]:
    """Return a row with the selected settings and their score, or no row."""
    if not selection:
        return []
    best = max(candidate["score"] for candidate in selection["candidates"])
    words = f" ({selection['n_words']} words)" if selection["n_words"] else ""
    return [("chosen", f"{selection['chosen']} by {selection['about']}: {best:.4f}{words}")]


def _describe_dictionary(about: dict[str, Any]) -> str:
    lexicon = about["lexicon"]
    if lexicon is None:
        return "none" if about["start"] is None else f"{about['pairs']} pairs found by {about['start']}"
    return f"{lexicon['known_pairs']} of {lexicon['pairs']} pairs known, {lexicon['known_sources']} words"
