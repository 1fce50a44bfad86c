#!/usr/bin/env python3
"""Breaks the code of some crates, one small change at a time, and lists the changes that no test notices.

    scripts/code_mutants.py [--count 300] [--seed 1] [--crates fec,measure,core,sim,sweep] [--out results/code-mutants.csv]

A change is of one operator or word outside tests and comments: a comparison with or without its equality or turned round, + for -, * for /,
&& for ||, true for false, min for max, a number off by one. They are picked by the seed from all places there are. Each is made in a copy of
the work tree under target/, built, and tested with the tests of its crate and, for what these let live, with those that its dependents have in
--then (the world and the experiments). A change that does not compile counts for nothing. Results are kept line by line: the same command goes on.
Changes known to be no change stand in scripts/code_mutants.txt, one a line: FILE:LINE: BEFORE => AFTER  # why. Ends with 1 if others live.
"""

import argparse
import csv
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
EQUIVALENT = ROOT / "scripts" / "code_mutants.txt"
PACKAGES = {"sim": "pacesim"}
CHANGES = [
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == "),
    (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "), (r" / ", " * "), (r" \+= ", " -= "), (r" -= ", " += "),
    (r" && ", " || "), (r" \|\| ", " && "), (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
    (r"\.min\(", ".max("), (r"\.max\(", ".min("), (r"\bif !", "if "), (r"\b1\b(?![.\d])", "2"), (r"\b0\b(?![.\dx])", "1"),
]


def places(crate):
    """Every change that could be made in a crate: file, line, before and after."""
    for file in sorted((ROOT / "crates" / crate / "src").rglob("*.rs")):
        if "tests" in file.parts or file.name == "tests.rs":
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if re.match(r"\s*#\[cfg\(test\)\]", line):
                break
            code = line.split("//")[0]
            # Types, attributes and strings contain signs that are not operators.
            if '"' in code or re.match(r"\s*(#|use |pub use |mod |fn |pub fn |pub\(crate\) fn |impl|where|type |struct )", code):
                continue
            for pattern, other in CHANGES:
                for match in re.finditer(pattern, code):
                    after = line[: match.start()] + other + line[match.end() :]
                    yield file.relative_to(ROOT), number, line, after


def name(file, number, before, after):
    return f"{file}:{number}: {before.strip()} => {after.strip()}"


def equivalents():
    lines = EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []
    return {line.split("  # ")[0].strip() for line in lines if line.strip() and not line.startswith("#")}


def tested(copy, package):
    """True if the tests of a package fail, with a time limit against changes that never end."""
    command = ["cargo", "test", "--quiet", "--locked", "-p", package]
    try:
        ended = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=900)
    except subprocess.TimeoutExpired:
        return "noticed"
    if "could not compile" in ended.stderr:
        return "does not compile"
    return "noticed" if ended.returncode else "lives"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--crates", default="fec,measure,core,sim,sweep")
    parser.add_argument("--then", default="pacesim,pacesim-runs,pacesim-probes,pacesim-claims,pacesim-sweep,pacesim-campaign")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "results" / "code-mutants.csv")
    args = parser.parse_args()
    every = [(crate, *place) for crate in args.crates.split(",") for place in places(crate)]
    picked = random.Random(args.seed).sample(every, min(args.count, len(every)))
    known = {row["change"]: row["end"] for row in csv.DictReader(args.out.open())} if args.out.exists() else {}
    args.out.parent.mkdir(parents=True, exist_ok=True)
    copy = ROOT / "target" / "code-mutants"
    if not copy.exists():
        subprocess.run(["git", "worktree", "add", "--detach", str(copy), "HEAD"], cwd=ROOT, check=True)
    for crate, file, number, before, after in picked:
        change = name(file, number, before, after)
        if change in known:
            continue
        source = copy / file
        whole = source.read_text()
        lines = whole.splitlines(keepends=True)
        if lines[number - 1].rstrip("\n") != before:
            sys.exit(f"{file} differs from the copy in {copy}: commit, and remove the copy by `git worktree remove`")
        lines[number - 1] = after + "\n"
        source.write_text("".join(lines))
        try:
            packages = [PACKAGES.get(crate, f"pacesim-{crate}"), *args.then.split(",")]
            end = "lives"
            for package in dict.fromkeys(packages):
                end = tested(copy, package)
                if end != "lives":
                    break
        finally:
            source.write_text(whole)
        known[change] = end
        is_new = not args.out.exists()
        with args.out.open("a", newline="") as out:
            writer = csv.writer(out)
            if is_new:
                writer.writerow(["change", "end"])
            writer.writerow([change, end])
        print(f"{end}: {change}", flush=True)
    ends = [known[name(*place[1:])] for place in picked]
    alive = [name(*place[1:]) for place in picked if known[name(*place[1:])] == "lives" and name(*place[1:]) not in equivalents()]
    print(f"{len(picked)} changes of {len(every)}: {ends.count('noticed')} noticed, {ends.count('does not compile')} do not compile, {len(alive)} live")
    print("\n".join(alive))
    sys.exit(bool(alive))


if __name__ == "__main__":
    main()
