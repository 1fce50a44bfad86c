//! Commands that print what the program knows about itself.

use clap::CommandFactory;
use clap_complete::Shell;
use serde_json::json;

use super::Ended;
use crate::args::Cli;
use crate::exit::Outcome;
use crate::output::print;

/// The JSON Schema of scenario files.
pub(crate) fn schema() -> Ended {
    print(&format!("{:#}\n", pacesim_lab::schema()))?;
    Ok(Outcome::Done)
}

/// The version of the program, and of the files it writes.
pub(crate) fn version(as_json: bool) -> Ended {
    let (version, schema) = (pacesim_lab::VERSION, pacesim_lab::SCHEMA_VERSION);
    let text = match as_json {
        true => format!(
            "{:#}\n",
            json!({ "version": version, "results_schema": schema })
        ),
        false => format!("pacesim {version} (results schema {schema})\n"),
    };
    print(&text)?;
    Ok(Outcome::Done)
}

/// A completion script.
pub(crate) fn completions(shell: Shell) -> Ended {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "pacesim", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Done)
}

/// The manual: a page for the program and one for each command, one after the other.
pub(crate) fn man() -> Ended {
    let mut command = Cli::command();
    command.build();
    let mut pages = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut pages)?;
    for sub in command
        .get_subcommands()
        .filter(|sub| sub.get_name() != "help")
    {
        clap_mangen::Man::new(sub.clone()).render(&mut pages)?;
    }
    print(&String::from_utf8_lossy(&pages))?;
    Ok(Outcome::Done)
}
