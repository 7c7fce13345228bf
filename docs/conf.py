"""Build the documentation site: ``make docs``."""

import re
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

import isoalign

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "isoalign"
author = "The isoalign developers"
release = version = isoalign.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "mathml", "reference_pages"]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
exclude_patterns = ["_ext"]
html_theme = "furo"
html_title = "isoalign"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_copyright = False
html_show_sourcelink = False

napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "inherited-members": True}
smartquotes_action = "q"  # quotes only: "--" begins an option
default_role = "code"
python_use_unqualified_type_names = True
nitpicky = False


_ARRAY = re.compile(r"~?numpy\.ndarray\[tuple\[~?typing\.Any, \.\.\.\], ~?numpy\.dtype\[[^][]*(\[[^][]*\])?\]\]")
_FUNCTION = re.compile(r"<function (\w+)[^>]*>")


def shorten(_app: Sphinx, *about: Any) -> tuple[str | None, str | None]:
    """Let signatures say array and name a default function, as a reader would."""
    *_, signature, result = about
    shown = [text and _FUNCTION.sub(r"\1", _ARRAY.sub("~numpy.ndarray", text)) for text in (signature, result)]
    return shown[0], shown[1]


def setup(app: Sphinx) -> None:
    """Show names of the package under their public path."""
    app.connect("autodoc-process-signature", shorten)
    for name in isoalign.__all__:
        found = getattr(isoalign, name)
        if isinstance(found, type):
            found.__module__ = "isoalign"
