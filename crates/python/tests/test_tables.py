"""Tables as Arrow streams, compared with the same files as Parquet."""

import subprocess
import sys

import pacesim as ps
import pytest
from conftest import SMALL

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

RECORDED = SMALL | {
    "output": {"packets": {}, "series": {"interval": "100ms"}},
    "run": {"duration": "100s"},
}


def test_each_table_is_that_of_its_file():
    result = ps.Scenario(RECORDED).run()
    assert set(result.tables) == {"flows", "links", "transfers", "series", "packets"}
    for name in result.tables:
        table = result.table(name)
        ours = pa.table(table)
        theirs = pq.read_table(result.folder / f"{name}.parquet")
        assert ours.equals(theirs), name
        assert (len(table), table.columns) == (ours.num_rows, ours.column_names)
    assert len(result.packets) > 90_000
    doc = pa.table(result.packets).schema.field("t_ps").metadata[b"doc"]
    assert doc.decode() == result.packets.describe("t_ps") == "When it came to the port."


def test_many_row_groups_come_one_after_the_other():
    scenario = ps.Scenario(RECORDED).set("run.duration", "300s")
    result = scenario.run()
    reader = pa.RecordBatchReader.from_stream(result.packets)
    batches = list(reader)
    assert len(batches) == 3
    assert pa.Table.from_batches(batches).equals(pq.read_table(result.folder / "packets.parquet"))


def test_replications_are_told_apart():
    result = ps.Scenario(SMALL).run(replications=3)
    flows = pa.table(result.flows)
    assert flows.column_names[0] == "replication"
    assert flows["replication"].to_pylist() == [0, 1, 2]
    sent = [pq.read_table(result.folder / f"replication-{n}/flows.parquet")["sent_pkts"] for n in range(3)]
    assert flows["sent_pkts"].to_pylist() == [one[0].as_py() for one in sent]
    runs = pa.table(result.runs)
    assert runs.equals(pq.read_table(result.folder / "runs.parquet"))


def test_a_capsule_that_nobody_takes_is_freed():
    table = ps.Scenario(RECORDED).run().packets
    for _ in range(100):
        table.__arrow_c_stream__()
        table.__arrow_c_schema__()


def test_a_stream_keeps_its_files():
    reader = pa.RecordBatchReader.from_stream(ps.Scenario(RECORDED).run().packets)
    assert reader.read_all().num_rows > 90_000


def test_a_damaged_table_is_an_error(tmp_path):
    result = ps.Scenario(RECORDED).run(out=tmp_path / "r")
    path = result.folder / "packets.parquet"
    content = bytearray(path.read_bytes())
    content[100:20_000] = b"\xff" * 19_900
    path.write_bytes(content)
    with pytest.raises(Exception) as caught:
        pa.table(result.packets)
    assert isinstance(caught.value, (pa.ArrowInvalid, OSError)), caught.type
    path.write_bytes(b"")
    with pytest.raises(ps.RunError):
        len(result.packets)


class OnlyAStream:
    """A table with nothing but Arrow's stream: no row can come through a Python object."""

    def __init__(self, table):
        self.table = table
        self.streams = 0

    def __arrow_c_stream__(self, requested_schema=None):
        self.streams += 1
        return self.table.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self):
        return self.table.__arrow_c_schema__()


PROTECTED = {
    "title": "A call and a download over a lossy line",
    "run": {"duration": "20s", "seed": 1},
    "node": [{"name": name} for name in ["sender", "a", "b", "receiver"]],
    "link": [
        {"name": "in", "from": "sender", "to": "a", "rate": "100Mbps", "delay": "1ms"},
        {"name": "line", "from": "a", "to": "b", "rate": "4Mbps", "delay": "20ms", "buffer": "50pkts",
         "loss": {"bernoulli": 0.005}},
        {"name": "out", "from": "b", "to": "receiver", "rate": "100Mbps", "delay": "1ms"},
    ],
    "flow": [
        {"name": "call", "from": "sender", "to": "receiver",
         "traffic": {"kind": "poisson", "rate": "64kbps", "size": "160B"}},
        {"name": "file", "from": "sender", "to": "receiver",
         "traffic": {"kind": "tcp", "variant": "sack", "transfer": "1MB"}},
    ],
    "fec": [{"ingress": "a", "egress": "b", "block": 4, "timeout": "20ms"}],
    "output": {"packets": {}, "tcp": {}, "series": {"interval": "100ms"}},
}

STUDY = """
name = "small"
title = "One queue"
run = { duration = "5s" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "10pkts" }]
[[flow]]
name = "poisson"
from = "a"
to = "b"
traffic = { kind = "poisson", rate = "9Mbps", size = "1KB" }
[sweep]
replications = 2
axis = [{ name = "buffer", key = "link.core.buffer", values = ["2pkts", "20pkts"] }]
[[measure]]
name = "memory"
kind = "autocovariance"
link = "core"
interval = "10ms"
lags = [1, 2, 5]
"""


@pytest.fixture(scope="module")
def every_table(tmp_path_factory):
    """All tables of docs/results.md, each with the Parquet files of its rows."""
    scenario, folder = ps.Scenario(PROTECTED), tmp_path_factory.mktemp("study")
    one, two = scenario.run(), scenario.run(replications=2)
    (folder / "small.study.toml").write_text(STUDY)
    sweep = ps.study(folder / "small.study.toml").sweep(out=folder / "out")
    tables = {name: (one.table(name), one.folder / f"{name}.parquet") for name in one.tables}
    tables["runs"] = two.runs, two.folder / "runs.parquet"
    for name in ["summary", "runs", "wide", "measures/memory"]:
        tables[f"sweep {name}"] = sweep.table(name), sweep.folder / f"{name}.parquet"
    yield tables
    one.close()
    two.close()


def test_every_table_of_a_run_is_tried(every_table):
    assert set(every_table) == {
        "flows", "links", "transfers", "series", "packets", "tcp", "fec", "runs",
        "sweep summary", "sweep runs", "sweep wide", "sweep measures/memory",
    }
    assert all(len(table) > 0 for table, _ in every_table.values())


def same_in_pyarrow(table, path):
    return pa.table(table).equals(pq.read_table(path))


def same_in_polars(table, path):
    polars = pytest.importorskip("polars")
    return polars.DataFrame(table).equals(polars.read_parquet(path))


def same_in_pandas(table, path):
    pandas = pytest.importorskip("pandas", minversion="3")
    frame = pandas.DataFrame.from_arrow(table)
    pandas.testing.assert_frame_equal(frame, pandas.DataFrame.from_arrow(pq.read_table(path)))
    return True


def same_in_duckdb(table, path):
    duckdb = pytest.importorskip("duckdb")
    ours = duckdb.from_arrow(table).fetchall()
    theirs = duckdb.read_parquet(str(path)).fetchall()
    stream = table
    by_name = duckdb.sql("select * from stream").fetchall()
    # As text, for NaN differs from itself.
    return repr(ours) == repr(theirs) == repr(by_name) and stream is table


@pytest.mark.parametrize("same", [same_in_pyarrow, same_in_polars, same_in_pandas, same_in_duckdb])
def test_each_library_reads_every_table_from_its_stream(every_table, same):
    for name, (table, path) in every_table.items():
        stream = OnlyAStream(table)
        assert same(stream, path), name
        assert stream.streams > 0, name


def test_libraries_without_pyarrow_need_none():
    code = """
import sys
sys.modules["pyarrow"] = None
import pacesim as ps
result = ps.new("mm1k").set("run.duration", "50s").run()
flows = result.flows
if "polars" in sys.argv:
    import polars
    print(len(polars.DataFrame(flows)))
else:
    import duckdb
    print(duckdb.sql("select count(*) from flows").fetchall()[0][0])
"""
    for library in ["polars", "duckdb"]:
        pytest.importorskip(library)
        ran = subprocess.run([sys.executable, "-c", code, library], capture_output=True, text=True)
        assert ran.stdout == "1\n", ran.stderr
