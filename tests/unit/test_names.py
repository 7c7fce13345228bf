"""Names in the library can be told apart."""

import ast
from collections import defaultdict
from pathlib import Path

import isoalign

ROOT = Path(isoalign.__file__).parent
LISTS = {"Translations"}  # the answers to one question, each a Translation


def plain(name):
    """Return a name without the underscores and the plural that readers overlook."""
    return name.replace("_", "").lower().removesuffix("s")


def pairs_with_one_letter_more(names):
    """Return the names that are another name and one more letter at the end, each with that other name."""
    return {name: name[:-1] for name in names if name[:-1] in names}


def test_no_two_classes_differ_only_by_an_underscore_or_a_plural():
    found = defaultdict(list)
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and node.name not in LISTS:
                found[plain(node.name)].append(f"{path.relative_to(ROOT)}: {node.name}")
    assert len(found) > 300
    assert not [same for same in found.values() if len(same) > 1]
    assert not pairs_with_one_letter_more(found)


def test_no_two_modules_of_a_room_differ_only_by_an_underscore_or_a_plural():
    for room in {path.parent for path in ROOT.rglob("*.py")}:
        folders = [path for path in room.iterdir() if (path / "__init__.py").exists()]
        names = [plain(path.stem) for path in (*room.glob("*.py"), *folders)]
        assert len(names) == len(set(names)), room


def test_no_two_private_modules_differ_only_by_a_last_letter():
    assert not pairs_with_one_letter_more({plain(path.stem) for path in ROOT.rglob("_[a-z]*.py")})


BRITISH = ("neighbour", "colour", "centre", "normalis", "behaviour", "optimis", "initialis")


def test_identifiers_have_one_spelling():
    found = set()
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [getattr(node, field, None) for field in ("id", "name", "attr", "arg")]
            found |= {name for name in names if isinstance(name, str) and any(part in name.lower() for part in BRITISH)}
    assert not found


def test_type_checkers_know_every_public_name():
    """Names that are imported when first used are listed twice: at run time, and for type checkers."""
    packages = 0
    for path in ROOT.rglob("__init__.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        public = {key.value for node in tree.body if is_public_table(node) for key in node.value.keys}
        typed = {
            alias.asname
            for node in tree.body
            if isinstance(node, ast.If)
            for line in node.body
            if isinstance(line, ast.ImportFrom)
            for alias in line.names
        }
        assert typed - {"errors"} == public, path
        packages += bool(public)
    assert packages > 10


def is_public_table(node):
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_PUBLIC"
