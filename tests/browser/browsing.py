"""A JupyterLab server on a course, and what people do in its notebooks."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
import numpy as np
import pytest
from numpy.typing import ArrayLike
from playwright.sync_api import BrowserContext, Locator, Page, expect, sync_playwright

from autograder.grading import source
from autograder.grading.course import Lesson
from autograder.moment import GRADING

START = 120.0  # seconds a server may take to answer
SLOW = 300_000  # milliseconds that cells may take on a busy machine: a kernel starts, a model is trained
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
# No question about news; light and dark as the browser says; and every cell is there at once, not only those
# near the screen.
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "apputils-extension/themes": {"adaptive-theme": True},
    "notebook-extension/tracker": {"windowingMode": "none"},
}


@contextmanager
def chromium() -> Iterator[BrowserContext]:
    """Debian's Chromium, with the patience that a busy machine needs."""
    path = shutil.which("chromium")
    assert path, "install Debian's package chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.set_default_timeout(START * 1000)
        expect.set_options(timeout=START * 1000)
        yield context
        browser.close()


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
        self._write_settings()
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command, cwd=folder, env=self._environment(), stdout=log, stderr=subprocess.STDOUT
            )
        self._wait()

    def _environment(self) -> dict[str, str]:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # nbgrader calls alembic
        own = {f"JUPYTERLAB_{name}_DIR": str(self._own / name.lower()) for name in ("SETTINGS", "WORKSPACES")}
        return os.environ | {"PATH": path, "JUPYTER_CONFIG_DIR": str(self._own / "config")} | own

    def _write_settings(self) -> None:
        for name, values in SETTINGS.items():
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


def solved(lesson: Lesson, folder: Path) -> str:
    """The lesson with its solutions; its path below the course that `folder` is in.

    Its trainings are as short as in a grader's sandbox: what they learn is no matter here.
    """
    notebook = source.read(lesson)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(f"import os\nos.environ[{GRADING!r}] = '1'"))
    home = folder / lesson.name
    home.mkdir(parents=True)
    nbformat.write(notebook, home / lesson.release.name)
    shutil.copy(lesson.public_checks, home)
    return f"{folder.name}/{lesson.name}/{lesson.release.name}"


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

    def stop(self) -> None:
        """End the kernel, so that the next one has the memory."""
        self._page.get_by_role("menuitem", name="Kernel", exact=True).click()
        self._page.locator(".lm-Menu-itemLabel", has_text="Shut Down Kernel").first.click()
        expect(self._page.locator("#jp-main-statusbar")).to_contain_text("No Kernel")


class Panel:
    """The controls below the picture that a cell shows, and the numbers of the picture."""

    def __init__(self, cell: Locator):
        self._box = cell.locator(".jp-OutputArea-output .widget-vbox")
        self._picture = self._box.get_by_role("img")

    def choose(self, preset: str) -> None:
        self._box.get_by_role("button", name=preset, exact=True).click()

    def set(self, name: str, value: float | bool | str) -> None:
        """Move the control of that name: a tick box, a choice or a slider, whose number is typed."""
        control = self._control(name)
        if isinstance(value, bool):
            control.get_by_role("checkbox").set_checked(value)
        elif isinstance(value, str):
            control.get_by_role("combobox").select_option(value)
        else:
            control.locator(".widget-readout").fill(str(value))
            control.locator(".widget-readout").press("Enter")

    def press(self, name: str, key: str) -> None:
        """Move a slider's handle by a key."""
        self._control(name).get_by_role("slider").press(key)

    def _control(self, name: str) -> Locator:
        label = self._box.page.locator("label").get_by_text(name, exact=True)
        return self._box.locator(".widget-inline-hbox").filter(has=label)

    def numbers(self) -> dict[str, np.ndarray]:
        """The matrices of the picture, as its description says them."""
        said = (self._picture.get_attribute("alt") or "").removeprefix("Matrices. ").removesuffix(".")
        parts = [re.fullmatch(r"(.+) \(\d+×\d+\): (\[[^…]*\])", part) for part in said.split("; ")]
        return {part[1]: np.array(json.loads(part[2])) for part in parts if part}

    def moves(self, name: str, value: float | bool | str) -> None:
        """Move a control, and wait for another picture."""
        before = self._picture.get_attribute("src") or ""
        self.set(name, value)
        expect(self._picture).not_to_have_attribute("src", before)

    def shows(
        self,
        name: str,
        wanted: ArrayLike,
        to: float = 6e-4,
        rows: slice = slice(None),
        columns: slice = slice(None),
    ) -> None:
        """Wait until this part of the matrix of that name holds these numbers, each to within `to`."""

        def seen() -> np.ndarray:
            return self.numbers().get(name, np.empty((0, 0)))[rows, columns]

        deadline = time.monotonic() + START
        while not _agree(seen(), wanted, to) and time.monotonic() < deadline:
            self._box.page.wait_for_timeout(100)
        np.testing.assert_allclose(seen(), wanted, rtol=0, atol=to)


def _agree(shown: np.ndarray, wanted: ArrayLike, to: float) -> bool:
    return shown.shape == np.shape(wanted) and bool(np.allclose(shown, wanted, 0, to))
