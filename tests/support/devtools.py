"""A headless Chromium that is driven through its DevTools protocol, over a pipe."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import which
from typing import Any

FLAGS = """
    --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update
    --disable-sync --hide-scrollbars --remote-debugging-pipe
""".split()
SECONDS = 20


class Page:
    """A tab, in which things are typed and looked at."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self.to_browser = to_browser
        self.from_browser = from_browser
        self.last = 0
        self.buffer = b""
        self.session: str | None = None
        # What the browser has told without being asked.
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Any:
        self.last += 1
        message: dict[str, Any] = {"id": self.last, "method": method, "params": parameters}
        if self.session is not None:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to_browser, data) :]
        while True:
            answer = self.read()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def read(self) -> dict[str, Any]:
        while b"\0" not in self.buffer:
            more = os.read(self.from_browser, 1 << 16)
            if not more:
                raise EOFError("Chromium has ended")
            self.buffer += more
        message, _, self.buffer = self.buffer.partition(b"\0")
        decoded: dict[str, Any] = json.loads(message)
        return decoded

    def go(self, url: str) -> None:
        # Not the same document with another fragment.
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def value(self, expression: str) -> Any:
        """What JavaScript gives, which the page's policy does not hinder."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, condition: str) -> None:
        end = time.monotonic() + SECONDS  # clock: deadline
        while not self.value(condition):
            if time.monotonic() > end:
                raise TimeoutError(f"not within {SECONDS} s: {condition}")
            time.sleep(0.01)

    def type(self, selector: str, text: str) -> None:
        """As a person would, into a field that is emptied before."""
        self.value(f"document.querySelector({json.dumps(selector)}).select()")
        self.value(f"document.querySelector({json.dumps(selector)}).focus()")
        self.press("Backspace", 8)
        self.call("Input.insertText", text=text)

    def press(self, key: str, code: int, text: str = "") -> None:
        """`text` is what the key types, such as a carriage return by Enter, which presses a button."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, text=text)

    def color_scheme(self, name: str) -> None:
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def resize(self, width: int, height: int) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def screenshot(self, width: int, height: int) -> bytes:
        self.resize(width, height)
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])


@contextmanager
def chromium(*flags: str) -> Iterator[Page]:
    program = which("chromium")
    if program is None:
        raise FileNotFoundError("no chromium: Debian's package of that name has it")
    # It reads from 3 and writes to 4.
    theirs_in, to_browser = os.pipe()
    from_browser, theirs_out = os.pipe()
    moved = f'exec {program} "$@" 3<&{theirs_in} 4>&{theirs_out}'
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            ["bash", "-c", moved, "bash", *FLAGS, *flags, f"--user-data-dir={profile}"],
            pass_fds=(theirs_in, theirs_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        try:
            yield Page(to_browser, from_browser)
        finally:
            os.close(to_browser)
            os.close(from_browser)
            browser.terminate()
            browser.wait()
