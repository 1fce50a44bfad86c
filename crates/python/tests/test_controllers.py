"""Controllers in Python, and windows set between steps."""

import math

import numpy as np
import pacesim as ps
import pytest
from conftest import ROOT

TWO = {
    "title": "Two flows",
    "run": {"duration": "30s", "seed": 1},
    "node": [{"name": "a"}, {"name": "b"}],
    "link": [
        {"name": "core", "from": "a", "to": "b", "rate": "10Mbps", "delay": "20ms", "buffer": "20pkts"},
        {"name": "back", "from": "b", "to": "a", "rate": "10Mbps", "delay": "20ms"},
    ],
    "flow": [
        {
            "name": name,
            "from": "a",
            "to": "b",
            "traffic": {"kind": "tcp", "variant": "newreno", "profile": "rfc"},
        }
        for name in ["f", "g"]
    ],
}


class Reno:
    """Reno of RFC 5681 and RFC 6582."""

    def __init__(self, _flow):
        self.ssthresh = math.inf

    def on_ack(self, ack):
        if ack.window_unused:
            return None
        window = ack.window + (1.0 if ack.window < self.ssthresh else ack.acked / ack.window)
        return ack.max_window if window >= ack.max_window + 1.0 else window

    def on_loss(self, loss):
        if loss.kind != "repeated_timeout":
            self.ssthresh = max(max(loss.in_flight / 2.0, 1.0), 2.0)
        return self.ssthresh if loss.kind == "fast_retransmit" else 1.0

    def on_recovered(self, in_flight):
        return min(self.ssthresh, max(in_flight, 1) + 1.0)


def test_a_reno_in_python_is_the_built_in_one():
    scenario = ps.Scenario(TWO)
    built_in = scenario.run(tables=False)
    assert built_in["link.core.loss_ratio"].mean > 0, "there is something to repair"
    for controllers in [{"f": Reno}, {"f": Reno, "g": Reno}, {"f[0]": Reno}]:
        assert scenario.run(tables=False, controllers=controllers).fingerprint == built_in.fingerprint
    world = scenario.world(controllers={"f": Reno})
    world.run()
    assert world.fingerprint == built_in.fingerprint
    three = scenario.run(replications=3, jobs=2, controllers={"f": Reno}, tables=False)
    assert three.fingerprint == scenario.run(replications=3, tables=False).fingerprint


class Fixed:
    interval = 0.1

    def __init__(self, _flow):
        self.times = []

    def on_interval(self, state):
        self.times.append(state)
        return 8


def test_decisions_come_every_interval():
    made = []

    def make(flow):
        assert flow == "f[0]"
        made.append(Fixed(flow))
        return made[-1]

    result = ps.Scenario(TWO).run(controllers={"f": make})
    (fixed,) = made
    assert 250 < len(fixed.times) <= 300
    assert all(state.interval_s >= 0.1 for state in fixed.times[1:])
    last = fixed.times[-1]
    assert last.window == 8 and last.rtt_s > 0.04 and last.acked > 0
    assert result["flows.g.goodput_bps"].mean > result["flows.f.goodput_bps"].mean > 0


def test_an_interval_may_be_a_round_trip():
    class Each(Fixed):
        interval = "rtt"

    made = []
    ps.Scenario(TWO).run(controllers={"f": lambda flow: made.append(Each(flow)) or made[-1]})
    assert 350 < len(made[0].times) < 750


@pytest.mark.parametrize(
    "answer",
    [math.nan, -1.0, 0, math.inf, "8", 10**400, [8], {}, (1, 2, 3), ("8", None), (8.0, math.nan), (8.0, -1)],
)
def test_answers_that_cannot_be_end_the_run(answer):
    class Wrong(Fixed):
        def on_interval(self, state):
            return answer

    with pytest.raises(ps.UsageError, match="on_interval"):
        ps.Scenario(TWO).run(controllers={"f": Wrong})


@pytest.mark.parametrize("threshold", [math.nan, -1, 0.5, "8", None])
def test_a_threshold_that_cannot_be_ends_the_run(threshold):
    class Wrong(Reno):
        def on_ack(self, ack):
            self.ssthresh = threshold

    with pytest.raises(ps.UsageError, match="on_ack: ssthresh is .*; give packets, at least 1"):
        ps.Scenario(TWO).run(controllers={"f": Wrong})


def test_numbers_and_pairs_are_answers():
    runs = []
    for answer in [8, 8.0, np.float32(8), np.int64(8), (8, None), (np.float64(8), 1e6)]:
        controller = type("Answers", (Fixed,), {"on_interval": lambda self, state, answer=answer: answer})
        runs.append(ps.Scenario(TWO).run(controllers={"f": controller}, tables=False).fingerprint)
    assert len(set(runs)) == 1


def test_an_exception_ends_the_run_with_its_traceback(tmp_path):
    class Broken(Fixed):
        def on_interval(self, state):
            return state.no_such_thing

    for keywords in [{}, {"replications": 2}]:
        with pytest.raises(AttributeError, match="no_such_thing") as caught:
            ps.Scenario(TWO).run(controllers={"f": Broken}, **keywords)
        assert caught.traceback[-1].name == "on_interval"
    world = ps.Scenario(TWO).world(controllers={"f": Broken})
    with pytest.raises(AttributeError, match="no_such_thing"):
        world.run()
    with pytest.raises(ps.UsageError, match="could not be run again"):
        ps.Scenario(TWO).run(controllers={"f": Fixed}, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_controller_cannot_read_the_world_that_asks_it():
    class Curious(Fixed):
        def on_interval(self, state):
            return world.now

    world = ps.Scenario(TWO).world(controllers={"f": Curious})
    with pytest.raises(ps.UsageError, match="world is running"):
        world.run()


def test_wrong_controllers_are_refused_at_once():
    scenario = ps.Scenario(TWO)
    with pytest.raises(ps.AbsentError, match="valid here"):
        scenario.run(controllers={"h": Fixed})
    with pytest.raises(ps.UsageError, match="not callable"):
        scenario.run(controllers={"f": 3})
    with pytest.raises(ps.UsageError, match="a key of controllers is 3; give the name of a flow"):
        scenario.run(controllers={3: Fixed})
    with pytest.raises(TypeError, match="controllers"):
        scenario.run(controllers=[Fixed])
    with pytest.raises(ps.UsageError, match="none of on_interval"):
        scenario.run(controllers={"f": lambda flow: object()})
    for interval in [0.0, "soon", math.nan, object()]:
        with pytest.raises(ps.UsageError, match='interval is .*; give seconds above 0, text like "10ms", or "rtt"'):
            scenario.run(controllers={"f": type("Never", (Fixed,), {"interval": interval})})
    sources = ps.load(ROOT / "scenarios/sources.toml")
    group = sources.world().flows.keys()[0]
    with pytest.raises(ps.UsageError, match="not a TCP flow"):
        sources.run(controllers={group: Fixed})


def test_windows_are_set_between_steps():
    world = ps.Scenario(TWO).world(steered=["f"])
    world.steer("f", window=4)
    world.run_until(10)
    assert world.flows["f"].cwnd_pkts == 4 and world.flows["f"].in_flight_pkts <= 4
    slow = world.flows["f"].goodput_bytes
    world.steer("f[0]", window=np.float64(40))
    world.run_until(20)
    assert world.flows["f"].goodput_bytes - slow > 2 * slow
    for window in [math.nan, 0, -1, math.inf]:
        with pytest.raises(ps.UsageError, match="window"):
            world.steer("f", window=window)
    with pytest.raises(ps.UsageError, match="give window or rate"):
        world.steer("f")
    with pytest.raises(ps.UsageError, match=r'steered=\["g"\]'):
        world.steer("g", window=4)


def test_the_environment_keeps_gymnasiums_rules():
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env
    from pacesim.gym import WindowEnv

    env = WindowEnv(ps.Scenario(TWO).set("run.duration", "5s"), ["f", "g"], interval=0.5)
    check_env(env, skip_render_check=True)
    env.reset(seed=1)
    rewards = []
    ended = False
    while not ended:
        observation, reward, _, ended, info = env.step(np.array([20.0, 20.0]))
        rewards.append(reward)
    assert len(rewards) == 10 and info["now_s"] == 5.0 and observation.shape == (2, 4)
    env.reset(seed=1)
    again = [env.step(np.array([20.0, 20.0]))[1] for _ in range(10)]
    assert again == rewards
    with pytest.raises(ValueError, match="shape"):
        env.step(np.array([1.0]))


def test_an_agent_for_each_flow():
    pytest.importorskip("gymnasium")
    from pacesim.gym import WindowAgents, WindowEnv

    scenario = ps.Scenario(TWO).set("run.duration", "5s")
    env = WindowAgents(scenario, ["f", "g"], interval=0.5)
    one = WindowEnv(scenario, ["f", "g"], interval=0.5)
    observations, infos = env.reset(seed=1)
    assert set(observations) == set(infos) == set(env.agents) == {"f", "g"}
    rows, _ = one.reset(seed=1)
    while env.agents:
        observations, rewards, terminated, truncated, infos = env.step({"f": 10.0, "g": np.array([30.0])})
        rows, reward, _, ended, _ = one.step(np.array([10.0, 30.0]))
        assert all((observations[flow] == row).all() for flow, row in zip("fg", rows))
        assert sum(rewards.values()) == pytest.approx(reward)
        assert truncated == {"f": ended, "g": ended} and not any(terminated.values())
    assert rewards["g"] > rewards["f"], "a larger window gets more"
    assert infos["g"]["now_s"] == 5.0 and infos["g"]["step"].window == 30.0
    env.reset(seed=1)
    for actions in [{"f": 10.0}, {"f": 10.0, "g": 10.0, "h": 10.0}]:
        with pytest.raises(ValueError, match=r"give one for each of \['f', 'g'\]"):
            env.step(actions)
    with pytest.raises(ps.UsageError, match="a window of NaN"):
        env.step({"f": math.nan, "g": 1.0})
    with pytest.raises(ValueError, match="give a list of at least one flow"):
        WindowAgents(scenario, "fg")


def test_agents_observe_and_earn_as_the_user_says():
    gymnasium = pytest.importorskip("gymnasium")
    from pacesim.gym import WindowAgents

    space = gymnasium.spaces.Box(0.0, np.inf, (1,), np.float64)
    env = WindowAgents(
        ps.Scenario(TWO).set("run.duration", "2s"),
        ["f", "g"],
        interval=1.0,
        reward=lambda step, steps: step.goodput_bps / sum(one.goodput_bps for one in steps),
        observe=lambda step, world: np.array([float(world.links["core"].queue_pkts)]),
        observation_space=space,
    )
    env.reset(seed=1)
    observations, rewards, _, _, _ = env.step({"f": 20.0, "g": 20.0})
    assert observations["f"] == observations["g"] and observations["f"] in env.observation_space("f")
    assert sum(rewards.values()) == pytest.approx(1.0)


def test_agents_keep_pettingzoos_rules():
    test = pytest.importorskip("pettingzoo.test")
    from pacesim.gym import WindowAgents

    scenario = ps.Scenario(TWO).set("run.duration", "5s")
    test.parallel_api_test(WindowAgents(scenario, ["f", "g"], interval=0.5, most_window=100.0))
