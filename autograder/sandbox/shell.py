"""The shell that runs a submission's cells: IPython's own, its outputs kept as notebook outputs under a cap.

The display publisher, the display hook and the traceback are replaced through IPython's documented traits,
as ipykernel replaces them; there is no kernel, no socket and no thread.
"""

import ast
import base64
import builtins
import contextlib
import io
import sys
from types import ModuleType
from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

from autograder.bareshell import NOT_AVAILABLE, BareShell


class Outputs:
    """The outputs of one cell, in order, streams joined; what goes over a cap is cut with one line that says
    so."""

    def __init__(self, max_text: int, max_pictures: int):
        self._text_left, self._pictures_left = max_text, max_pictures
        self.items: list[dict[str, Any]] = []

    def stream(self, name: str, text: str) -> None:
        text = self._cut(text)
        if not text:
            return
        last = self.items[-1] if self.items else {}
        if last.get("output_type") == "stream" and last["name"] == name:
            last["text"] += text
        else:
            self.items.append({"output_type": "stream", "name": name, "text": text})

    def data(
        self, kind: str, data: dict[str, Any], metadata: dict[str, Any], count: int | None = None
    ) -> None:
        kept = {mime: value for mime, value in ((m, self._mime(m, v)) for m, v in data.items()) if value}
        if not kept:
            return
        item = {"output_type": kind, "data": kept, "metadata": metadata if isinstance(metadata, dict) else {}}
        self.items.append(item | ({"execution_count": count} if kind == "execute_result" else {}))

    def error(self, name: str, text: str, lines: list[str]) -> None:
        traceback = [self._cut(line) for line in lines]
        self.items.append(
            {"output_type": "error", "ename": name, "evalue": self._cut(text), "traceback": traceback}
        )

    def _mime(self, mime: str, value: Any) -> str:
        if mime.startswith("image/") and mime != "image/svg+xml":
            text = base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)
            self._pictures_left -= len(text)
            return text if self._pictures_left >= 0 else ""
        return self._cut(value) if isinstance(value, str) else ""

    def _cut(self, text: str) -> str:
        if self._text_left <= 0:
            return ""
        kept = text[: self._text_left]
        self._text_left -= len(text)
        return kept if self._text_left > 0 else kept + "\n[the rest of this output was cut]\n"


class _Stream(io.TextIOBase):
    """sys.stdout or sys.stderr of a cell."""

    encoding = "utf-8"

    def __init__(self, name: str, shell: "CellShell"):
        self._name, self._shell = name, shell

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if self._shell.outputs is not None:
            self._shell.outputs.stream(self._name, text)
        return len(text)


class _Publisher(DisplayPublisher):
    def publish(self, data: dict, metadata: dict | None = None, **_: Any) -> None:
        if self.shell.outputs is not None:
            self.shell.outputs.data("display_data", data, metadata or {})

    def clear_output(self, wait: bool = False) -> None:
        if self.shell.outputs is not None:
            self.shell.outputs.items.clear()


class _Hook(DisplayHook):
    def write_output_prompt(self) -> None:
        """No prompt: the number travels with the result."""

    def write_format_data(self, format_dict: dict, md_dict: dict | None = None) -> None:
        if self.shell.outputs is not None:
            self.shell.outputs.data("execute_result", format_dict, md_dict or {}, self.prompt_count)


class _Compiler(CachingCompiler):
    """Names the code of a cell after its number, so that a traceback tells the student's own line."""

    cell = 0

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        return cell_file(self.cell)


def cell_file(number: int) -> str:
    """The file name that stands for a cell in tracebacks."""
    return f"<cell {number}>"


def _line_of_cell(error: BaseException, number: int) -> int:
    """The line of a cell at which an error left it; 0 where it did not get as far as to run."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == cell_file(number):
            return trace.tb_lineno
        trace = trace.tb_next
    return 0


def _no_input(prompt: str = "") -> str:
    raise EOFError(f"input() is {NOT_AVAILABLE}")  # IPython's own error would pass for a stub left in place


class CellShell(BareShell):
    """`run_cell_outputs(source, number)` runs a cell and returns its nbformat outputs and the exception, if
    any."""

    displayhook_class = Type(_Hook)
    display_pub_class = Type(_Publisher)
    compiler_class = Type(_Compiler)

    def __init__(self):
        config = Config()
        config.HistoryManager.enabled = False
        config.HistoryManager.hist_file = ":memory:"
        config.InteractiveShell.xmode = "Plain"  # a decorated traceback costs up to 0.2 s
        config.InteractiveShell.colors = "nocolor"
        self.outputs: Outputs | None = None
        self.caps = (0, 0)  # characters of text and bytes of pictures kept of one cell; set in the fork
        module = ModuleType("__main__")
        sys.modules["__main__"] = module
        super().__init__(config=config, user_module=module, user_ns=module.__dict__)
        InteractiveShell._instance = self  # get_ipython(), for display() and the inline figures
        self.display_formatter.active = True
        self.streams = (_Stream("stdout", self), _Stream("stderr", self))

    def run_cell_outputs(self, source: str, number: int) -> tuple[list[dict[str, Any]], BaseException | None]:
        self.compile.cell = number
        with self.captured() as outputs:
            result = self.run_cell(source, store_history=True)
            self._run_rest(source, number, result.error_in_exec)
        return outputs.items, result.error_in_exec or result.error_before_exec

    def _run_rest(self, source: str, number: int, error: BaseException | None) -> None:
        """Run what stands in a cell after the statement that failed, as in a Python file: where a package is
        not installed, functions further down have still been written. Only the first error is shown."""
        line = _line_of_cell(error, number) if isinstance(error, Exception) else 0
        statements = ast.parse(self.transform_cell(source)).body if line else []
        for statement in statements:
            if statement.lineno > line:
                try:
                    code = self.compile(ast.Module([statement], []), cell_file(number), "exec")
                    exec(code, self.user_ns)
                except Exception:
                    continue
                except BaseException:  # the limit, or an exit: both end a cell
                    break

    @contextlib.contextmanager
    def captured(self):
        """Collect everything displayed within; input() is refused, as when a notebook is run unattended."""
        self.outputs = Outputs(*self.caps)
        builtins.input = _no_input
        with self.silenced():
            try:
                yield self.outputs
            finally:
                self.outputs = None

    @contextlib.contextmanager
    def silenced(self):
        """What is printed within goes to the outputs being captured, or nowhere."""
        with contextlib.redirect_stdout(self.streams[0]), contextlib.redirect_stderr(self.streams[1]):
            yield

    def _showtraceback(self, etype: type, evalue: BaseException, stb: list[str]) -> None:
        if self.outputs is not None:
            self.outputs.error(etype.__name__, str(evalue), list(stb))
