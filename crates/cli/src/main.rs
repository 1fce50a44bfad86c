//! The program `pacesim`, with the built-in parts.

use std::process::ExitCode;

use pacesim_cli::main_with;
use pacesim_lab::parts::Parts;

fn main() -> ExitCode {
    main_with(Parts::new())
}
