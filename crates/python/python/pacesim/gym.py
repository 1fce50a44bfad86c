"""An environment of Gymnasium in which the actions are windows of flows: `pip install pacesim[gym]`.

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

__all__ = ["FlowStep", "WindowEnv"]


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


class WindowEnv(gymnasium.Env[Any, Any]):
    """Sets the windows of flows every `interval` seconds: one agent for all flows, one row per flow.

    `observe` makes an observation from the flows' steps and the world, `reward` a number from the steps. Several agents
    take one row each, and compute their own rewards from the `steps` in the info of each step.
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
        if not flows or not interval > 0 or not most_window > 1:
            raise ValueError("give at least one flow, an interval above 0 and most_window above 1")
        if (observe is None) != (observation_space is None):
            raise ValueError("observe and observation_space come together")
        self._scenario, self._flows, self._interval = scenario, list(flows), float(interval)
        self._reward, self._observe = reward, observe
        shape = (len(self._flows),)
        self.action_space = gymnasium.spaces.Box(1.0, most_window, shape, np.float64)
        self.observation_space = observation_space or gymnasium.spaces.Box(
            0.0, np.inf, (*shape, 4), np.float64
        )
        self._world: World | None = None
        self._before: dict[str, tuple[int, int]] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins a new world; `seed` is the scenario's seed."""
        super().reset(seed=seed)
        self._world = self._scenario.world(seed=seed, steered=self._flows)
        self._before = dict.fromkeys(self._flows, (0, 0))
        steps = self._steps(self._world)
        return self._seen(steps, self._world), {"now_s": 0.0, "steps": steps}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Sets the windows, and runs for one interval."""
        world = self._world
        if world is None:
            raise RuntimeError("call reset before step")
        windows = np.asarray(action, dtype=np.float64)
        if windows.shape != (len(self._flows),):
            raise ValueError(f"an action of shape {windows.shape}; give a window for each of {self._flows}")
        for flow, window in zip(self._flows, windows.tolist(), strict=True):
            world.steer(flow, window=window)
        world.run_until(min(world.now + self._interval, world.end))
        steps = self._steps(world)
        ended = world.now >= world.end
        return self._seen(steps, world), float(self._reward(steps)), False, ended, {"now_s": world.now, "steps": steps}

    def _steps(self, world: World) -> list[FlowStep]:
        return [self._step(flow, world) for flow in self._flows]

    def _step(self, flow: str, world: World) -> FlowStep:
        state = world.flows[flow]
        bytes_before, lost_before = self._before[flow]
        lost = state.dropped_pkts + state.lost_pkts
        self._before[flow] = (state.goodput_bytes, lost)
        bits = 8 * (state.goodput_bytes - bytes_before)
        return FlowStep(
            flow, state.cwnd_pkts or 0.0, bits / self._interval, state.srtt_s or 0.0, lost - lost_before
        )

    def _seen(self, steps: Sequence[FlowStep], world: World) -> Any:
        if self._observe is not None:
            return self._observe(steps, world)
        return np.array([step.observed() for step in steps], dtype=np.float64)
