"""Randomly broken scenarios: each raises an exception of pacesim or runs. No panic reaches Python."""

import os
import pathlib
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


def outcome(path, moment="20ms"):
    """The outcome of a short run of a file."""
    try:
        ps.load(path).world().run_until(moment)
        return "ran"
    except ps.Error as error:
        assert str(error)
        return "refused"


def outcome_of_study(path):
    """The outcome of reading a study."""
    try:
        ps.study(path)
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


MUTANTS = pathlib.Path(os.environ.get("PACESIM_MUTANTS", "/nowhere"))


@pytest.mark.skipif(not MUTANTS.is_dir(), reason="scripts/soak.sh python writes them")
def test_mutants_of_the_soak_are_refused_or_run(capsys):
    ended = {"scenario": [], "study": []}
    for path in sorted(MUTANTS.glob("*/scenario.toml")):
        # Short, as some have thousands of members.
        ended["scenario"].append(outcome(path, "1us"))
    for path in sorted(MUTANTS.glob("*/study.toml")):
        ended["study"].append(outcome_of_study(path))
    with capsys.disabled():
        for kind, ends in ended.items():
            print(f"\n{len(ends)} of {kind}: {ends.count('ran')} accepted, {ends.count('refused')} refused")
    assert all(set(ends) == {"refused", "ran"} for ends in ended.values()), "both kinds are tried"
