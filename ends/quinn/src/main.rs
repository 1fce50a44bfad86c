//! The program `pacesim` with quinn: scenario files take `kind = "quinn"`.

use std::process::ExitCode;

fn main() -> ExitCode {
    pacesim_app::main_with(pacesim_quinn::parts())
}
