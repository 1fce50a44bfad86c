"""Worlds step by step."""

import threading

import pacesim as ps
import pytest
from conftest import ROOT, SMALL


def test_steps_do_not_change_the_run(small):
    whole = small.run(tables=False).fingerprint
    world = small.world()
    while world.now < world.end:
        world.run_until(world.now + 0.123)
    assert world.fingerprint == whole
    assert world.summary["fingerprint"] == whole


def test_a_world_is_read_between_steps():
    world = ps.load(ROOT / "scenarios/dumbbell.toml").world(seed=1)
    world.run_until("12s")
    burst = world.flows["burst"]
    assert burst.cwnd_pkts > 20 and burst.srtt_s > 0.04 and burst.in_flight_pkts > 0
    assert burst.goodput_bytes == sum(
        world.flows[f"burst[{n}]"].goodput_bytes for n in range(20)
    )
    core = world.links["core"]
    assert core.queue_pkts <= 10 and core.left_bytes > 0 and core.busy_s <= 12
    assert list(world.flows) == world.flows.keys() == ["burst", "paced"] and "core" in world.links
    assert list(world.links) == world.links.keys() and set(dict(world.links)) == set(world.links)
    with pytest.raises(ps.AbsentError, match="core"):
        world.links["cor"]
    with pytest.raises(ps.AbsentError, match="burst"):
        world.flows["bursts"]


def test_a_link_that_may_change_has_the_same_flows():
    # Such a queue counts a packet at the start of its transmission, which changes the fingerprint.
    scenario = ps.new("tcp_dumbbell").set({"run.duration": "12s", "run.warmup": "2s"})
    plain, changing = scenario.world(), scenario.world(changing=["core"])
    plain.run()
    changing.run()
    assert changing.summary["flows"] == plain.summary["flows"]


def test_changes_between_steps_are_those_of_events():
    event = {"at": "5s", "links": ["core"], "rate": "4Mbps"}
    world = ps.Scenario(SMALL).world(changing=["core"])
    # Events precede everything else at their time, outside changes follow it: one picosecond apart.
    world.run_until(f"{5 * 10**12 - 1}ps")
    world.change("core", rate="4Mbps")
    world.run()
    with_event = ps.Scenario(SMALL | {"event": [event]})
    assert world.fingerprint == with_event.run(tables=False).fingerprint
    assert world.links["core"].left_bytes < 10e6 / 8 * 5 + 4e6 / 8 * 5


def test_loss_delay_and_outage(small):
    world = small.world(changing=["core"])
    world.run_until(1)
    world.change("core", loss=1.0, delay=0.001)
    world.run_until(2)
    lost = world.links["core"].lost_pkts
    assert lost > 500
    world.change("core", loss=0.0, up=False)
    world.run_until(3)
    left = world.links["core"].left_pkts
    world.run_until(4)
    assert world.links["core"].left_pkts == left
    world.change("core", up=True)
    world.run_until(5)
    assert world.links["core"].left_pkts > left


@pytest.mark.parametrize(
    "change",
    [{"rate": 0}, {"rate": -1}, {"rate": float("nan")}, {"delay": -1}, {"delay": "soon"}, {"loss": 1.5},
     {"loss": float("nan")}],
)
def test_changes_that_cannot_be_are_refused(small, change):
    world = small.world(changing=["core"])
    before = world.fingerprint
    with pytest.raises(ps.UsageError):
        world.change("core", **change)
    assert world.fingerprint == before


def test_a_link_that_may_not_change_is_named(small):
    with pytest.raises(ps.UsageError, match=r'changing=\["core"\]'):
        small.world().change("core", rate="1Mbps")
    with pytest.raises(ps.AbsentError, match="core"):
        small.world(changing=["cora"])


PACED = SMALL | {
    "link": [
        SMALL["link"][0]
        | {"pacer": {"kind": "token_bucket", "rate": "2Mbps", "burst": "1KB", "buffer": "50pkts"}}
    ]
}


def test_the_rate_of_a_pacer_changes_between_steps():
    world = ps.Scenario(PACED).world()
    world.run_until(5)
    slow = world.links["core"].left_bytes
    assert 0.99 * 2e6 / 8 * 5 < slow < 1.01 * 2e6 / 8 * 5
    world.change("core", pacer_rate="6Mbps")
    world.run()
    fast = world.links["core"].left_bytes - slow
    assert 0.99 * 6e6 / 8 * 5 < fast < 1.01 * 6e6 / 8 * 5


def test_a_pacer_without_a_rate_is_named(small):
    with pytest.raises(ps.UsageError, match='"core" has no pacer'):
        small.world().change("core", pacer_rate="1Mbps")
    with pytest.raises(ps.UsageError, match="nothing to change"):
        small.world().change("core")
    hull = {"kind": "hull", "delay": "10ms"}
    held = ps.Scenario(SMALL | {"link": [SMALL["link"][0] | {"pacer": hull}]}).world(changing=["core"])
    with pytest.raises(ps.UsageError, match="token_bucket"):
        held.change("core", pacer_rate="1Mbps", rate="1Mbps")
    with pytest.raises(ps.UsageError, match="rate"):
        held.change("core", pacer_rate=0)
    for none in (0, "0bps"):
        with pytest.raises(ps.UsageError, match="up=False"):
            held.change("core", rate=none)
    plain = ps.Scenario(SMALL | {"link": [SMALL["link"][0] | {"pacer": hull}]}).world(changing=["core"])
    held.run()
    plain.run()
    assert held.fingerprint == plain.fingerprint, "a refused change changes nothing"


@pytest.mark.parametrize("time", [-1, float("nan"), float("inf"), "soon", None, 1e30])
def test_times_that_are_none_are_refused(small, time):
    with pytest.raises(ps.UsageError):
        small.world().run_until(time)


def test_a_world_that_gives_up_says_why():
    scenario = ps.Scenario(SMALL | {"link": [SMALL["link"][0] | {"rate": "1Mbps", "buffer": "unlimited"}]})
    world = scenario.set("run.most_waiting", 1000).world()
    with pytest.raises(ps.RunError, match="core"):
        world.run()


def test_worlds_run_side_by_side_in_threads(small):
    worlds = [small.world(), small.world()]
    threads = [threading.Thread(target=world.run) for world in worlds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert worlds[0].fingerprint == worlds[1].fingerprint == small.run(tables=False).fingerprint
