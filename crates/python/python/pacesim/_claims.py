"""Judged claims, shown as a table in notebooks."""

from typing import Any


class Claims(tuple[dict[str, Any], ...]):
    """The claims of a study or an experiment, each a dict with its text, its verdict, and the numbers behind it."""

    __slots__ = ()

    def table(self, caption: str) -> str:
        """The claims as HTML."""
        keys = ["claim", "verdict", "paper", "ours", "accepts"]
        head = _row(["claim", "verdict", "paper", "ours", "accepted"], "th")
        rows = "".join(_row([_shown(claim.get(key)) for key in keys], "td") for claim in self)
        return f"<table><caption>{_escaped(caption)}</caption><thead>{head}</thead><tbody>{rows}</tbody></table>"

    def _repr_html_(self) -> str:
        return self.table("1 claim" if len(self) == 1 else f"{len(self)} claims")


def _row(cells: list[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{_escaped(cell)}</{tag}>' for cell in cells)}</tr>"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _shown(value: object) -> str:
    return "" if value is None else str(value)
