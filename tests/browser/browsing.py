"""A JupyterLab server on a course, and what people do in its notebooks."""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

START = 30.0  # seconds a server may take to answer
SLOW = 60_000  # milliseconds: a kernel or nbgrader starts anew
# No question about news; and every cell is there at once, not only those near the screen.
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"windowingMode": "none"},
}


class Server:
    """JupyterLab in a folder, as the teacher starts it, with settings of its own."""

    def __init__(self, folder: Path):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url, self._token = f"http://127.0.0.1:{port}", "for-this-test"
        command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"]
        command += [f"--port={port}", "--port-retries=0", f"--IdentityProvider.token={self._token}"]
        self.log, self._own = folder.parent / "jupyter.log", folder.parent / "jupyter"
        for name, values in SETTINGS.items():
            self.set(name, values)
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command, cwd=folder, env=self._environment(), stdout=log, stderr=subprocess.STDOUT
            )
        self._wait()

    def _environment(self) -> dict[str, str]:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # nbgrader calls alembic
        own = {f"JUPYTERLAB_{name}_DIR": str(self._own / name.lower()) for name in ("SETTINGS", "WORKSPACES")}
        return os.environ | {"PATH": path, "JUPYTER_CONFIG_DIR": str(self._own / "config")} | own

    def set(self, name: str, values: dict) -> None:
        """A setting of JupyterLab's, from the next page on."""
        file = self._own / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))

    def _wait(self) -> None:
        deadline = time.monotonic() + START
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                urllib.request.urlopen(f"{self.url}/api?token={self._token}", timeout=5)
                return
            except OSError:
                time.sleep(0.2)
        self.close()
        pytest.fail(f"JupyterLab did not start: {self.log.read_text(errors='replace')[-2000:]}")

    def visit(self, page: Page, path: str) -> None:
        """Open a page of the server, logged in."""
        page.goto(f"{self.url}/api?token={self._token}")
        page.goto(f"{self.url}/{path}", timeout=START * 1000)

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Notebook:
    """A notebook that is open in JupyterLab, its kernel ready."""

    def __init__(self, server: Server, page: Page, path: str):
        self._page = page
        server.visit(page, f"lab/tree/{path}?reset")
        self._panel = page.locator(".jp-NotebookPanel")
        expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle", timeout=SLOW)

    def cell(self, text: str) -> Locator:
        """The first code cell that holds this text."""
        editor = self._page.locator(".cm-content", has_text=text)
        return self._panel.locator(".jp-CodeCell").filter(has=editor).first

    def write(self, cell: Locator, text: str) -> None:
        """Put this text in the place of a cell's."""
        cell.locator(".cm-content").fill(text)

    def run(self, cell: Locator) -> Locator:
        """Run a cell; what it gave."""
        prompt = cell.locator(".jp-InputPrompt")
        before = prompt.inner_text()
        cell.locator(".cm-content").press("Control+Enter")
        expect(prompt).not_to_have_text(before)
        expect(prompt).to_have_text(re.compile(r"\d"), timeout=SLOW)
        return cell.locator(".jp-Cell-outputArea")

    def run_all(self) -> None:
        """Run every cell, and wait until the last one is through."""
        self._page.get_by_role("menuitem", name="Run", exact=True).click()
        self._page.locator(".lm-Menu-itemLabel", has_text="Run All Cells").first.click()
        waiting = self._panel.locator(".jp-CodeCell .jp-InputPrompt", has_text=re.compile(r"\[[ *]\]"))
        expect(waiting).to_have_count(0, timeout=SLOW)

    def save(self) -> None:
        self._page.keyboard.press("Control+s")
        expect(self._page.locator(".lm-TabBar-tab.jp-mod-dirty")).to_have_count(0)

    def close(self) -> None:
        """Stop the kernel, so that it takes no memory from the next one."""
