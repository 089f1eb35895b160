"""A JupyterLab server on a small graded course."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Page

START = 120.0  # seconds a server may take to answer


class Server:
    """JupyterLab in a folder, as the teacher starts it."""

    def __init__(self, folder: Path):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url, self._token = f"http://127.0.0.1:{port}", "for-this-test"
        command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"]
        command += [f"--port={port}", "--port-retries=0", f"--IdentityProvider.token={self._token}"]
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # nbgrader calls alembic
        self.log = folder.parent / "jupyter.log"
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command, cwd=folder, env=os.environ | {"PATH": path}, stdout=log, stderr=subprocess.STDOUT
            )
        self._wait()

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
