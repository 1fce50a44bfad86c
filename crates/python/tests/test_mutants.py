"""Randomly broken scenarios: each raises an exception of pacesim or runs. No panic reaches Python."""

import random

import pacesim as ps
import pytest
from conftest import ROOT

VALUES = ['""', "-1", "0", "1e400", "nan", "[]", "{}", "true", '"10Mbps"', '"5ms"', '"nobody"', "18446744073709551616", '"\\u0000"']


def mutants(text, draws, count):
    lines = text.splitlines()
    keys = [number for number, line in enumerate(lines) if "=" in line and not line.lstrip().startswith("#")]
    for _ in range(count):
        broken = list(lines)
        for number in draws.sample(keys, draws.choice([1, 1, 2])):
            key = broken[number].split("=")[0]
            broken[number] = draws.choice(
                ["", broken[number] + "\n" + broken[number], broken[number][:-1], f"{key}= {draws.choice(VALUES)}"]
            )
        yield "\n".join(broken)


def outcome(path):
    """The outcome of a short run of a file."""
    try:
        ps.load(path).world().run_until("20ms")
        return "ran"
    except ps.Error as error:
        assert str(error)
        return "refused"


@pytest.mark.parametrize("name", ["dumbbell.toml", "sources.toml", "codel.toml", "senders.toml"])
def test_broken_scenarios_are_refused_or_run(name, tmp_path):
    text = (ROOT / "scenarios" / name).read_text()
    ended = []
    for number, mutant in enumerate(mutants(text, random.Random(name), 60)):
        path = tmp_path / f"{number}.toml"
        path.write_text(mutant)
        ended.append(outcome(path))
    assert set(ended) == {"refused", "ran"}, "both kinds are tried"
