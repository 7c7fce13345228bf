"""The places that name the version agree."""

import re
import tomllib
from pathlib import Path

import isoalign as ia

ROOT = Path(__file__).parent.parent.parent


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_package_project_citation_and_changelog_name_one_version():
    cited = dict(re.findall(r"^(version|date-released): (\S+)$", read("CITATION.cff"), re.MULTILINE))
    changed = re.search(r"^## (?P<version>\d\S+) – (?P<date>\S+)$", read("CHANGELOG.md"), re.MULTILINE)
    project = tomllib.loads(read("pyproject.toml"))
    source = project["tool"]["hatch"]["version"]
    assert project["project"]["dynamic"] == ["version"]
    assert re.findall(source["pattern"], read(source["path"])) == [ia.__version__]
    assert cited == {"version": ia.__version__, "date-released": changed["date"]}
    assert changed["version"] == ia.__version__
