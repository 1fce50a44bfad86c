"""A progress bar for long work: a line in a terminal, an output in a notebook, nothing elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Any, Protocol

FIRST_S, EVERY_S = 0.5, 0.2
WIDTH = 24


class _Place(Protocol):
    """Where a bar is drawn."""

    def draw(self, share: float, text: str) -> None:
        """Replaces the previous bar."""

    def clear(self) -> None:
        """Removes it."""


class Terminal:
    """The last line of standard error."""

    def draw(self, share: float, text: str) -> None:
        """Replaces the previous bar."""
        done = min(int(share * WIDTH), WIDTH)
        sys.stderr.write(f"\r\x1b[K{'━' * done}{'─' * (WIDTH - done)} {text}")
        sys.stderr.flush()

    def clear(self) -> None:
        """Removes it."""
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


class Notebook:
    """An output of the running cell."""

    def __init__(self) -> None:
        self._handle: Any = None

    def draw(self, share: float, text: str) -> None:
        """Replaces the previous bar."""
        self._show(f'<progress value="{share:.4f}" max="1"></progress> {text}')

    def clear(self) -> None:
        """Removes it."""
        self._show("")

    def _show(self, html: str) -> None:
        from IPython.display import HTML, display  # type: ignore[import-not-found, unused-ignore]

        if self._handle is None:
            self._handle = display(HTML(html), display_id=True)
        else:
            self._handle.update(HTML(html))


class Bar:
    """A bar that appears after half a second and disappears at the end of the work."""

    def __init__(self, place: _Place) -> None:
        self._place = place
        self._began = self._drawn = time.monotonic()
        self._is_shown = False

    def __call__(self, share: float) -> None:
        """Draws the share of the work done, unless the last drawing is recent."""
        now = time.monotonic()
        if now - self._drawn < (EVERY_S if self._is_shown else FIRST_S):
            return
        self._drawn, self._is_shown = now, True
        left = (now - self._began) * (1 - share) / share if share > 0 else None
        text = f"{share:4.0%}" + ("" if left is None else f", {_time(left)} left")
        self._try(lambda: self._place.draw(share, text))

    def close(self) -> None:
        """Removes it."""
        if self._is_shown:
            self._try(self._place.clear)

    def _try(self, draw: Any) -> None:
        # An error of the bar must not end a run.
        try:
            draw()
        except Exception:
            self._drawn = float("inf")


def _time(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"


def bar() -> Bar | None:
    """A bar in notebooks and terminals, otherwise `None`."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None and hasattr(shell, "kernel"):
        return Bar(Notebook())
    if sys.stderr is not None and sys.stderr.isatty():
        return Bar(Terminal())
    return None
