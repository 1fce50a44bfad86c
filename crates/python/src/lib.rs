//! The native half of the Python module `pacesim`: conversions between Python's values and the
//! crates below, without any logic. The other half is in `python/pacesim`.
//!
//! Every call that may take long releases Python's lock, and checks for Ctrl-C at intervals.

mod arrow;
mod control;
mod fault;
mod figure;
mod html;
mod numbers;
mod papers;
mod program;
mod quantity;
mod result;
mod samples;
mod scenario;
mod solve;
mod study;
mod table;
mod toml;
mod watch;
mod world;

use pyo3::prelude::*;

/// The native half of pacesim.
#[pymodule]
mod _pacesim {
    #[pymodule_export]
    #[pymodule_export]
    use crate::figure::Figure;
    #[pymodule_export]
    use crate::numbers::Number;
    #[pymodule_export]
    use crate::papers::{Findings, experiments, reproduce, restore_findings};
    #[pymodule_export]
    use crate::program::main;
    #[pymodule_export]
    use crate::result::{Result, open, restore_result};
    #[pymodule_export]
    use crate::samples::{Ack, Loss, State};
    #[pymodule_export]
    use crate::scenario::{Scenario, load, new, restore_scenario, templates};
    #[pymodule_export]
    use crate::solve::{Solution, models, solve, solve_model, solve_port};
    #[pymodule_export]
    use crate::study::{Study, Sweep, restore_study, restore_sweep, study};
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::world::{FlowState, Flows, LinkState, Links, World};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", pacesim_lab::VERSION)
    }
}
