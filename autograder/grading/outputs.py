"""Outputs a submission says it displayed, cut down to what a notebook may hold and a page may show."""

from typing import Any

from autograder.grading.limits import Limits

MIMES = ("text/plain", "text/html", "text/markdown", "text/latex", "image/png", "image/jpeg")


def cleaned(outputs: list[dict[str, Any]], limits: Limits) -> list[dict[str, Any]]:
    """Well-formed nbformat outputs of the known kinds, under the caps: what comes is only the sandbox's
    word."""
    kept, left = [], limits.output * 2 + limits.pictures
    for output in outputs[:1000]:
        clean = _clean(output)
        left -= _size(clean) if clean else 0
        if clean and left >= 0:
            kept.append(clean)
    return kept


def _clean(output: dict[str, Any]) -> dict[str, Any] | None:
    match output:
        case {"output_type": "stream", "name": "stdout" | "stderr" as name, "text": str(text)}:
            return {"output_type": "stream", "name": name, "text": text}
        case {"output_type": "error", "ename": str(name), "evalue": str(text), "traceback": list(lines)}:
            lines = [line for line in lines if isinstance(line, str)]
            return {"output_type": "error", "ename": name, "evalue": text, "traceback": lines}
        case {"output_type": "display_data" | "execute_result" as kind, "data": dict(data)}:
            return _display(kind, data, output.get("execution_count"))
    return None


def _display(kind: str, data: dict[str, Any], count: Any) -> dict[str, Any] | None:
    data = {mime: data[mime] for mime in MIMES if isinstance(data.get(mime), str)}
    if not data:
        return None
    clean = {"output_type": kind, "data": data, "metadata": {}}
    if kind == "execute_result":
        clean["execution_count"] = count if type(count) is int and 0 <= count < 2**31 else None
    return clean


def _size(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(_size(item) for item in value.values())
    return sum(_size(item) for item in value) if isinstance(value, list) else 0
