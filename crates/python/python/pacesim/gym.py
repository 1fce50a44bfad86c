"""Environments of Gymnasium in which the actions are windows of flows: `pip install pacesim[gym]`.

`WindowEnv` has one agent for all flows, `WindowAgents` one for each.

>>> import pacesim as ps
>>> from pacesim.gym import WindowEnv
>>> env = WindowEnv(ps.new("tcp_dumbbell").set({"run.duration": "2s", "run.warmup": "1s"}), ["long[0]"], interval=0.5)
>>> observation, info = env.reset(seed=1)
>>> observation.shape
(1, 4)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np

from ._pacesim import Scenario, World

__all__ = ["FlowStep", "WindowAgents", "WindowEnv"]


@dataclass(frozen=True, slots=True)
class FlowStep:
    """One flow in one interval."""

    flow: str
    window: float
    goodput_bps: float
    srtt_s: float
    lost_pkts: int

    def observed(self) -> list[float]:
        """Window in packets, goodput in Mbit/s, round trip in seconds, packets lost."""
        return [self.window, self.goodput_bps / 1e6, self.srtt_s, float(self.lost_pkts)]


def utility(steps: Sequence[FlowStep]) -> float:
    """Sum of log goodput, less a tenth of the log of round trips: fairness, with some weight on delay."""
    return sum(
        math.log(max(step.goodput_bps, 1.0)) - 0.1 * math.log(max(step.srtt_s, 1e-6)) for step in steps
    )


class _Steered:
    """A world whose flows get a window each at equal intervals."""

    def __init__(self, scenario: Scenario, flows: Sequence[str], interval: float) -> None:
        self.flows = list(flows)
        self._scenario, self._interval = scenario, float(interval)
        self._world: World | None = None
        self._before: dict[str, tuple[int, int]] = {}

    @property
    def world(self) -> World:
        """The current world."""
        if self._world is None:
            raise RuntimeError("call reset before step")
        return self._world

    @property
    def has_ended(self) -> bool:
        """True at the end of the run."""
        return self.world.now >= self.world.end

    def begin(self, seed: int | None) -> list[FlowStep]:
        """Begins a new world."""
        self._world = self._scenario.world(seed=seed, steered=self.flows)
        self._before = dict.fromkeys(self.flows, (0, 0))
        return self._steps()

    def advance(self, windows: Sequence[float]) -> list[FlowStep]:
        """Sets the windows, and runs for one interval."""
        world = self.world
        for flow, window in zip(self.flows, windows, strict=True):
            world.steer(flow, window=window)
        world.run_until(min(world.now + self._interval, world.end))
        return self._steps()

    def _steps(self) -> list[FlowStep]:
        return [self._step(flow) for flow in self.flows]

    def _step(self, flow: str) -> FlowStep:
        state = self.world.flows[flow]
        bytes_before, lost_before = self._before[flow]
        lost = state.dropped_pkts + state.lost_pkts
        self._before[flow] = (state.goodput_bytes, lost)
        bits = 8 * (state.goodput_bytes - bytes_before)
        return FlowStep(
            flow, state.cwnd_pkts or 0.0, bits / self._interval, state.srtt_s or 0.0, lost - lost_before
        )


def _check(
    flows: Sequence[str], interval: float, most_window: float, observe: object, observation_space: object
) -> None:
    if isinstance(flows, str) or not flows:
        raise ValueError(f"flows is {flows!r}; give a list of at least one flow")
    if not interval > 0:
        raise ValueError(f"interval is {interval!r}; give seconds, more than 0")
    if not most_window > 1:
        raise ValueError(f"most_window is {most_window!r}; give packets, more than 1")
    if (observe is None) != (observation_space is None):
        raise ValueError("observe and observation_space come together")


class WindowEnv(gymnasium.Env[Any, Any]):
    """Sets the windows of flows every `interval` seconds: one agent for all flows, one row per flow.

    `observe` makes an observation from the flows' steps and the world, `reward` a number from the steps, which are also
    in the info of each step.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(
        self,
        scenario: Scenario,
        flows: Sequence[str],
        *,
        interval: float = 0.1,
        most_window: float = 10_000.0,
        reward: Callable[[Sequence[FlowStep]], float] = utility,
        observe: Callable[[Sequence[FlowStep], World], Any] | None = None,
        observation_space: Any = None,
    ) -> None:
        _check(flows, interval, most_window, observe, observation_space)
        self._steered, self._reward, self._observe = _Steered(scenario, flows, interval), reward, observe
        shape = (len(self._steered.flows),)
        self.action_space = gymnasium.spaces.Box(1.0, most_window, shape, np.float64)
        self.observation_space = observation_space or gymnasium.spaces.Box(
            0.0, np.inf, (*shape, 4), np.float64
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins a new world; `seed` is the scenario's seed."""
        super().reset(seed=seed)
        steps = self._steered.begin(seed)
        return self._seen(steps), self._info(steps)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Sets the windows, and runs for one interval."""
        windows, flows = np.asarray(action, dtype=np.float64), self._steered.flows
        if windows.shape != (len(flows),):
            raise ValueError(f"an action of shape {windows.shape}; give a window for each of {flows}")
        steps = self._steered.advance(windows.tolist())
        return self._seen(steps), float(self._reward(steps)), False, self._steered.has_ended, self._info(steps)

    def _info(self, steps: list[FlowStep]) -> dict[str, Any]:
        return {"now_s": self._steered.world.now, "steps": steps}

    def _seen(self, steps: Sequence[FlowStep]) -> Any:
        if self._observe is not None:
            return self._observe(steps, self._steered.world)
        return np.array([step.observed() for step in steps], dtype=np.float64)


def utility_of_one(step: FlowStep, _steps: Sequence[FlowStep]) -> float:
    """The share of one flow in `utility`."""
    return utility([step])


class WindowAgents:
    """Sets the windows of flows every `interval` seconds: an agent for each flow, named after it.

    Actions, observations, rewards, ends and infos are dicts by agent, as in PettingZoo's parallel interface, which
    multi-agent libraries take; PettingZoo itself is not needed. `reward` makes an agent's number from its own step and
    those of all, `observe` its observation from its step and the world.

    >>> import pacesim as ps
    >>> from pacesim.gym import WindowAgents
    >>> s = ps.new("tcp_dumbbell").set({"run.duration": "2s", "run.warmup": "1s"})
    >>> env = WindowAgents(s, ["long[0]", "long[1]"], interval=0.5)
    >>> observations, infos = env.reset(seed=1)
    >>> observations, rewards, terminated, truncated, infos = env.step({"long[0]": 10, "long[1]": 20})
    >>> infos["long[1]"]["step"].window
    20.0
    """

    metadata: dict[str, Any] = {"name": "pacesim_windows", "render_modes": []}
    render_mode = None

    def __init__(
        self,
        scenario: Scenario,
        flows: Sequence[str],
        *,
        interval: float = 0.1,
        most_window: float = 10_000.0,
        reward: Callable[[FlowStep, Sequence[FlowStep]], float] = utility_of_one,
        observe: Callable[[FlowStep, World], Any] | None = None,
        observation_space: Any = None,
    ) -> None:
        _check(flows, interval, most_window, observe, observation_space)
        self._steered, self._reward, self._observe = _Steered(scenario, flows, interval), reward, observe
        self.possible_agents = list(flows)
        self.agents: list[str] = []
        box = gymnasium.spaces.Box
        self.action_spaces = {flow: box(1.0, most_window, (1,), np.float64) for flow in flows}
        self.observation_spaces = {
            flow: observation_space or box(0.0, np.inf, (4,), np.float64) for flow in flows
        }

    def action_space(self, agent: str) -> Any:
        """The windows that an agent may set."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Any:
        """The observations of an agent."""
        return self.observation_spaces[agent]

    @property
    def num_agents(self) -> int:
        """The number of agents in this run: all until its end, then none."""
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        """The number of all agents."""
        return len(self.possible_agents)

    @property
    def unwrapped(self) -> "WindowAgents":
        """The environment itself."""
        return self

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begins a new world; `seed` is the scenario's seed."""
        steps = self._steered.begin(seed)
        self.agents = list(self.possible_agents)
        return self._seen(steps), self._infos(steps)

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Sets the windows, and runs for one interval."""
        flows = self._steered.flows
        if set(actions) != set(flows):
            raise ValueError(f"actions of {sorted(actions)}; give one for each of {flows}")
        windows = [float(np.asarray(actions[flow], dtype=np.float64).item()) for flow in flows]
        steps = self._steered.advance(windows)
        ended = self._steered.has_ended
        self.agents = [] if ended else list(flows)
        rewards = {step.flow: float(self._reward(step, steps)) for step in steps}
        return self._seen(steps), rewards, dict.fromkeys(flows, False), dict.fromkeys(flows, ended), self._infos(steps)

    def render(self) -> None:
        """Renders nothing."""

    def close(self) -> None:
        """Needs nothing."""

    def _infos(self, steps: list[FlowStep]) -> dict[str, dict[str, Any]]:
        now = self._steered.world.now
        return {step.flow: {"now_s": now, "step": step} for step in steps}

    def _seen(self, steps: Sequence[FlowStep]) -> dict[str, Any]:
        observe = self._observe or (lambda step, _world: np.array(step.observed(), dtype=np.float64))
        return {step.flow: observe(step, self._steered.world) for step in steps}
