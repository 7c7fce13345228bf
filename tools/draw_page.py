"""Draw ``docs/figures/page*.png``: screenshots of the web page with the embedded sample.

Needs chromium and chromedriver, as the tests of the page do: ``python -m tools.draw_page``.
"""

import io
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from tests.web.browser import Browser, find_browser
from tests.web.serving import Server

FIGURES = Path(__file__).parent.parent / "docs" / "figures"
LARGEST = 200_000  # bytes
RESULT = "document.querySelector('#result:not([hidden]) h2 *')"
FORM = "document.querySelector('#list-from option')"
TABLE = "!document.querySelector('#list-download').disabled && document.querySelector('#list-table td')"


class Shot(NamedTuple):
    """A screenshot: the page to open, the element to wait for, a script to run, and the element to wait for then."""

    name: str
    path: str
    width: int
    height: int
    dark: bool = False
    opened: str = RESULT
    script: str = ""
    ready: str = "true"


SHOTS = (
    Shot("page", "/", 1200, 1050),
    Shot("page-phone", "/?word=girl", 390, 844, dark=True),
    Shot("page-confidence", "/?word=light", 1200, 800, script="document.querySelector('.verdict').open = true"),
    Shot(
        "page-list",
        "/?view=list",
        1000,
        830,
        opened=FORM,
        script="document.querySelector('#list-words').value = 'water\\nbank\\nCat\\nlight\\nspring\\nquark\\ngo';"
        "document.querySelector('#list-go').click()",
        ready=TABLE,
    ),
)


def main() -> None:
    """Serve the sample, take all screenshots, and save them in 256 colours."""
    paths = find_browser()
    if paths is None:
        sys.exit("Chromium and chromedriver are not installed.")
    with ExitStack() as stack:
        profile = stack.enter_context(tempfile.TemporaryDirectory())
        server = Server("--sample")
        stack.callback(server.stop)
        browser = Browser(paths, profile)
        stack.callback(browser.close)
        for shot in SHOTS:
            take(browser, server.url, shot)


def take(browser: Browser, url: str, shot: Shot) -> None:
    """Take one screenshot."""
    browser.emulate(width=shot.width, height=shot.height, dark=shot.dark)
    browser.go(url + shot.path)
    browser.wait(shot.opened, seconds=60)
    browser.run(shot.script)
    browser.wait(shot.ready, seconds=60)
    browser.run("document.activeElement.blur()")
    image = Image.open(io.BytesIO(browser.picture())).convert("RGB")
    path = FIGURES / f"{shot.name}.png"
    image.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name}: {image.width} × {image.height}, {path.stat().st_size:,} bytes")
    if path.stat().st_size > LARGEST:
        sys.exit(f"{path} is larger than {LARGEST:,} bytes.")


if __name__ == "__main__":
    main()
