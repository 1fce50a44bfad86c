"""Exceptions, with the messages of the program."""

from typing import NamedTuple


class Problem(NamedTuple):
    """A mistake in a scenario or a study, and its place. Line and column count from 1; 0 means none."""

    file: str
    line: int
    column: int
    key: str
    message: str
    remedy: str | None


class Error(Exception):
    """The base of pacesim's exceptions."""


class ScenarioError(Error, ValueError):
    """Mistakes in a scenario or a study; the message is the program's and lists all."""

    problems: list[Problem]

    def __init__(self, text: str, problems: list[Problem]) -> None:
        super().__init__(text, problems)
        self.problems = problems

    def __str__(self) -> str:
        return str(self.args[0])

    @property
    def file(self) -> str:
        """The file of the first problem."""
        return self.problems[0].file

    @property
    def line(self) -> int:
        """The line of the first problem."""
        return self.problems[0].line

    @property
    def column(self) -> int:
        """The column of the first problem."""
        return self.problems[0].column

    @property
    def key(self) -> str:
        """The key of the first problem."""
        return self.problems[0].key

    @property
    def remedy(self) -> str | None:
        """The remedy of the first problem."""
        return self.problems[0].remedy


class UsageError(Error, ValueError):
    """Invalid arguments."""


class AbsentError(Error, LookupError):
    """An unknown name; the message suggests the nearest one."""


class RunError(Error, RuntimeError):
    """Work that failed or exceeded a limit; nothing was written."""
