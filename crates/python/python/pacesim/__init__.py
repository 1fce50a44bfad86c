"""pacesim: a deterministic packet-level network simulator.

>>> import pacesim as ps
>>> r = ps.new("mm1k").set("run.duration", "100s").run(seed=1)
>>> r.flows.name
'flows'
"""

from ._claims import Claims
from ._errors import AbsentError, Error, Problem, RunError, ScenarioError, UsageError
from ._pacesim import (
    Ack,
    Figure,
    Findings,
    FlowState,
    LinkState,
    Loss,
    Number,
    Result,
    Scenario,
    Solution,
    State,
    Study,
    Sweep,
    Table,
    World,
    __version__,
    experiments,
    load,
    models,
    new,
    open,
    reproduce,
    solve,
    study,
    templates,
)

__all__ = [
    "AbsentError",
    "Ack",
    "Claims",
    "Error",
    "Figure",
    "Findings",
    "FlowState",
    "LinkState",
    "Loss",
    "Number",
    "Problem",
    "Result",
    "RunError",
    "Scenario",
    "ScenarioError",
    "Solution",
    "State",
    "Study",
    "Sweep",
    "Table",
    "UsageError",
    "World",
    "__version__",
    "experiments",
    "load",
    "models",
    "new",
    "open",
    "reproduce",
    "solve",
    "study",
    "templates",
]
