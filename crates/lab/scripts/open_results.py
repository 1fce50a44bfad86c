#!/usr/bin/env python3
"""Opens the folder of a run or a study with pyarrow, DuckDB, Polars and pandas and checks that they agree.

    open_results.py DIR

Needs `pip install pyarrow duckdb polars pandas`; if one of them is missing it reports that and exits with 0.
It checks that every table in manifest.json exists with the stated number of rows, that all
three readers see the same columns, rows and sums, that times are signed 64-bit integers,
and that the columns' units match summary.json. In a folder of several replications it
checks each, and that runs.parquet has the means of summary.json. In the folder of a study it checks that
runs.parquet has the numbers of the store, and that summary.parquet and wide.parquet have its means.
"""

import json
import math
import sqlite3
import sys
from pathlib import Path

try:
    import duckdb
    import pandas
    import polars
    import pyarrow.parquet
    import pyarrow.types as types
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(0)


def check(holds, message):
    if not holds:
        sys.exit(f"FAILED: {message}")


def sums(columns):
    """The sum of each column of numbers, without missing values."""
    return {name: math.fsum(float(x) for x in values if x is not None) for name, values in columns.items()}


def numbers(schema):
    """The names of columns of numbers."""
    is_number = lambda kind: types.is_integer(kind) or types.is_floating(kind)
    return [field.name for field in schema if is_number(field.type)]


def open_table(path, rows):
    """Opens one table with all readers; returns pyarrow's."""
    table = pyarrow.parquet.read_table(path)
    names = table.schema.names
    rows = table.num_rows if rows is None else rows
    check(table.num_rows == rows, f"{path}: {table.num_rows} rows, the manifest says {rows}")
    notes = {key.decode() for key in table.schema.metadata}
    check({"pacesim.seed", "pacesim.study"} & notes, f"{path}: no seed or study in its notes")
    for name in names:
        check(f"pacesim.column.{name}" in notes, f"{path}: {name} is not explained")
        if name.endswith("_ps"):
            kind = table.schema.field(name).type
            check(str(kind) == "int64", f"{path}: {name} is {kind}, not int64")

    frame = polars.read_parquet(path)
    check(frame.columns == names, f"{path}: Polars sees {frame.columns}")
    check(frame.height == rows, f"{path}: Polars sees {frame.height} rows")
    check(list(pandas.read_parquet(path).columns) == names, f"{path}: pandas sees other columns")
    found = duckdb.sql(f"select * from '{path}'")
    check(found.columns == names, f"{path}: DuckDB sees {found.columns}")
    tuples = found.fetchall()
    check(len(tuples) == rows, f"{path}: DuckDB sees {len(tuples)} rows")

    columns = numbers(table.schema)
    arrow = sums({name: table.column(name).to_pylist() for name in columns})
    polar = sums({name: frame[name].to_list() for name in columns})
    place = {name: names.index(name) for name in columns}
    duck = sums({name: [row[place[name]] for row in tuples] for name in columns})
    check(arrow == polar == duck, f"{path}: the readers' sums differ")
    return table


def check_units(folder, summary):
    """Checks that the counters behind the summary's rates and ratios give the same numbers."""
    measured_s = summary["sim_s"] - summary["warmup_s"]
    links = duckdb.sql(f"select * from '{folder}/links.parquet'").fetchall()
    names = duckdb.sql(f"select * from '{folder}/links.parquet'").columns
    rows = {row[names.index("link")]: dict(zip(names, row)) for row in links}
    for link in summary["links"]:
        row = rows[link["link"]]
        utilisation = row["left_bytes"] * 8 / (row["rate_bps"] * measured_s)
        check(math.isclose(utilisation, link["utilisation"], rel_tol=1e-9), f"utilisation of {link['link']}")
    for group in summary["flows"]:
        query = f"""
            select (max(until_ps) filter (until_ps > from_ps)
                    - min(from_ps) filter (until_ps > from_ps)) / 1e12,
                   sum(throughput_bps * (until_ps - from_ps)) / 1e12,
                   sum(delivered_bytes) filter (until_ps > from_ps) * 8,
                   sum(delivered_bytes) * 8,
                   sum(delay_mean_s * delivered_pkts) / sum(delivered_pkts)
            from '{folder}/flows.parquet' where "group" = '{group["group"]}'"""
        active_s, by_rates, by_bytes, bits, delay_s = duckdb.sql(query).fetchall()[0]
        check(math.isclose(active_s or 0, group["active_s"], rel_tol=1e-9), "active_s")
        if active_s is not None:
            check(math.isclose(by_rates, by_bytes, rel_tol=1e-9), "throughput_bps of flows")
            check(math.isclose(bits / active_s, group["throughput_bps"], rel_tol=1e-9), "throughput_bps")
        if delay_s is not None:
            check(math.isclose(delay_s, group["delay_mean_s"], rel_tol=1e-9), "delay_mean_s")


def check_packets(folder):
    """Checks that every packet at a port is logged once, if the log covers a whole run without warm-up."""
    query = f"""
        with logged as (select link_id, count(*) as n from '{folder}/packets.parquet' group by link_id)
        select link, n, arrived_pkts from '{folder}/links.parquet' join logged using (link_id)"""
    for name, logged, arrived in duckdb.sql(query).fetchall():
        check(logged == arrived, f"{name}: {logged} packets in the log, {arrived} counted")


def check_run(folder, manifest):
    """A folder of one run."""
    summary = json.loads((folder / "summary.json").read_text())
    check(manifest["fingerprint"] == summary["fingerprint"], "two fingerprints")
    for table in manifest["tables"]:
        opened = open_table(folder / table["file"], table["rows"])
        print(f"{folder.name}/{table['file']}: {opened.num_rows} rows, {opened.num_columns} columns")
    check_units(folder, summary)
    if (folder / "packets.parquet").exists() and summary["warmup_s"] == 0:
        check_packets(folder)


def check_replications(folder, manifest):
    """A folder of several replications: each of them, and the means over all."""
    runs = sorted(folder.glob("replication-*"))
    prints = []
    for run in runs:
        of_run = json.loads((run / "manifest.json").read_text())
        prints.append(of_run["fingerprint"])
        check_run(run, of_run)
    check(len(runs) == manifest["replications"], f"{len(runs)} folders of replications")
    check(prints == manifest["fingerprints"], "fingerprints of replications")

    table = open_table(folder / "runs.parquet", None)
    print(f"{folder.name}/runs.parquet: {table.num_rows} rows, {table.num_columns} columns")
    query = f"""select "of", entity, metric, count(value), avg(value)
                from '{folder}/runs.parquet' group by all"""
    found = {tuple(row[:3]): row[3:] for row in duckdb.sql(query).fetchall()}
    summary = json.loads((folder / "summary.json").read_text())
    check(len(found) == len(summary["means"]), "metrics of runs.parquet and summary.json")
    for mean in summary["means"]:
        key = (mean["of"], mean["entity"], mean["metric"])
        n, average = found[key]
        check(n == mean["n"], f"{key}: {n} numbers")
        if n > 0:
            check(math.isclose(average, mean["mean"], rel_tol=1e-9), f"mean of {key}")


def check_folder(folder):
    """A results folder, of one run or of several replications."""
    manifest = json.loads((folder / "manifest.json").read_text())
    if "replications" in manifest:
        check_replications(folder, manifest)
    else:
        check_run(folder, manifest)


def check_study(folder):
    """The tables of a study, against its store and each other."""
    for name in ("runs", "summary", "wide"):
        table = open_table(folder / f"{name}.parquet", None)
        print(f"{folder.name}/{name}.parquet: {table.num_rows} rows, {table.num_columns} columns")
    runs = f"'{folder}/runs.parquet'"
    store = sqlite3.connect(folder / "store.sqlite")
    key = 'point, replication, "of", entity, metric, value'
    # The store may have more replications than the tables of the last sweep.
    counted = set(duckdb.sql(f"select distinct point, replication from {runs}").fetchall())
    kept = [row for row in store.execute(f"select {key} from results") if row[:2] in counted]
    found = duckdb.sql(f"select {key} from {runs}").fetchall()
    check(sorted(kept, key=str) == sorted(found, key=str), "numbers of the store and runs.parquet")

    query = f"""select point, "of", entity, metric, n, mean, std_dev, count(value), avg(value), stddev_samp(value)
                from '{folder}/summary.parquet' join {runs} using (point, "of", entity, metric) group by all"""
    wide = duckdb.sql(f"select * from '{folder}/wide.parquet' order by point")
    points = {row[0]: dict(zip(wide.columns, row)) for row in wide.fetchall()}
    for point, of, entity, metric, n, mean, std_dev, count, average, deviation in duckdb.sql(query).fetchall():
        name = f"{of}.{entity}.{metric}"
        check(n == count, f"{point}: {n} numbers of {name}")
        check(points[point][name] == mean, f"{point}: {name} in wide.parquet")
        for ours, theirs in ((mean, average), (std_dev, deviation)):
            both = ours is not None and theirs is not None
            same = math.isclose(ours, theirs, rel_tol=1e-6, abs_tol=1e-9) if both else ours is theirs
            check(same, f"{point}: {name}: {ours} and {theirs}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    if (folder / "store.sqlite").exists():
        check_study(folder)
    else:
        check_folder(folder)
    readers = (pyarrow, duckdb, polars, pandas)
    print("equal in", ", ".join(f"{reader.__name__} {reader.__version__}" for reader in readers))


if __name__ == "__main__":
    main()
