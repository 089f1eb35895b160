"""IPython's shell without a kernel, as work is run where nobody watches: when it is graded, and when students
look at it from the command line."""

from typing import Any

from IPython.core.interactiveshell import InteractiveShell

NOT_AVAILABLE = "not available while grading"
COMMANDS = ("bash", "sh", "script", "system", "sx", "cmd", "perl", "ruby")


class BareShell(InteractiveShell):
    """It opens no window, and starts no other program: what asks for one prints that there is none."""

    def __init__(self, **more: Any):
        super().__init__(**more)
        self.register_magic_function(self._refuse, "line", "pip")
        for magic in COMMANDS:
            self.register_magic_function(self._refuse, "cell", magic)

    def enable_gui(self, gui: str | None = None) -> None:
        """No event loop is integrated: figures are drawn inline."""

    def system(self, cmd: str) -> None:
        self._refuse(cmd)

    def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> list[str]:
        return [NOT_AVAILABLE]

    def _refuse(self, *_: str) -> None:
        print(NOT_AVAILABLE)
