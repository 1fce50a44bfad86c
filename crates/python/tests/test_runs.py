"""Scenarios and their runs."""

import csv
import json
import math
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time

import pacesim as ps
import pytest
from conftest import ROOT, SMALL


def shipped():
    with open(ROOT / "scenarios/fingerprints.csv", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("row", shipped(), ids=lambda row: row["scenario"])
def test_shipped_scenarios_have_their_stored_fingerprints(row):
    scenario = ps.load(ROOT / "scenarios" / row["scenario"])
    short = scenario.set({"run.duration": row["short_duration"], "run.warmup": "0s"})
    assert short.run(tables=False).fingerprint == row["short"]


def test_numbers_and_summary_are_those_of_the_program(program, tmp_path):
    path = ROOT / "scenarios/dumbbell.toml"
    result = ps.load(path).set("run.duration", "15s").run(seed=3, replications=2, jobs=1)
    ran = program("run", path, "--set", "run.duration=15s", "--seed", 3, "--replications", 2, "--json")
    theirs = json.loads(ran.stdout)
    assert result.fingerprint == theirs["fingerprint"]
    assert result.summary["means"] == theirs["means"]
    mean = next(
        mean
        for mean in theirs["means"]
        if (mean["of"], mean["entity"], mean["metric"]) == ("flows", "burst", "goodput_bps")
    )
    number = result["flows.burst.goodput_bps"]
    assert (number.n, number.mean, number.half_width) == (2, mean["mean"], mean["half_width"])
    assert number.low < number.mean < number.high
    assert float(number) == number.mean


def test_a_scenario_from_a_dict_is_that_of_the_file(small, tmp_path):
    text = """
        title = "One queue"
        run = { duration = "10s", seed = 1 }
        node = [{ name = "a" }, { name = "b" }]
        link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "10pkts" }]
        [[flow]]
        name = "poisson"
        from = "a"
        to = "b"
        traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" }
    """
    path = tmp_path / "queue.toml"
    path.write_text(text)
    assert ps.load(path).run().fingerprint == small.run().fingerprint


def test_set_gives_another_scenario(small):
    longer = small.set("run.duration", "20s")
    both = small.set({"run.duration": "20s", "run.seed": 1})
    assert longer.run().fingerprint == both.run().fingerprint != small.run().fingerprint
    assert longer.changes == ['run.duration="20s"'] and small.changes == []


def test_one_run_has_its_numbers_without_interval(small):
    result = small.run()
    number = result["link.core.utilisation"]
    assert 0.7 < number.mean < 0.9 and math.isnan(number.low)
    assert "link.core.utilisation" in result and len(result) == len(result.names)


def test_mistakes_are_the_programs(program, tmp_path):
    path = tmp_path / "wrong.toml"
    text = (ROOT / "scenarios/dumbbell.toml").read_text()
    path.write_text(text.replace('buffer = "10pkts"', 'bufer = "10pkts"'))
    with pytest.raises(ps.ScenarioError) as caught:
        ps.load(path)
    ran = program("run", path)
    assert ran.returncode == 2
    assert str(caught.value) == ran.stderr.strip()
    error = caught.value
    assert (error.file, error.line) == (str(path), text[: text.index('buffer = "10pkts"')].count("\n") + 1)
    assert error.key == "topology.bottleneck.bufer" and "buffer" in error.remedy
    assert error.column == 1 and isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.problems) == (str(error), error.problems)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"run": {"duration": None}}, "run.duration is None"),
        ({"run": {"seed": 1 << 70}}, "run.seed is a whole number beyond 64 bits"),
        ({"run": {"duration": object()}}, "run.duration is of type object"),
        ({1: 2}, "a key of the dict is 1"),
        ({"flow": [{"name": b"f"}]}, "flow[0].name is of type bytes"),
        ({"title": "\ud800"}, "title is a string that is not Unicode"),
        ({"run": {"seed": int}}, "run.seed is of type type"),
        ({"run": {"seed": 1 + 2j}}, "run.seed is of type complex"),
        ({"output": {"folder": pathlib.Path("\udcff")}}, "output.folder is a string that is not Unicode"),
    ],
)
def test_a_dict_that_cannot_be_toml_is_refused_by_key(keys, says):
    with pytest.raises(ps.UsageError, match="") as caught:
        ps.Scenario(keys)
    assert says in str(caught.value)


def test_numbers_of_numpy_are_numbers(small):
    np = pytest.importorskip("numpy")
    lossy = small.set({"run.seed": np.int32(7), "link.core.loss": {"bernoulli": np.float32(0.25)}})
    assert lossy.changes == ["run.seed=7", "link.core.loss={ bernoulli = 0.25 }"]
    keys = SMALL | {"run": {"seed": np.array([7])[0], "duration": "10s"}}
    assert ps.Scenario(keys).run().fingerprint == small.set("run.seed", 7).run().fingerprint
    with pytest.raises(ps.ScenarioError, match="run.seed"):
        small.set("run.seed", np.array([1, 2]))


def test_a_dict_that_contains_itself_is_refused():
    keys = {}
    keys["run"] = keys
    with pytest.raises(ps.UsageError, match="contains itself"):
        ps.Scenario(keys)


def test_unknown_names_come_with_the_nearest(small):
    with pytest.raises(ps.AbsentError, match="link.core.utilisation"):
        small.run()["link.core.utilization"]
    with pytest.raises(ps.AbsentError, match='did you mean "tandem"'):
        ps.new("tandm")
    with pytest.raises(ps.AbsentError, match="output.packets"):
        small.run().packets  # noqa: B018
    with pytest.raises(ps.ScenarioError, match="duration"):
        small.set("run.duratoin", "1s")


def test_wrong_arguments_are_exceptions(small, tmp_path):
    for arguments in [{"replications": 0}, {"jobs": 0}, {"replications": 2, "replication": 1}]:
        with pytest.raises(ps.UsageError):
            small.run(**arguments)
    for name in ["seed", "replications", "replication", "jobs"]:
        for number in [-1, 1 << 64]:
            with pytest.raises(ps.UsageError, match=f"{name} is {number}; give a whole number"):
                small.run(**{name: number})
        for other in ["one", 1.5, [1]]:
            with pytest.raises(TypeError, match=f"{name} is .*; give a whole number"):
                small.run(**{name: other})
    with pytest.raises(ps.UsageError, match="progress is not callable"):
        small.run(progress=3)
    with pytest.raises(TypeError, match="keys"):
        ps.Scenario("dumbbell")
    with pytest.raises(TypeError, match="path"):
        ps.load(3)
    with pytest.raises(AttributeError):
        small.name = "another"
    with pytest.raises(ps.ScenarioError, match="no such file"):
        ps.load(tmp_path / "nowhere.toml")


def test_keys_of_changes_are_named(small):
    for change in [("run.duration", None), ({"run.duration": None},)]:
        with pytest.raises(ps.UsageError, match="run.duration is None.*leave the key out"):
            small.set(*change)
    with pytest.raises(ps.UsageError, match="a key of the dict is 3; keys of TOML are strings"):
        small.set({3: 1})
    for wrong in [(3, 1), ({"run.seed": 1}, 2), (None,)]:
        with pytest.raises(ps.UsageError, match="set takes a key and a value"):
            small.set(*wrong)
    with pytest.raises(ps.UsageError, match="not Unicode|keys of TOML are strings"):
        small.set("\ud800", 1)


def test_a_scenario_never_changes_while_its_world_runs(tmp_path):
    keys = {**SMALL, "run": dict(SMALL["run"])}
    scenario = ps.Scenario(keys)
    whole = scenario.run(tables=False).fingerprint
    world = scenario.world()
    world.run_until(5)
    keys["run"]["duration"] = "1s"
    longer = scenario.set("run.duration", "20s")
    for change in [lambda: setattr(scenario, "name", "other"), lambda: setattr(scenario, "duration", 1)]:
        with pytest.raises(AttributeError, match=r"scenario.set\('(name|duration)', value\)"):
            change()
    with pytest.raises(AttributeError, match=r"'run.duration': .*scenario.set\('run.duration', value\)"):
        scenario["run.duration"] = "1s"
    with pytest.raises(AttributeError):
        del scenario.name
    world.run()
    assert (world.fingerprint, world.end, longer.world().end) == (whole, 10, 20)


def test_a_results_folder_is_that_of_the_program(small, tmp_path, program):
    out = tmp_path / "results"
    result = small.run(out=out)
    assert result.folder == out and (out / "manifest.json").exists()
    with pytest.raises(ps.UsageError, match="force=True replaces them"):
        small.run(out=out)
    small.run(out=out, force=True)
    assert program("verify", out).returncode == 0


def test_a_results_folder_is_opened(small, tmp_path, program):
    made = small.run(replications=2, out=tmp_path / "two")
    opened = ps.open(tmp_path / "two")
    assert (opened.fingerprint, opened.summary, opened.names) == (made.fingerprint, made.summary, made.names)
    assert opened[made.names[0]] == made[made.names[0]] and len(opened.flows) == 2
    path = tmp_path / "queue.toml"
    path.write_text(ps.new("mm1k").text)
    assert program("run", path, "--set", "run.duration=50s", "--out", tmp_path / "one").returncode == 0
    assert len(ps.open(tmp_path / "one").flows) == 1
    with pytest.raises(ps.UsageError, match="summary.json"):
        ps.open(tmp_path)


def test_a_result_has_figures(small, tmp_path):
    result = small.run(replications=3)
    figure = result.figure("loss_ratio")
    assert figure._repr_svg_().startswith("<svg") and figure.title == "One queue: loss ratio"
    for suffix, begins in [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")]:
        figure.save(tmp_path / f"loss.{suffix}")
        assert (tmp_path / f"loss.{suffix}").read_bytes().startswith(begins)
    assert small.run(tables=False).figure("loss_ratio").title == figure.title
    in_time = small.set("output.series", {"interval": "1s"}).run().figure("queue")
    assert "time (s)" in in_time._repr_svg_() and "core" in in_time._repr_svg_()
    with pytest.raises(ps.AbsentError, match="loss_ratio"):
        result.figure("los_ratio")
    with pytest.raises(ps.UsageError, match="svg"):
        figure.save(tmp_path / "loss.doc")


def test_the_program_comes_with_the_module(tmp_path):
    command = [sys.executable, "-m", "pacesim"]
    run = lambda *args: subprocess.run([*command, *args], capture_output=True, text=True, cwd=tmp_path)  # noqa: E731
    made = run("run", str(ROOT / "scenarios/dumbbell.toml"), "--set", "run.duration=5s", "--set", "run.warmup=0s", "--json")
    same = ps.load(ROOT / "scenarios/dumbbell.toml").set({"run.duration": "5s", "run.warmup": "0s"})
    assert json.loads(made.stdout)["fingerprint"] == same.run(tables=False).fingerprint
    assert run("--version").stdout == f"pacesim {ps.__version__}\n"
    assert run("run", "nowhere.toml").returncode == 2 and run("runn").returncode == 2
    path = tmp_path / "long.toml"
    path.write_text(ps.new("mm1k").text)
    worker = subprocess.Popen([*command, "run", path, "--set", "run.duration=1000000s", "--out", "out"], cwd=tmp_path)
    time.sleep(1)
    worker.send_signal(signal.SIGINT)
    assert worker.wait() == 130 and list(tmp_path.iterdir()) == [path]


def test_temporary_tables_go_with_their_last_user(small):
    result = small.run()
    folder, flows = result.folder, result.flows
    result.close()
    with pytest.raises(ps.UsageError, match="closed"):
        result.flows  # noqa: B018
    assert folder.exists() and len(flows) == 1
    del flows
    assert not folder.exists()
    with pytest.raises(ps.UsageError, match="kept no tables"):
        small.run(tables=False).flows  # noqa: B018


def test_scenarios_and_results_are_pickled(small):
    assert pickle.loads(pickle.dumps(small)).run().fingerprint == small.run().fingerprint
    result = small.run(replications=2)
    again = pickle.loads(pickle.dumps(result))
    assert again.summary == result.summary and again.names == result.names
    assert again[again.names[0]] == result[result.names[0]]
    assert len(again.flows) == 2 and again.folder != result.folder


def test_scenario_result_and_claims_show_in_notebooks(small):
    changed = small.set("title", "Loss < 1 & more")
    assert changed._repr_html_().startswith("<b>Loss &lt; 1 &amp; more</b><pre># title=")
    result = small.run(replications=2)
    html = result._repr_html_()
    assert html.startswith("<table>") and html.count("<tr>") == len(result) + 1
    assert "<td>link.core.utilisation</td>" in html and result.fingerprint in html
    claims = ps.Claims([{"claim": "loss < 1 %", "verdict": "PASS", "paper": None, "ours": 0.5, "accepts": "0 to 1"}])
    assert "<tr><td>loss &lt; 1 %</td><td>PASS</td><td></td><td>0.5</td><td>0 to 1</td></tr>" in claims._repr_html_()
    assert pickle.loads(pickle.dumps(claims)) == claims


def fingerprint(scenario):
    return scenario.run(tables=False).fingerprint


def test_multiprocessing_works(small):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(fingerprint, [small]) == [small.run().fingerprint]


def test_progress_is_called_and_its_exception_ends_the_run():
    scenario = ps.Scenario(SMALL | {"run": {"duration": "2000s"}})
    shares = []
    scenario.run(progress=shares.append, tables=False)
    assert shares == sorted(shares) and 0 < shares[0] <= shares[-1] <= 1

    def stop(_share):
        raise RuntimeError("enough")

    for replications in [None, 2]:
        with pytest.raises(RuntimeError, match="enough"):
            scenario.run(progress=stop, tables=False, replications=replications)


def test_a_bar_shows_progress_in_a_terminal_and_goes():
    pty = pytest.importorskip("pty")
    code = "import pacesim as ps; ps.new('mm1k').set('run.duration', '{}').run(tables=False)"
    shown = {}
    for duration in ["50s", "1000000s"]:
        ours, theirs = pty.openpty()
        worker = subprocess.Popen([sys.executable, "-c", code.format(duration)], stderr=theirs)
        os.close(theirs)
        text = b""
        with open(ours, "rb", buffering=0) as terminal:
            try:
                while (part := terminal.read(1000)) and len(text) < 500:
                    text += part
            except OSError:  # Linux's end of a terminal
                pass
            worker.terminate()
            worker.wait()
        shown[duration] = text.decode(errors="replace")
    assert shown["50s"] == "", "a short run needs no bar"
    assert "━" in shown["1000000s"] or "─" in shown["1000000s"]


def test_a_bar_shows_progress_in_a_notebook(monkeypatch):
    import types

    from pacesim import _progress

    shown = []
    handle = types.SimpleNamespace(update=shown.append)
    display = types.SimpleNamespace(HTML=str, display=lambda html, display_id: shown.append(html) or handle)
    shell = types.SimpleNamespace(kernel=None)
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(_progress, "FIRST_S", 0.0)
    monkeypatch.setattr(_progress, "EVERY_S", 0.0)
    ps.new("mm1k").set("run.duration", "2000s").run(tables=False)
    assert len(shown) > 2 and shown[0].startswith("<progress") and shown[-1] == ""
    shown.clear()
    ps.new("mm1k").set("run.duration", "2000s").run(tables=False, progress=False)
    assert shown == []


def test_ctrl_c_ends_a_run_and_leaves_nothing(tmp_path):
    scenario = ps.Scenario(SMALL | {"run": {"duration": "1000000s"}})
    for replications in [None, 2]:
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            scenario.run(out=tmp_path / "out", replications=replications)
        assert list(tmp_path.iterdir()) == []


def test_a_failed_run_leaves_no_temporary_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))

    def stop(_share):
        raise RuntimeError("enough")

    scenario = ps.Scenario(SMALL | {"run": {"duration": "2000s"}})
    for replications in [None, 2]:
        with pytest.raises(RuntimeError, match="enough"):
            scenario.run(progress=stop, replications=replications)
    assert list(tmp_path.iterdir()) == []


def test_other_threads_run_meanwhile(small):
    scenario = ps.Scenario(SMALL | {"run": {"duration": "2000s"}})
    ticks = []
    thread = threading.Thread(target=scenario.run, kwargs={"tables": False})
    thread.start()
    while thread.is_alive():
        ticks.append(time.monotonic())
        time.sleep(0.001)
    assert len(ticks) > 20, "the lock was held"


def test_the_import_needs_no_numpy():
    code = "import sys, pacesim; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_docstrings_have_examples_that_run():
    import doctest

    attempted = 0
    for name in [None, *ps.__all__]:
        thing = ps if name is None else getattr(ps, name)
        parser, text = doctest.DocTestParser(), thing.__doc__ or ""
        test = parser.get_doctest(text, {}, name or "pacesim", None, 0)
        outcome = doctest.DocTestRunner().run(test)
        assert outcome.failed == 0, name
        attempted += outcome.attempted
    assert attempted > 10
    gym = pytest.importorskip("pacesim.gym")
    assert doctest.testmod(gym) == doctest.TestResults(failed=0, attempted=12)
