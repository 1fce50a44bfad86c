#!/usr/bin/env python3
"""Makes the recordings in this folder in the formats of other programs (PyArrow 26).

Each holds packets of 1000 bytes at 0, 0.5, 1 and 1.5 s. A file's name gives its
compression, or the type of its time column.
"""

import datetime
import decimal
import pathlib

import pyarrow as pa
import pyarrow.parquet as pq

HERE = pathlib.Path(__file__).parent
NS = [0, 500_000_000, 1_000_000_000, 1_500_000_000]
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def write(file, name, times, sizes=None, **options):
    sizes = pa.array([1000] * len(times), pa.int32()) if sizes is None else sizes
    options = {"compression": "none", **options}
    pq.write_table(pa.table({name: times, "size_bytes": sizes}), HERE / f"{file}.parquet", **options)


def of(kind, unit):
    """The times as this type, which counts in this unit."""
    return pa.array([n * PER_SECOND[unit] // 10**9 for n in NS], pa.int64()).cast(kind)


for codec in ["snappy", "gzip", "brotli", "lz4", "zstd", "none"]:
    write(codec, "t_ns", pa.array(NS, pa.int64()), compression=codec)

for unit in ["ms", "us", "ns"]:
    write(f"duration_{unit}", "time", of(pa.duration(unit), unit))
    write(f"timestamp_{unit}", "t_s", of(pa.timestamp(unit), unit))
write("time_ms", "time", of(pa.int32(), "ms").cast(pa.time32("ms")))
write("time_us", "t_ms", of(pa.time64("us"), "us"))
write("time_ns", "t_ms", of(pa.time64("ns"), "ns"))
write("old_timestamp", "t_s", of(pa.timestamp("ms"), "ms"), version="1.0")
write("unsigned", "t_ns", pa.array(NS[:3], pa.uint64()), pa.array([40, 1500, 4_000_000_000], pa.uint32()))
write("duration_named", "t_s", of(pa.duration("us"), "us"))

decimals = pa.array([decimal.Decimal(n) / 10**9 for n in NS], pa.decimal128(10, 3))
write("decimal", "t_s", decimals, store_decimal_as_integer=True)
write("date", "t_s", pa.array([datetime.date(1970, 1, 1)] * 4))
write("since_1970", "t_s", pa.array([datetime.datetime(2024, 1, 1)] * 2))
write("size_duration", "t_ns", pa.array(NS), of(pa.duration("ns"), "ns"))
