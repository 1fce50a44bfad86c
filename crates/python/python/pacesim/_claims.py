"""Judged claims, shown as a table in notebooks."""

from typing import Any


class Claims(tuple[dict[str, Any], ...]):
    """The claims of a study or an experiment, each a dict with its text, its verdict, and the numbers behind it."""

    __slots__ = ()

    def table(self, caption: str) -> str:
        """The claims as HTML."""
        keys = ["claim", "verdict", "paper", "ours", "accepts"]
        head = _row(["claim", "verdict", "paper", "ours", "accepted"], "th")
        rows = "".join(_row([_shown(claim, key) for key in keys], "td") for claim in self)
        return f"<table><caption>{_escaped(caption)}</caption><thead>{head}</thead><tbody>{rows}</tbody></table>"

    def _repr_html_(self) -> str:
        return self.table("1 claim" if len(self) == 1 else f"{len(self)} claims")


def _row(cells: list[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{_escaped(cell)}</{tag}>' for cell in cells)}</tr>"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _shown(claim: dict[str, Any], key: str) -> str:
    value = claim.get(key)
    if isinstance(value, float | int):
        if claim.get("in_percent"):
            return f"{100 * value:.6g} %"
        if unit := claim.get("unit"):
            return _amount(value, unit)
    return "" if value is None else str(value)


_PREFIXES = {
    "bps": [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")],
    "B": [(1e9, "G"), (1e6, "M"), (1e3, "K")],
    "s": [(1, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")],
}


def _amount(value: float, unit: str) -> str:
    """A number in a unit of results with the prefix that fits: 18.7311 Mbps."""
    fits = (pair for pair in _PREFIXES.get(unit, []) if abs(value) >= 0.9995 * pair[0])
    size, prefix = next(fits, (1, ""))
    space = "" if unit.startswith("/") else " "
    return f"{value / size:.6g}{space}{prefix}{unit}"
