"""Headless Chromium by its DevTools pipe: descriptors 3 and 4, JSON messages that end in NUL."""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]


def find() -> str | None:
    chosen = os.environ.get("XWALK_CHROMIUM")
    return chosen or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    def __init__(self, program: str, seconds: float = 120):
        self.deadline = time.monotonic() + seconds
        self.folder = tempfile.TemporaryDirectory(prefix="xwalk-chromium-", ignore_cleanup_errors=True)
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()

        def wire():
            # Move them beyond 3 and 4 first, which one of the pipes may use.
            a, b = os.dup(to_read), os.dup(from_write)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--no-first-run", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder.name}", "about:blank"],
            # Without a sanitizer's runtime, with which it does not answer.
            env={**os.environ, "LD_PRELOAD": ""}, preexec_fn=wire, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.buffer, self.next, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to_write)
        os.close(self.from_read)
        self.folder.cleanup()

    def receive(self) -> dict:
        while b"\0" not in self.buffer:
            left = self.deadline - time.monotonic()
            if left <= 0 or not select.select([self.from_read], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.from_read, 1 << 20)
            if not piece:
                raise RuntimeError("the browser ended")
            self.buffer += piece
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method: str, **params) -> dict:
        self.next += 1
        message = {"id": self.next, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.next:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, page: pathlib.Path, width: int, height: int = 900, scripts: bool = True,
             dark: bool = False) -> None:
        self.resize(width, height)
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events.clear()
        self.call("Page.navigate", url=page.resolve().as_uri())
        self.wait_until_loaded()

    def resize(self, width: int, height: int = 900) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)

    def reload(self) -> None:
        self.events.clear()
        self.call("Page.reload")
        self.wait_until_loaded()

    def wait_until_loaded(self) -> None:
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())

    def value(self, expression: str):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def complaints(self) -> list[str]:
        """What the page's console holds: errors, and what its own policy refused."""
        return [event["params"]["entry"]["text"] for event in self.events
                if event.get("method") == "Log.entryAdded"]

    def click(self, selector: str) -> None:
        box = self.value(f"(()=>{{const r=document.querySelector({json.dumps(selector)})"
                         ".getBoundingClientRect();return [r.x+r.width/2,r.y+r.height/2]})()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left",
                      clickCount=1)

    def type(self, selector: str, text: str) -> None:
        self.click(selector)
        self.call("Input.insertText", text=text)

    def screenshot(self, target: pathlib.Path, whole: bool = True) -> None:
        params = {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            params = {"captureBeyondViewport": True, "clip": {
                "x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 8000),
                "scale": 1}}
        image = self.call("Page.captureScreenshot", format="png", **params)
        target.write_bytes(base64.b64decode(image["data"]))
