//! Limits of this machine for a run.

use std::time::Duration;

use clap::Args;
use pacesim_front::host;
use pacesim_lab::RunLimits;

#[derive(Debug, Args)]
pub(crate) struct LimitArgs {
    /// Stop a run that takes more real time than this, such as 10min; by default unlimited.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) run_time: Option<Duration>,

    /// Stop the run that holds the most packets if the program takes more memory than this, such as
    /// 4GB; by default most of the free memory.
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub(crate) run_memory: Option<u64>,
}

impl LimitArgs {
    /// The limits given on the command line; by default those of the machine.
    pub(crate) fn limits(&self) -> RunLimits {
        RunLimits {
            time: self.run_time,
            memory: self.run_memory.or_else(host::sensible_memory),
            again: false,
        }
    }
}

/// Limits for runs kept in a store, which records the ones that were stopped.
#[derive(Debug, Args)]
pub(crate) struct StoreLimitArgs {
    #[command(flatten)]
    limits: LimitArgs,

    /// Repeat runs stopped by --run-time or --run-memory, now or earlier; by default the tables omit
    /// them.
    #[arg(long)]
    retry: bool,
}

impl StoreLimitArgs {
    pub(crate) fn limits(&self) -> RunLimits {
        RunLimits {
            again: self.retry,
            ..self.limits.limits()
        }
    }
}

fn time(text: &str) -> Result<Duration, String> {
    let span: Result<pacesim_lab::Span, _> = text.parse();
    match span {
        Ok(span) if !span.is_zero() => Ok(Duration::from_secs_f64(span.as_secs_f64())),
        Ok(_) => Err("a time of more than zero, such as 10min".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn memory(text: &str) -> Result<u64, String> {
    let bytes: Result<pacesim_lab::Bytes, _> = text.parse();
    match bytes {
        Ok(bytes) if bytes.get() > 0 => Ok(bytes.get()),
        Ok(_) => Err("a size of more than zero, such as 4GB".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
