"""Named files on the command line: ``en=en.vec``, ``en-fr=dictionary.txt``."""

from isoalign.errors import ParameterError

__all__ = ["parse_edges", "parse_named"]


def parse_named(values: list[str] | None, *, what: str) -> dict[str, str]:
    """Parse ``name=value`` arguments into a dictionary; each name may occur once."""
    found: dict[str, str] = {}
    for text in values or []:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise ParameterError(f"{what} are given as {_EXAMPLES[what]}. Got {text!r}.")
        if name in found:
            raise ParameterError(f"{what} need different names. Got {name!r} twice.")
        found[name] = value
    return found


def parse_edges(values: dict[str, str], members: list[str]) -> dict[tuple[str, str], str]:
    """Split ``a-b`` into two members; names may contain hyphens if only one split is possible."""
    found = {}
    for name, value in values.items():
        parts = name.split("-")
        splits = [("-".join(parts[:i]), "-".join(parts[i:])) for i in range(1, len(parts))]
        fitting = [split for split in splits if split[0] in members and split[1] in members]
        if len(fitting) != 1:
            raise ParameterError(f"{name!r} must be two of the members {', '.join(members)}, such as en-fr.")
        found[fitting[0]] = value
    return found


_EXAMPLES = {
    "vector files": "NAME=FILE, such as en=en.vec",
    "dictionaries": "A-B=FILE, such as en-fr=en-fr.txt",
    "weights": "A-B=NUMBER, such as en-fr=2",
}
