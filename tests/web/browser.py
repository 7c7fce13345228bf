"""Drive Chromium through chromedriver: the few calls of the WebDriver protocol that the tests need."""

import base64
import json
import shutil
import subprocess
import time
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-proxy-server",
]
KEYS = {"down": "\ue015", "up": "\ue013", "right": "\ue014", "enter": "\ue007", "escape": "\ue00c", "tab": "\ue004"}


def find_browser():
    """Return the paths of Chromium and its driver, or None."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


class BrowserError(Exception):
    """What the driver complained about."""


class Browser:
    def __init__(self, paths, folder):
        self._open = build_opener(ProxyHandler({})).open
        self._driver = subprocess.Popen(
            [paths[1], "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        for line in self._driver.stdout:
            if "started successfully on port" in line:
                self._url = f"http://127.0.0.1:{line.strip().rstrip('.').rpartition(' ')[2]}/session"
                break
        options = {"binary": paths[0], "args": [*_FLAGS, f"--user-data-dir={folder}"]}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self._url += "/" + self._call("POST", "", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def close(self):
        try:
            self._call("DELETE", "")
        finally:
            self._driver.terminate()
            self._driver.wait()
            self._driver.stdout.close()

    def _call(self, method, path, data=None):
        body = None if method != "POST" else json.dumps(data or {}).encode()
        try:
            with self._open(Request(self._url + path, data=body, method=method), timeout=30) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            with error:
                raise BrowserError(json.load(error)["value"]["message"]) from None

    def go(self, url):
        self._call("POST", "/url", {"url": url})

    def back(self):
        self._call("POST", "/back")

    @property
    def url(self):
        return self._call("GET", "/url")

    def run(self, script, *arguments):
        """Run JavaScript; ``return`` gives a value back."""
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        return self._call("POST", "/element", {"using": "css selector", "value": selector})[_ELEMENT]

    def _act(self, method, selector, action, data=None, *, tries=5):
        """Act on an element; found again where the page has drawn it again in between."""
        for left in reversed(range(tries)):
            try:
                return self._call(method, f"/element/{self.find(selector)}/{action}", data)
            except BrowserError as error:
                if "stale element" not in str(error) or not left:
                    raise
        return None

    def click(self, selector):
        self._act("POST", selector, "click")

    def type(self, selector, text):
        self._act("POST", selector, "value", {"text": text})

    def press(self, *keys):
        """Press keys wherever the focus is."""
        strokes = [{"type": kind, "value": KEYS[key]} for key in keys for kind in ("keyDown", "keyUp")]
        self._call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]})

    def text(self, selector):
        return self._act("GET", selector, "text")

    def texts(self, selector):
        """Return the text of every match, also where it is scrolled away."""
        return self.run("return [...document.querySelectorAll(arguments[0])].map(x => x.textContent)", selector)

    def wait(self, script, *arguments, seconds=10):
        """Wait until an expression is true and return its value."""
        end = time.monotonic() + seconds
        while True:
            value = self.run(f"return {script}", *arguments)
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"waited {seconds} s for: {script}\n{self.run('return document.body.innerText')}")
            time.sleep(0.02)

    def complaints(self):
        """Return what the browser's console has said since the last time, errors and refusals of the policy."""
        return [entry["message"] for entry in self._call("POST", "/se/log", {"type": "browser"})]

    def emulate(self, *, width, height=900, dark=False, media=""):
        """Take a width, a colour scheme and a medium such as print."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self._devtools("Emulation.setDeviceMetricsOverride", metrics)
        feature = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._devtools("Emulation.setEmulatedMedia", {"media": media, "features": [feature]})

    def save_downloads_to(self, folder):
        self._devtools("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})

    def screenshot(self, path):
        """Save the whole page as it is."""
        path.write_bytes(self.picture(whole=True))

    def picture(self, *, whole=False):
        """Return what is to be seen, or the whole page, as PNG."""
        self._devtools("Emulation.setScrollbarsHidden", {"hidden": True})
        picture = self._devtools("Page.captureScreenshot", {"captureBeyondViewport": whole})
        return base64.b64decode(picture["data"])

    def _devtools(self, command, parameters):
        return self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})
