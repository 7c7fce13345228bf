"""The places that name the version agree."""

import re
import tomllib
from pathlib import Path

import isoalign as ia

ROOT = Path(__file__).parent.parent.parent


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_package_project_citation_and_changelog_agree_about_versions():
    """The last release is cited; while there are unreleased changes, the package has a development version."""
    cited = dict(re.findall(r"^(version|date-released): (\S+)$", read("CITATION.cff"), re.MULTILINE))
    changed = re.search(r"^## (?P<version>\d\S+) – (?P<date>\S+)$", read("CHANGELOG.md"), re.MULTILINE)
    project = tomllib.loads(read("pyproject.toml"))
    source = project["tool"]["hatch"]["version"]
    assert project["project"]["dynamic"] == ["version"]
    assert re.findall(source["pattern"], read(source["path"])) == [ia.__version__]
    assert cited == {"version": changed["version"], "date-released": changed["date"]}
    has_changes = re.search(r"^## Unreleased$", read("CHANGELOG.md"), re.MULTILINE) is not None
    assert ia.__version__.endswith(".dev0") == has_changes
    assert has_changes or changed["version"] == ia.__version__
