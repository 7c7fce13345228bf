"""Write formulas as MathML, which browsers draw themselves: no script, no font, no network."""

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

_LOGGER = logging.getLogger(__name__)


def _convert(node: nodes.math | nodes.math_block, display: str) -> str:
    formula = convert(node.astext(), display=display)
    if "\\" in formula:  # what the converter does not know it leaves as it is
        _LOGGER.warning("a formula has a command that does not become MathML: %s", node.astext(), location=node)
    return formula


def _inline(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(_convert(node, "inline"))
    raise nodes.SkipNode


def _block(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append('<div class="math">' + _convert(node, "block") + "</div>")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
