#!/usr/bin/env python3
"""Table of the number of exact traces per variant, and the differences of the others.

usage: tally.py FOLDER SANS_IO_OUTPUT ENGINE_OUTPUT

The outputs are those of the two tests called ns2_traces: a line "NAME: why" for each
trace that differs, then "N traces, N exact".
"""
import json
import math
import pathlib
import re
import sys

from bottleneck import rounding


def misses(output, names):
    """The reason of each trace's difference. The test must have run all of them."""
    text = pathlib.Path(output).read_text()
    why = dict(re.findall(r"(random-\d+-\d+)(?:\.json)?: (?!\d+ traces)(.*)", text))
    if f"{len(names)} traces, {len(names) - len(why)} exact" not in text:
        sys.exit(f"the test did not get through all traces:\n{text}")
    return why


def time_of(what):
    """The seconds at which a difference begins: "what N: ns-2 (TIME, ...), we (TIME, ...)"; never,
    where one list is only longer."""
    units = {"s": 1, "ms": 1e-3, "us": 1e-6}
    times = re.findall(r"\(([0-9.]+)([mu]?s),", what)
    return min((float(number) * units[unit] for number, unit in times), default=math.inf)


def main():
    folder, *outputs = sys.argv[1:]
    cases = {p.stem: json.loads(p.read_text(), parse_float=str) for p in sorted(pathlib.Path(folder).glob("*.json"))}
    ways = dict(zip(("sans-IO", "engine"), (misses(o, cases) for o in outputs)))
    print("| variant | cases | with ACK losses | delayed ACKs | exact, sans-IO | exact, through the engine |")
    print("| --- | --- | --- | --- | --- | --- |")
    for variant in ("tahoe", "reno", "newreno", "sack", "fack", "all"):
        of = [n for n, c in cases.items() if variant in (c["variant"], "all")]
        lossy = sum(bool(cases[n]["ack_drops"]) for n in of)
        delayed = sum(cases[n]["sink"].endswith("DelAck") for n in of)
        exact = [sum(n not in why for n in of) for why in ways.values()]
        print(f"| {variant} | {len(of)} | {lossy} | {delayed} | {exact[0]} | {exact[1]} |")
    for way, why in ways.items():
        for name, what in why.items():
            case = cases[name]
            print(f"{way}: {name} ({case['variant']}, {case['profile']}, {case['sink']}): {what}")
            print(f"  cause: {rounding(case, time_of(what)) or 'not known'}")


if __name__ == "__main__":
    main()
