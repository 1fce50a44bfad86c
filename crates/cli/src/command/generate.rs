//! Commands that print information about the program.

use clap::CommandFactory;
use clap_complete::Shell;
use pacesim_lab::parts::{Kind, installed};
use serde_json::json;

use super::Ended;
use crate::args::Cli;
use crate::exit::Outcome;
use crate::output::{complain, print};
use crate::statement;

/// The JSON Schema of scenario files, or their reference.
pub(crate) fn schema(reference: bool) -> Ended {
    if reference {
        print(&pacesim_lab::reference())?
    } else {
        print(&format!("{:#}\n", pacesim_lab::schema()))?
    }
    Ok(Outcome::Done)
}

/// The version of the program, and of the files that it writes.
pub(crate) fn version(as_json: bool) -> Ended {
    let (version, schema) = (pacesim_lab::VERSION, pacesim_lab::SCHEMA_VERSION);
    let text = if as_json {
        format!(
            "{:#}\n",
            json!({ "version": version, "results_schema": schema, "parts": own_parts() })
        )
    } else {
        let parts: String = own_parts().iter().map(|part| format!("{part}\n")).collect();
        format!("pacesim {version} (results schema {schema})\n{parts}")
    };
    print(&text)?;
    Ok(Outcome::Done)
}

/// The citation of the program.
pub(crate) fn cite() -> Ended {
    print(&statement::citation())?;
    Ok(Outcome::Done)
}

/// Kinds and names of the program's own parts, like "control scalable".
fn own_parts() -> Vec<String> {
    let part = |(kind, name)| match kind {
        Kind::Control => format!("control {name}"),
        Kind::Pacer => format!("pacer {name}"),
        Kind::Source => format!("source {name}"),
        Kind::End => format!("end {name}"),
        Kind::Application => format!("application {name}"),
        Kind::Discipline => format!("discipline {name}"),
        Kind::Measure => format!("measure {name}"),
        Kind::Loss => format!("loss {name}"),
        Kind::Middlebox => format!("middlebox {name}"),
    };
    installed().into_iter().map(part).collect()
}

/// A shell completion script.
pub(crate) fn completions(shell: Shell) -> Ended {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "pacesim", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Done)
}

/// The manual: the page of one command, or those of the program and of all commands.
pub(crate) fn man(of: Option<&str>) -> Ended {
    let mut program = Cli::command();
    program.build();
    let commands = program.get_subcommands();
    let commands: Vec<_> = commands.filter(|sub| sub.get_name() != "help").collect();
    let chosen: Vec<_> = match of {
        None => std::iter::once(&program).chain(commands).collect(),
        Some(name) => match commands.iter().find(|sub| sub.get_name() == name) {
            Some(command) => vec![*command],
            None => {
                let names: Vec<&str> = commands.iter().map(|sub| sub.get_name()).collect();
                let names = names.join(", ");
                complain(format!("no command \"{name}\"; there are {names}"));
                return Ok(Outcome::Invalid);
            }
        },
    };
    let mut pages = Vec::new();
    for page in chosen {
        clap_mangen::Man::new(page.clone()).render(&mut pages)?;
    }
    print(&String::from_utf8_lossy(&pages))?;
    Ok(Outcome::Done)
}
