#!/usr/bin/env python3
"""Makes small changes to studies, and lists the passing claims that detect them.

    scripts/mutation_score.py [--program target/release/pacesim] [--percent 30] [--jobs N] [--longest S] [--out DIR] [ID ...]
    scripts/mutation_score.py --sample 20 --seed 1      a sample of cheap studies, about a minute

For each study every quantity of its network and traffic (rates, delays, buffers, windows, sizes, counts, parameters of pacers,
block sizes, and those in the cases and values of its axes) is made greater and less by so many per cent, one at a time. A claim that
passes as it is notices a break if it no longer passes. A break after which the study is refused counts for nothing. The score is the share
of passing claims that notice one break at least; those that notice none are listed, unless scenarios/papers/PAPER/mutations.toml says in
[[unbroken]] why nothing can, or in [[robust]] why the claim is true of such breaks, too. A study's breaks end once all its claims have noticed one, the likeliest breaks come first, and --most limits
them. Ends with 1 below --least (90 for 30 %, 70 for 10 %). Runs are kept in DIR: the same command resumes.

The whole takes days. Each finished study is therefore written to scenarios/papers/mutation_score.csv, claim by claim with the first break
that it noticed, and is not tried again until its files change. Studies come in the order of their time on docs/reproduction.md;
--longest leaves out those that took more seconds there. The score is that of all studies in the table.
"""

import argparse
import csv
import hashlib
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).parent.parent
PAPERS = ROOT / "scenarios" / "papers"
SCORE = PAPERS / "mutation_score.csv"
COLUMNS = ["study", "percent", "files", "claim", "noticed"]
QUANTITY = re.compile(r"^([0-9.]+)(bps|kbps|Mbps|Gbps|B|KB|MB|pkts|pkt|ps|ns|us|ms|s)$")
# Keys that do not describe the network: length, resolution, names.
SKIPPED = {"duration", "warmup", "start", "finest", "interval", "least", "most", "bin", "from", "to", "name", "version", "seed"}
# Studies of some seconds.
CHEAP = ["qlbp11/table2", "qlbp11/overload", "qlbp11/fig9-10", "qlbp11/fig11-12", "qlbp09/fig5-6", "qlbp09/fig7-8", "impact/work-conserving", "impact/surge", "qlbp11/params"]
LEAST = {30: 90, 10: 70}
# Quantities in the order in which claims notice them.
EDGES = {"access", "exit", "outer", "near", "far", "first", "pairs"}
LIKELY = ["rate", "buffer", "q_max", "mu_max", "count", "window", "size", "mu_min", "delay"]


def scaled(value, factor):
    """The value multiplied by a factor, or None if it is not a quantity."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        other = value * factor
        return round(other) if isinstance(value, int) and round(other) != value else (None if isinstance(value, int) else other)
    match = QUANTITY.match(value) if isinstance(value, str) else None
    if not match:
        return None
    number, unit = float(match[1]) * factor, match[2]
    if unit in ("B", "pkts", "pkt", "ps"):
        whole = round(number)
        return f"{whole}{unit}" if whole != float(match[1]) else None
    return f"{number:.6g}{unit}"


def quantities(tree, path=()):
    """All paths to quantities in a table."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in items:
        if key in SKIPPED:
            continue
        here = (*path, key)
        if isinstance(value, (dict, list)):
            yield from quantities(value, here)
        elif scaled(value, 1.3) is not None:
            yield here, value


def key(tree, path):
    """A path as --set names it: members of lists by their names."""
    text = ""
    for i, part in enumerate(path):
        if isinstance(part, int):
            name = tree[part].get("name") if isinstance(tree[part], dict) else None
            text += f".{name}" if name else f"[{part}]"
        else:
            quoted = part if re.fullmatch(r"[\w-]+", part) else f'"{part}"'
            text += f".{quoted}" if i else quoted
        tree = tree[part]
    return text


def toml(value):
    """A value as TOML in one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def replaced(tree, path, value):
    """The same tree with another value at a path."""
    if not path:
        return value
    copy = dict(tree) if isinstance(tree, dict) else list(tree)
    copy[path[0]] = replaced(tree[path[0]], path[1:], value)
    return copy


def breaks(study, percent):
    """All breaks of a study, each as a name and its options."""
    file = PAPERS / f"{study}.study.toml"
    own = tomllib.loads(file.read_text())
    base = tomllib.loads((file.parent / own["scenario"]).read_text()) if "scenario" in own else {}
    axes = own.get("sweep", {}).get("axis", [])
    varied = {k for axis in axes for k in [axis.get("key"), *axis.get("keys", [])] if k}
    for factor in (1 - percent / 100, 1 + percent / 100):
        for tree in (base, own):
            network = {k: tree[k] for k in ("topology", "link", "flow", "fec", "pacer", "model") if k in tree and not (tree is base and k in own and isinstance(own[k], list))}
            for path, value in quantities(network):
                name = key(network, path)
                if name not in varied:
                    yield f"{name} x {factor:g}", [f"{name}={toml(scaled(value, factor))}"]
        for name, value in own.get("set", {}).items():
            for path, inner in quantities({"x": value}):
                other = replaced({"x": value}, path, scaled(inner, factor))["x"]
                yield f"{name} x {factor:g}", [f"{name}={toml(other)}"]
        for axis in axes:
            yield from of_axis(axis, factor)
            if not {"key", "keys", "cases"} & set(axis):
                yield from of_models(own, axis, factor)


def of_axis(axis, factor):
    """The values of an axis multiplied by a factor, under their old names."""
    name = axis["name"]
    if "cases" in axis:
        for path, value in quantities(axis["cases"]):
            cases = replaced(axis["cases"], path, scaled(value, factor))
            yield f"{name}: {'.'.join(map(str, path))} x {factor:g}", [f"sweep.axis.{name}.cases={toml(cases)}"]
    elif "values" in axis and "key" in axis and "with" not in axis:
        others = [scaled(value, factor) for value in axis["values"]]
        if all(other is not None for other in others):
            cases = {str(value): {axis["key"]: other} for value, other in zip(axis["values"], others)}
            yield f"{name} x {factor:g}", [f"sweep.axis.{name}={toml({'name': name, 'cases': cases})}"]


def of_models(study, axis, factor):
    """The values of an axis that only models read, multiplied by a factor; the study keeps the old ones as names."""
    moved = {"name": "moved", "with": axis["name"]}
    if "values" in axis:
        moved["values"] = [scaled(value, factor) for value in axis["values"]]
    for spaced in {"linear", "log"} & set(axis):
        moved[spaced] = {k: v if k == "count" else scaled(v, factor) or v for k, v in axis[spaced].items()}
    if None in moved.get("values", []):
        return
    models = study.get("model", [])
    readers = [one for one in models if axis["name"] in one.get("set", {}).values()]
    if not readers:
        return
    # The study asks that models read each axis: copies read the old one.
    copies = [{**one, "name": one["name"] + "_kept"} for one in readers]
    changed = [{**one, "set": {k: "moved" if v == axis["name"] else v for k, v in one.get("set", {}).items()}} for one in models]
    yield f"{axis['name']} x {factor:g}", [f"sweep.axis={toml([*study['sweep']['axis'], moved])}", f"model={toml(changed + copies)}"]


def equivalent():
    """Claims that such breaks leave true, by their own reasons."""
    for file in PAPERS.glob("*/mutations.toml"):
        table = tomllib.loads(file.read_text())
        for row in table.get("unbroken", []) + table.get("robust", []):
            yield row["id"], row["claim"]


def likely(study, percent):
    """The breaks of a study, the likeliest first: quantities of edges and of the way back come last."""

    def rank(one):
        words = re.findall(r"[a-z_]+", one[0].rsplit(" x ", 1)[0])
        last = next((place for place, word in enumerate(LIKELY) if word in words[-1:]), len(LIKELY))
        return ("back" in words, last, not EDGES.isdisjoint(words))

    return sorted(breaks(study, percent), key=rank)


def files(study):
    """A digest of a study and the scenario that it names."""
    file = PAPERS / f"{study}.study.toml"
    own = tomllib.loads(file.read_text())
    scenario = (file.parent / own["scenario"]).read_text() if "scenario" in own else ""
    return hashlib.sha256((file.read_text() + scenario).encode()).hexdigest()[:12]


def times():
    """The time of each study's runs, in seconds, from the page."""
    findings = json.loads((ROOT / "docs" / "reproduction.json").read_text())["findings"]
    return {one["id"]: one["origin"]["wall_s"] for one in findings}


class Table:
    """The claims tried so far, study by study."""

    def __init__(self, percent):
        self.percent = str(percent)
        self.read()

    def read(self):
        rows = list(csv.DictReader(SCORE.open())) if SCORE.exists() else []
        self.rows = [row for row in rows if (PAPERS / f"{row['study']}.study.toml").exists() and row["files"] == files(row["study"])]

    def own(self):
        return [row for row in self.rows if row["percent"] == self.percent]

    def has(self, study):
        return any(row["study"] == study for row in self.own())

    def add(self, study, noticed):
        """The first break that each claim of a study has noticed, or nothing."""
        # Another command may have added others since.
        self.read()
        digest = files(study)
        self.rows += [dict(zip(COLUMNS, (study, self.percent, digest, claim, name))) for claim, name in noticed.items()]
        self.rows.sort(key=lambda row: (row["study"], -int(row["percent"])))
        with SCORE.open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.rows)


class Runner:
    def __init__(self, args):
        self.args = args

    def verdicts(self, study, name, options):
        """The verdict on each claim, or None if the study is refused."""
        file = PAPERS / f"{study}.study.toml"
        folder = self.args.out / re.sub(r"[^\w.-]+", "_", f"{study} {name}")
        whole = self.args.out / re.sub(r"[^\w.-]+", "_", f"{study} as it is")
        if whole.exists() and not folder.exists():
            shutil.copytree(whole, folder)
        command = "tune" if "tune" in tomllib.loads(file.read_text()) else "sweep"
        line = [self.args.program, command, str(file), "--scale", str(self.args.scale), "--jobs", str(self.args.jobs)]
        line += ["--out", str(folder), "--json", "--quiet", *(word for option in options for word in ("--set", option))]
        ended = subprocess.run(line, capture_output=True, text=True)
        if ended.returncode:
            return None
        return {claim["claim"]: claim["verdict"] for claim in json.loads(ended.stdout)["claims"]}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/pacesim")
    parser.add_argument("--percent", type=int, default=30)
    parser.add_argument("--least", type=float)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--sample", type=int, help="so many breaks of cheap studies")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, help="so many breaks of a study at most")
    parser.add_argument("--longest", type=float, metavar="S", help="only studies whose runs took at most so many seconds on the page")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("results/mutation-score"))
    parser.add_argument("ids", nargs="*", metavar="ID")
    return parser.parse_args()


def chosen(args):
    """The studies asked for, the quickest first."""
    every = (str(file.relative_to(PAPERS)).removesuffix(".study.toml") for file in PAPERS.glob("*/*.study.toml") if ".input." not in file.name)
    took = times()
    every = [study for study in every if (study in args.ids if args.ids else not args.sample or study in CHEAP)]
    return sorted((study for study in every if args.longest is None or took.get(study, 0) <= args.longest), key=lambda study: (took.get(study, 0), study))


def passing(runner, study, known):
    """The claims of a study that pass and should notice a break."""
    whole = runner.verdicts(study, "as it is", [])
    if whole is None:
        sys.exit(f"{study} cannot be run")
    return [claim for claim, verdict in whole.items() if verdict == "PASS" and (study, claim) not in known]


def tried(runner, study, claims, some):
    """The first of these breaks that each claim notices; they end once all have."""
    noticed = dict.fromkeys(claims, "")
    for name, options in some:
        if all(noticed.values()):
            break
        changed = runner.verdicts(study, name, options)
        if changed is None:
            continue
        broken = [claim for claim in claims if changed.get(claim) != "PASS"]
        for claim in broken:
            noticed[claim] = noticed[claim] or name
        print(f"{study}, {name}: {len(broken)} of {len(claims)}", flush=True)
    return noticed


def sample(runner, args, known):
    """Picks breaks of cheap studies; each is run."""
    jobs = [(study, *one) for study in chosen(args) for one in likely(study, args.percent)]
    jobs = random.Random(args.seed).sample(jobs, min(args.sample, len(jobs)))
    claims = {study: passing(runner, study, known) for study, _, _ in jobs}
    noticed = {(study, claim): "" for study, all in claims.items() for claim in all}
    for study, *one in jobs:
        left = [claim for claim in claims[study] if not noticed[study, claim]] or claims[study]
        for claim, name in tried(runner, study, left, [one]).items():
            noticed[study, claim] = noticed[study, claim] or name
    return noticed


def whole(runner, args, known):
    """Tries the studies that the table lacks; all claims in it."""
    table = Table(args.percent)
    for study in chosen(args):
        if not table.has(study):
            claims = passing(runner, study, known)
            noticed = tried(runner, study, claims, likely(study, args.percent)[: args.most])
            if args.scale == 1:
                table.add(study, noticed)
            for claim in (claim for claim, name in noticed.items() if not name):
                print(f"not noticed by {study}: {claim}", flush=True)
    return {(row["study"], row["claim"]): row["noticed"] for row in table.own() if (row["study"], row["claim"]) not in known}


def main():
    args = arguments()
    runner, known = Runner(args), set(equivalent())
    noticed = sample(runner, args, known) if args.sample else whole(runner, args, known)
    for study, claim in sorted(one for one, name in noticed.items() if not name):
        print(f"not noticed by {study}: {claim}")
    count, studies = sum(map(bool, noticed.values())), {study for study, _ in noticed}
    score = 100 * count / max(1, len(noticed))
    others = sum(study in studies for study, _ in known)
    print(f"{count} of {len(noticed)} passing claims of {len(studies)} studies notice a break of {args.percent} %: {score:.0f} %; {others} more have a reason not to")
    # A sample lacks most breaks: it only shows that breaks are detected at all.
    least = args.least if args.least is not None else (1 if args.sample else LEAST.get(args.percent, 0))
    sys.exit(score < least)


if __name__ == "__main__":
    main()
