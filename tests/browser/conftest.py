"""One page of Debian's Chromium for all tests of the session: Playwright runs but once in a process."""

import shutil
from collections.abc import Iterator

import pytest
from browsing import START
from playwright.sync_api import Page, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="session")
def page() -> Iterator[Page]:
    chromium = shutil.which("chromium")
    assert chromium, "install Debian's package chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(START * 1000)
        yield page
        browser.close()
