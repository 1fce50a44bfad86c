#!/usr/bin/env python3
"""Runs sections of the papers' page again, and compares the digests of their results with those on the page.

    scripts/rerun_sections.py [--program target/release/pacesim] [--seed 1] [--count 3] [--most MINUTES] [ID ...]

Without ids so many are picked by the seed from the sections of docs/reproduction.md that took at most MINUTES. Each is run from its TOML
alone into an empty store at the page's scale, and compared: the digest of its runs and that of all its
claims, numbers and verdicts. Ends with 1 if one differs.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reproduction.md"
# A check has no runs, and so no digest of them.
DIGESTS = re.compile(r"(?:digest of its runs `([^`]+)`; )?digest of its results `([^`]+)`")


def sections(page):
    """The digests of each section."""
    found = {}
    for section in page.split("\n### ")[1:]:
        id, _, text = section.partition("\n")
        match = DIGESTS.search(text)
        if match:
            found[id] = match.groups()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/pacesim")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=3)
    parser.add_argument("--most", type=float, default=1e9)
    parser.add_argument("ids", nargs="*", metavar="ID")
    args = parser.parse_args()
    kept = json.loads(PAGE.with_suffix(".json").read_text())["findings"]
    known = sections(PAGE.read_text())
    scales = {one["id"]: one["scale"] for one in kept}
    cheap = [one["id"] for one in kept if one["id"] in known and (one["origin"]["wall_s"] or 0) <= 60 * args.most]
    ids = args.ids or random.Random(args.seed).sample(cheap, min(args.count, len(cheap)))
    for id in ids:
        if id not in known:
            sys.exit(f"{id}: no section of {PAGE.name} with digests has this name")
    wrong = 0
    for id in ids:
        with tempfile.TemporaryDirectory() as folder:
            command = [args.program, "reproduce", id, "--scale", str(scales[id]), "--jobs", "1", "--quiet"]
            command += ["--out", f"{folder}/results", "--report", f"{folder}/page.md"]
            if subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
                sys.exit(f"{id}: {' '.join(command)} failed")
            again = sections(pathlib.Path(folder, "page.md").read_text())[id]
        is_same = again == known[id]
        wrong += not is_same
        print(f"{id}: {'the same' if is_same else f'{again} instead of {known[id]}'}", flush=True)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
