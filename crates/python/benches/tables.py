"""A table of ten million packets to Polars: from the result, and from the same Parquet file, each in a separate process.

    python crates/python/benches/tables.py
"""

import subprocess
import sys

ROWS = 10_000_000
SCENARIO = {
    "title": "Many packets",
    "run": {"duration": "2500s", "seed": 1},
    "node": [{"name": "a"}, {"name": "b"}],
    "link": [{"name": "core", "from": "a", "to": "b", "rate": "36Mbps", "buffer": "100pkts"}],
    "flow": [{"name": "f", "from": "a", "to": "b",
              "traffic": {"kind": "poisson", "rate": "32Mbps", "size": "1KB"}}],
    "output": {"packets": {}},
}

READ = """
import resource, sys, time
import polars as pl
import pacesim as ps
how, folder = sys.argv[1:]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began, cpu = time.perf_counter(), time.process_time()
frame = pl.DataFrame(ps.open(folder).packets) if how == "stream" else pl.read_parquet(folder + "/packets.parquet")
real, cpu = time.perf_counter() - began, time.process_time() - cpu
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(f"{how:8} {frame.shape[0]} rows, {real:.2f} s, {cpu:.2f} s of CPU, {peak / 1024:.0f} MiB more at the peak")
"""


def main():
    import pacesim as ps

    with ps.Scenario(SCENARIO).run() as result:
        print(result.packets)
        for how in ["parquet", "stream"] * 3:
            subprocess.run([sys.executable, "-c", READ, how, str(result.folder)], check=True)


if __name__ == "__main__":
    main()
