"""The look of nbgrader's feedback pages, which follows the browser's: light or dark."""

from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from pygments.formatters import HtmlFormatter
from traitlets import Bool

DARK = "(prefers-color-scheme: dark)"
STYLES = {f"not all and {DARK}": "default", DARK: "github-dark"}


class PageStyle(CSSHTMLHeaderPreprocessor):
    """Hands nbgrader's template the colors of code, and what is changed on the page, as CSS."""

    enabled = Bool(True)  # nbgrader only names it

    def _generate_header(self, _resources: dict) -> list[str]:
        code = [
            f"@media {when} {{ {HtmlFormatter(style=style).get_style_defs(self.highlight_class)} }}"
            for when, style in STYLES.items()
        ]
        page = Path(__file__).with_name("feedbackpage") / "page.css"
        return [*code, page.read_text(encoding="utf-8")]
