//! The programs of an engine, such as `sbatch`, and the trait that runs them.

use std::env;
use std::process::Command;

use super::error::EngineError;

/// Runs the programs of an engine.
pub trait Runner {
    /// True if the program exists.
    fn has(&self, program: &str) -> bool;

    /// Runs a program and returns its output.
    fn run(&self, program: &str, arguments: &[&str]) -> Result<String, EngineError>;
}

/// Programs on the PATH of this machine.
#[derive(Clone, Copy, Debug)]
pub struct OnPath;

impl Runner for OnPath {
    fn has(&self, program: &str) -> bool {
        let path = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&path).any(|folder| folder.join(program).is_file())
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Result<String, EngineError> {
        let ran = Command::new(program).args(arguments).output();
        let failed =
            |error: &str| EngineError::failed(format!("{program} failed: {}", error.trim()));
        let ran = ran.map_err(|error| failed(&error.to_string()))?;
        if ran.status.success() {
            Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
        } else {
            Err(failed(&String::from_utf8_lossy(&ran.stderr)))
        }
    }
}
