"""Build the documentation site: ``make docs``."""

import sys
from pathlib import Path

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
default_role = "code"
python_use_unqualified_type_names = True
nitpicky = False


def setup(app: Sphinx) -> None:  # noqa: ARG001
    """Show names of the package under their public path."""
    for name in isoalign.__all__:
        found = getattr(isoalign, name)
        if isinstance(found, type):
            found.__module__ = "isoalign"
