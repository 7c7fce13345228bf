"""A real HTTP server on loopback whose every answer a test can spoil."""

import hashlib
import threading
import time
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FileServer:
    """Serves ``files`` (path: bytes); ``tricks`` spoil the next answers, one each."""

    def __init__(self):
        self.files = {}
        self.requests = []  # (path, Range, If-Range)
        self.sent = 0
        self.tricks = deque()
        self.ranges = True
        self.honours_if_range = True
        self.tags = True
        self.content_type = "application/octet-stream"
        self._httpd = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._httpd.server_port}"
        threading.Thread(target=self._httpd.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        self._httpd.shutdown()
        self._httpd.server_close()

    def _handler(server):  # noqa: N805  (the handler's own self is the inner one)
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                server.requests.append((self.path, self.headers["Range"], self.headers["If-Range"]))
                trick = server.tricks.popleft() if server.tricks else None
                if not (trick and trick(self)):
                    self.send_file()

            def send_file(self, *, stop_after=None, pause=0.0):
                content = server.files.get(self.path)
                if content is None:
                    self.send_error(404)
                    return
                tag = f'"{hashlib.md5(content).hexdigest()}"'
                start = self.first_byte(tag) if server.ranges else 0
                if start > len(content):
                    self.send_error(416)
                    return
                self.send_response(206 if start else 200)
                self.send_header("Content-Length", str(len(content) - start))
                self.send_header("Content-Type", server.content_type)
                if start:
                    self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
                if server.tags:
                    self.send_header("ETag", tag)
                self.end_headers()
                body = content[start:][:stop_after]
                for position in range(0, len(body), 1000):
                    part = body[position : position + 1000]
                    server.sent += len(part)  # before writing: a test may look as soon as it has read the last byte
                    try:
                        self.wfile.write(part)
                    except OSError:
                        return
                    time.sleep(pause)

            def first_byte(self, tag):
                if self.headers["Range"] is None:
                    return 0
                if server.honours_if_range and self.headers["If-Range"] not in (None, tag):
                    return 0
                return int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))

            def redirect(self, path):
                self.send_response(302)
                self.send_header("Location", path)
                self.end_headers()

            def log_message(self, *args):
                pass

        return Handler


def cut_after(n_bytes):
    """Close the connection in the middle of the body."""
    return lambda handler: handler.send_file(stop_after=n_bytes) or True


def answer(status, **headers):
    """Answer with a bare status."""

    def trick(handler):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        return True

    return trick
