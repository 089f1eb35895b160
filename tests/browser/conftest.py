"""Debian's Chromium and a JupyterLab server, started once for all tests: both take seconds, and Playwright
runs but once in a process."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Server, chromium
from playwright.sync_api import BrowserContext, Page
from small_class import Class

from autograder.grading.course import Course


@pytest.fixture(scope="session")
def browser() -> Iterator[BrowserContext]:
    with chromium() as context:
        yield context


@pytest.fixture
def page(browser: BrowserContext) -> Iterator[Page]:
    """A page that no other test has left something on."""
    page = browser.new_page()
    yield page
    page.close()


@pytest.fixture(scope="session")
def tides(released_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Class:
    """The class of the course that the server stands in: each test has students of its own."""
    course = Course(shutil.copytree(released_once, tmp_path_factory.mktemp("served") / "course"))
    tides = Class(course)
    tides.write_suites()
    return tides


@pytest.fixture(scope="session")
def server(tides: Class) -> Iterator[Server]:
    server = Server(tides.course.root)
    yield server
    server.close()
