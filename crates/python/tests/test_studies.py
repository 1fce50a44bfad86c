"""Studies, models and experiments."""

import json
import pickle
import shutil
import signal
import sqlite3
import subprocess
import sys

import pacesim as ps
import pytest
from conftest import ROOT

STUDY = """
title = "One queue"
run = { duration = "5s" }
node = [{ name = "a" }, { name = "b" }]
[[link]]
name = "core"
from = "a"
to = "b"
rate = "10Mbps"
buffer = "10pkts"
[[flow]]
name = "poisson"
from = "a"
to = "b"
traffic = { kind = "poisson", rate = "9Mbps", size = "1KB" }
[sweep]
replications = 3
axis = [{ name = "buffer", key = "link.core.buffer", values = ["2pkts", "20pkts"] }]
[[plot]]
name = "loss"
x = "buffer"
y = "link.core.loss_ratio"
[[expect]]
claim = "twenty packets lose less"
y = "link.core.loss_ratio"
at = { buffer = "20pkts" }
at_most = 0.2
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "buffers.study.toml"
    path.write_text(STUDY)
    return path


def test_a_sweep_has_the_tables_and_the_figure(path, tmp_path):
    sweep = ps.study(path).sweep(jobs=2, out=tmp_path / "out")
    assert len(sweep.wide) == 2
    assert sweep.summary.columns[:2] == ["point", "buffer"]
    assert sweep.figures == ["loss"]
    assert sweep.figure("loss")._repr_svg_() == (tmp_path / "out/figures/loss.svg").read_text()
    sweep.figure().save(tmp_path / "loss.pdf")
    assert (tmp_path / "loss.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(ps.UsageError, match="svg"):
        sweep.figure().save(tmp_path / "loss.docx")
    with pytest.raises(ps.AbsentError, match="loss"):
        sweep.figure("lost")


def test_a_sweep_is_in_the_folder_of_the_program(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study = ps.study("buffers.study.toml")
    summary = study.sweep(jobs=2).summary
    assert summary.columns[:2] == ["point", "buffer"] and len(summary) > 0
    assert (tmp_path / f"results/{study.name}/summary.parquet").exists()


def test_claims_are_judged_and_shown(path, tmp_path):
    sweep = ps.study(path).sweep(out=tmp_path / "out")
    (claim,) = sweep.claims
    assert (claim["claim"], claim["verdict"]) == ("twenty packets lose less", "PASS")
    assert "twenty packets lose less" in sweep.claims._repr_html_()
    rows = [shown._repr_html_().split("</caption>")[1] for shown in [sweep, sweep.claims]]
    assert rows[0] == rows[1] and sweep.fingerprint in sweep._repr_html_()


def test_studies_and_what_they_gave_are_pickled(path, tmp_path, small):
    longer = ps.study(path).set("run.duration", "6s")
    sweep = longer.sweep(out=tmp_path / "out", replications=2)
    again = pickle.loads(pickle.dumps(sweep))
    assert (again.fingerprint, again.outline, again.folder) == (sweep.fingerprint, sweep.outline, sweep.folder)
    assert again.figure("loss")._repr_svg_() == sweep.figure("loss")._repr_svg_()
    same = pickle.loads(pickle.dumps(longer)).sweep(out=tmp_path / "same", replications=2)
    assert same.fingerprint == sweep.fingerprint
    for solution in [ps.solve("mm1k", load=0.9, places=5), ps.solve(small, port="core")]:
        assert pickle.loads(pickle.dumps(solution)).to_json() == solution.to_json()
    findings = ps.reproduce("qlbp11/law", out=tmp_path)
    loaded = pickle.loads(pickle.dumps(findings))
    assert (loaded.id, loaded.folder, loaded.to_json()) == (findings.id, findings.folder, findings.to_json())


def test_ctrl_c_keeps_the_finished_runs_of_a_sweep(path, tmp_path):
    path.write_text(STUDY.replace('"5s"', '"1000s"'))
    out, whole = tmp_path / "out", tmp_path / "whole"
    code = "import sys, pacesim as ps; ps.study(sys.argv[1]).sweep(jobs=2, out=sys.argv[2], progress=print)"
    command = [sys.executable, "-u", "-c", code, path, out]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while float(worker.stdout.readline()) < 0.4:
        pass
    worker.send_signal(signal.SIGINT)
    _, errors = worker.communicate()
    assert "KeyboardInterrupt" in errors and worker.returncode != 0
    assert not (out / "summary.parquet").exists()
    resumed = ps.study(path).sweep(jobs=2, out=out)
    assert 0 < resumed.outline["made"] < 6
    assert resumed.fingerprint == ps.study(path).sweep(jobs=2, out=whole).fingerprint
    assert (out / "summary.parquet").read_bytes() == (whole / "summary.parquet").read_bytes()


def test_a_study_never_changes(path):
    with pytest.raises(AttributeError, match=r"study.set\('name', value\)"):
        ps.study(path).name = "other"


def stored(folder):
    """All rows of a store, without the time and memory of runs."""
    store = sqlite3.connect(folder / "store.sqlite")
    store.execute("update runs set wall_s = 0, peak_rss_bytes = 0")
    return list(store.iterdump())


def test_store_and_tables_are_the_programs_to_the_byte(path, tmp_path, program):
    ours = ps.study(path).sweep(jobs=2, out=tmp_path / "ours")
    ran = program("sweep", path, "--out", tmp_path / "theirs", "--json", "-q")
    assert ran.returncode == 0, ran.stderr
    assert ours.fingerprint == json.loads(ran.stdout)["fingerprint"]
    for file in ["runs.parquet", "summary.parquet", "wide.parquet", "figures/loss.svg"]:
        assert (tmp_path / "ours" / file).read_bytes() == (tmp_path / "theirs" / file).read_bytes()
    one, other = tmp_path / "one", tmp_path / "other"
    ps.study(path).sweep(jobs=1, out=one)
    assert program("sweep", path, "--jobs", 1, "--out", other, "-q").returncode == 0
    assert stored(one) == stored(other)
    # Either resumes the other's store.
    again = program("sweep", path, "--out", tmp_path / "ours", "--json", "-q")
    assert json.loads(again.stdout)["made"] == 0
    assert ps.study(path).sweep(out=tmp_path / "theirs").outline["made"] == 0


def test_an_interrupted_sweep_goes_on(path, tmp_path):
    def stop(share):
        if share > 0.3:
            raise KeyboardInterrupt

    longer = ps.study(path).set("run.duration", "200s")
    with pytest.raises(KeyboardInterrupt):
        longer.sweep(jobs=1, out=tmp_path / "out", progress=stop)
    assert not (tmp_path / "out/summary.parquet").exists()
    sweep = longer.sweep(jobs=1, out=tmp_path / "out")
    whole = longer.sweep(jobs=1, out=tmp_path / "whole")
    assert sweep.outline["made"] < whole.outline["made"] == 6
    assert sweep.fingerprint == whole.fingerprint


def test_an_interrupted_sweep_goes_on_from_the_other_side(path, tmp_path, program):
    def stop(share):
        if share > 0.3:
            raise KeyboardInterrupt

    path.write_text(STUDY.replace('"5s"', '"200s"'))
    ours, theirs, whole = tmp_path / "ours", tmp_path / "theirs", tmp_path / "whole"
    with pytest.raises(KeyboardInterrupt):
        ps.study(path).sweep(jobs=1, out=ours, progress=stop)
    ended = program("sweep", path, "--jobs", 1, "--out", ours, "--json", "-q")
    expected = ps.study(path).sweep(jobs=1, out=whole)
    ended = json.loads(ended.stdout)
    assert 0 < ended["made"] < 6 and ended["fingerprint"] == expected.fingerprint
    assert (ours / "summary.parquet").read_bytes() == (whole / "summary.parquet").read_bytes()

    # Retries until a sweep is interrupted: the store keeps each finished run.
    for seconds in [0.2, 0.1, 0.05, 0.4, 0.8]:
        shutil.rmtree(theirs, ignore_errors=True)
        try:
            program("sweep", path, "--jobs", 1, "--out", theirs, "-q", timeout=seconds)
        except subprocess.TimeoutExpired:
            if (theirs / "store.sqlite").exists() and not (theirs / "summary.parquet").exists():
                break
    else:
        pytest.skip("it was never ended in between")
    sweep = ps.study(path).sweep(jobs=1, out=theirs)
    assert sweep.fingerprint == expected.fingerprint
    assert (theirs / "summary.parquet").read_bytes() == (whole / "summary.parquet").read_bytes()


def test_mistakes_of_studies_are_exceptions(path, tmp_path):
    with pytest.raises(ps.ScenarioError, match="this is a study of many runs"):
        ps.load(path)
    path.write_text(STUDY.replace("loss_ratio", "los_ratio"))
    with pytest.raises(ps.ScenarioError, match="loss_ratio"):
        ps.study(path).sweep(out=tmp_path / "out")
    path.write_text(STUDY)
    for arguments in [{"scale": 0}, {"scale": float("nan")}, {"precision": -1.0}, {"replications": 0}]:
        with pytest.raises(ps.UsageError):
            ps.study(path).sweep(out=tmp_path / "out", **arguments)
    assert not (tmp_path / "out").exists()


def test_models_are_solved(small):
    solution = ps.solve("mm1k", load=0.8, places=5)
    load, places = 0.8, 5
    assert solution["loss"] == pytest.approx((1 - load) * load**places / (1 - load ** (places + 1)))
    assert dict(solution.params)["places"] == "5"
    assert solution.figure()._repr_svg_().startswith("<svg")
    assert "mm1k" in dict(ps.models())
    with pytest.raises(ps.UsageError, match="mm1k"):
        ps.solve("mm1q")
    with pytest.raises(ps.UsageError, match="load"):
        ps.solve("mm1k", laod=0.8)
    with pytest.raises(ps.AbsentError, match="loss"):
        solution["los"]
    with pytest.raises(ps.UsageError, match="load is None"):
        ps.solve("mm1k", load=None)
    with pytest.raises(TypeError, match="model is 3; give the name of a model"):
        ps.solve(3)


def test_options_in_messages_are_pythons(path, tmp_path):
    path.write_text('name = "a/b"\n' + STUDY)
    (tmp_path / "full").mkdir()
    (tmp_path / "full/other").touch()
    for arguments in [{}, {"out": tmp_path / "full"}]:
        with pytest.raises(ps.Error) as caught:
            ps.study(path).sweep(**arguments)
        assert "out=" in str(caught.value) or "name" in str(caught.value)
        assert "--out" not in str(caught.value)


def test_an_experiment_is_reproduced(tmp_path):
    findings = ps.reproduce("qlbp11/law", out=tmp_path)
    assert {claim["verdict"] for claim in findings.claims} == {"PASS"}
    assert findings.folder.exists() and findings.id in dict(ps.experiments())
    assert "PASS" in findings._repr_html_() and findings.id in findings._repr_html_()
    assert "PASS" in findings.claims._repr_html_()
    with pytest.raises(ps.AbsentError, match="qlbp11"):
        ps.reproduce("qlbp11/lawn", out=tmp_path)
