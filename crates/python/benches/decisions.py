"""Decisions per CPU second: of a Python controller that does nothing, of steps of a world, and of the same over a local
socket with one message per step: as in ns3-gym, the agent is another process, whose CPU time counts too.

    python crates/python/benches/decisions.py
"""

import json
import os
import resource
import socket
import time

import pacesim as ps

SCENARIO = {
    "title": "One flow",
    "run": {"duration": "600s", "seed": 1},
    "node": [{"name": "a"}, {"name": "b"}],
    "link": [
        {"name": "core", "from": "a", "to": "b", "rate": "10Mbps", "delay": "5ms", "buffer": "20pkts"},
        {"name": "back", "from": "b", "to": "a", "rate": "10Mbps", "delay": "5ms"},
    ],
    "flow": [{"name": "f", "from": "a", "to": "b",
              "traffic": {"kind": "tcp", "variant": "sack", "profile": "rfc", "window": "10pkts"}}],
}


def cpu(work):
    """The number that some work returns, its CPU time, and its real time."""
    def spent():
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + children.ru_utime + children.ru_stime

    began, real = spent(), time.perf_counter()
    count = work()
    return count, spent() - began, time.perf_counter() - real


def controller():
    calls = [0]

    class Nothing:
        def __init__(self, _flow):
            pass

        def on_ack(self, ack):
            calls[0] += 1

    ps.Scenario(SCENARIO).run(tables=False, controllers={"f": Nothing})
    return calls[0]


def steps():
    world = ps.Scenario(SCENARIO).world(steered=["f"])
    count = 0
    while world.now < world.end:
        world.steer("f", window=10.0)
        world.run_until(world.now + 0.001)
        count += 1
    return count


def agent(channel):
    """Answers each observation by an action, both as text."""
    with channel, channel.makefile("rw") as lines:
        for line in lines:
            observation = json.loads(line)
            lines.write(json.dumps({"window": observation["window"]}) + "\n")
            lines.flush()


def over_socket(messages=20_000):
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        ours.close()
        agent(theirs)
        os._exit(0)
    theirs.close()
    world = ps.Scenario(SCENARIO).world(steered=["f"])
    with ours, ours.makefile("rw") as channel:
        for _ in range(messages):
            channel.write(json.dumps({"window": 10.0, "now": world.now}) + "\n")
            channel.flush()
            world.steer("f", window=json.loads(channel.readline())["window"])
            world.run_until(world.now + 0.001)
        ours.shutdown(socket.SHUT_RDWR)
    os.waitpid(child, 0)
    return messages


def nothing():
    ps.Scenario(SCENARIO).run(tables=False)
    return 1


if __name__ == "__main__":
    _, bare, _ = cpu(nothing)
    print(f"the run without a controller: {bare:.3f} s of CPU")
    for name, work in [("on_ack", controller), ("steps", steps), ("socket", over_socket)]:
        count, spent, real = cpu(work)
        print(f"{name:8} {count:8} decisions, {count / spent:10.0f} a CPU second, {count / real:10.0f} a second")
    count, spent, _ = cpu(controller)
    print(f"on_ack without the simulator's own time: {count / (spent - bare):.0f} a CPU second")
