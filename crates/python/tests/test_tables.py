"""Tables as Arrow streams, compared with the same files as Parquet."""

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


@pytest.mark.parametrize("reader", ["polars", "pandas", "duckdb"])
def test_others_read_it_too(reader):
    module = pytest.importorskip(reader)
    result = ps.Scenario(RECORDED).run()
    packets, rows = result.packets, len(result.packets)
    if reader == "polars":
        frame = module.DataFrame(packets)
        assert frame.shape == (rows, len(packets.columns))
        assert frame["departure_ps"].null_count() == (frame["outcome"] > 0).sum()
    elif reader == "pandas":
        frame = module.DataFrame.from_arrow(packets)
        assert len(frame) == rows
    else:
        assert module.sql("select count(*) from packets").fetchall() == [(rows,)]
