#!/usr/bin/env python3
"""Changes studies so that their claims should break, and lists those that do not.

    scripts/mutations.py [--program target/release/pacesim] [--jobs N] [--out DIR] [ID ...]

scenarios/papers/PAPER/mutations.toml has the changes. Each study is run as it is, and with each of its
changes, at the scale that they give. A claim that passes as it is and no longer passes with a change that
names it is broken. Runs are kept in DIR: the same command again makes only what is missing.
Ends with 1 if a change leaves a claim whole that it names, or if a claim that passes has no change
that breaks it and no [[unbroken]] with a reason.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tomllib

PAPERS = pathlib.Path(__file__).parent.parent / "scenarios" / "papers"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/pacesim")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("results/mutations"))
    parser.add_argument("ids", nargs="*", metavar="ID")
    return parser.parse_args()


def listed():
    """All changes, and the claims that nothing breaks."""
    changes, unbroken = [], set()
    for file in sorted(PAPERS.glob("*/mutations.toml")):
        table = tomllib.loads(file.read_text())
        changes += table.get("mutation", [])
        unbroken |= {(row["id"], row["claim"]) for row in table.get("unbroken", [])}
    return changes, unbroken


UNCHANGED = "as it is"


class Runner:
    """Runs studies, each way once."""

    def __init__(self, args):
        self.args = args
        self.done = {}

    def verdicts(self, study, name, scale, changes):
        """The verdict on each claim of a study with these changes."""
        key = (study, name, scale)
        if key not in self.done:
            self.done[key] = self.run(study, name, scale, changes)
        return self.done[key]

    def folder(self, study, name, scale):
        return self.args.out / f"{study} {name} {scale}".replace("/", "-").replace(" ", "_")

    def run(self, study, name, scale, changes):
        file = PAPERS / f"{study}.study.toml"
        command = "tune" if "tune" in tomllib.loads(file.read_text()) else "sweep"
        folder = self.folder(study, name, scale)
        whole = self.folder(study, UNCHANGED, scale)
        if whole.exists() and not folder.exists():
            shutil.copytree(whole, folder)
        line = [self.args.program, command, str(file), "--scale", str(scale), "--jobs", self.args.jobs]
        line += ["--out", str(folder), "--json", "--quiet"]
        for change in changes:
            line += ["--set", change]
        ended = subprocess.run(line, capture_output=True, text=True)
        if ended.returncode != 0:
            sys.exit(f"{' '.join(line)}\n{ended.stdout}{ended.stderr}")
        claims = json.loads(ended.stdout)["claims"]
        return {claim["claim"]: claim["verdict"] for claim in claims}


def main():
    args = arguments()
    changes, unbroken = listed()
    studies = sorted(str(file.relative_to(PAPERS)).removesuffix(".study.toml") for file in PAPERS.glob("*/*.study.toml"))
    studies = [study for study in studies if not args.ids or study in args.ids]
    if not studies:
        sys.exit("there is no such study")
    changes = [change for change in changes if change["id"] in studies]
    runner, wrong = Runner(args), []
    passed, broken = set(), set()
    for study in set(studies) - {change["id"] for change in changes}:
        whole = runner.verdicts(study, UNCHANGED, 0.1, [])
        passed |= {(study, claim) for claim, verdict in whole.items() if verdict == "PASS"}
    for change in changes:
        study, scale = change["id"], change.get("scale", 0.1)
        whole = runner.verdicts(study, UNCHANGED, scale, [])
        changed = runner.verdicts(study, change["name"], scale, change["set"])
        passing = {claim for claim, verdict in whole.items() if verdict == "PASS"}
        breaks = {claim for claim in passing if changed.get(claim) != "PASS"}
        passed |= {(study, claim) for claim in passing}
        broken |= {(study, claim) for claim in breaks}
        kept = [claim for claim in change["breaks"] if claim in passing - breaks]
        wrong += [f"{study}: \"{change['name']}\" does not break: {claim}" for claim in kept]
        named = len([claim for claim in change["breaks"] if claim in passing])
        print(f"{study}, {change['name']}: breaks {named - len(kept)} of the {named} that it names, {len(breaks)} of {len(passing)}", flush=True)
    wrong += [f"{study}: nothing breaks: {claim}" for study, claim in sorted(passed - broken - unbroken)]
    print("\n".join(wrong) or f"{len(passed)} claims pass, and each can be broken or it is said why not")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
