"""The controls below a picture in a live notebook: a button for each preset, a control for each argument."""

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets
from IPython.display import display

Setting = dict[str, Any]


class Panel:
    """`draw(setting)` shows the picture of a setting; it is called anew whenever a control moves."""

    def __init__(
        self, draw: Callable[[Setting], None], presets: Mapping[str, Setting], controls: Mapping[str, Any]
    ) -> None:
        self._draw, self._presets = draw, presets
        self.buttons = widgets.ToggleButtons(options=list(presets), description="preset")
        self.buttons.style.button_width = "auto"  # else a long name is cut off
        first = next(iter(presets.values()))
        self.controls = {
            name: _control(name, control, first[name]) for name, control in controls.items() if name in first
        }
        self.output = widgets.Output()
        self.box = widgets.VBox([self.buttons, *self.controls.values(), self.output])
        self._setting = dict(first)
        self._moving = False  # while a preset moves the controls, they draw nothing of their own
        self.buttons.observe(self._choose, "value")
        for control in self.controls.values():
            control.observe(self._move, "value")
        self._show()

    def _choose(self, change: Mapping[str, Any]) -> None:
        if change["new"] is None:
            return
        self._setting = dict(self._presets[change["new"]])
        self._moving = True
        for name, control in self.controls.items():
            control.value = self._setting[name]
        self._moving = False
        self._show()

    def _move(self, _: Any) -> None:
        if self._moving:
            return
        self._setting |= {name: control.value for name, control in self.controls.items()}
        named = next((name for name, each in self._presets.items() if each == self._setting), None)
        shown_by_button = named is not None and named != self.buttons.value
        self.buttons.value = named
        if not shown_by_button:
            self._show()

    def _show(self) -> None:
        self.output.clear_output(wait=True)
        with self.output:
            self._draw(dict(self._setting))


def show_panel(
    draw: Callable[[Setting], None], presets: Mapping[str, Setting], controls: Mapping[str, Any]
) -> None:
    """Show the panel, at the first preset."""
    display(Panel(draw, presets, controls).box)


def _control(name: str, control: Any, value: Any) -> widgets.Widget:
    common = {"description": name, "value": value}
    if control is bool:
        return widgets.Checkbox(**common)
    if isinstance(control, range):
        return widgets.IntSlider(**common, min=control.start, max=control[-1], step=control.step)
    if isinstance(control, tuple):
        low, high, *given = control
        step = given[0] if given else (high - low) / 32
        return widgets.FloatSlider(**common, min=low, max=high, step=step, readout_format=".2f")
    return widgets.Dropdown(**common, options=list(control))
