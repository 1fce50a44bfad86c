//! `pacesim new`.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use pacesim_front::template::template;
use pacesim_lab::{Template, templates};

use super::Ended;
use crate::args::NewArgs;
use crate::exit::Outcome;
use crate::output::{complain, print, report};

/// Writes a commented scenario.
pub(crate) fn new(args: &NewArgs) -> Ended {
    if args.list {
        let line = |template: &Template| format!("{:<12} {}\n", template.name, template.about);
        print(&templates().iter().map(line).collect::<String>())?;
        return Ok(Outcome::Done);
    }
    let template = match template(&args.template) {
        Ok(template) => template,
        Err(unknown) => {
            complain(unknown);
            return Ok(Outcome::Invalid);
        }
    };
    match &args.output {
        Some(path) => write(path, &template),
        None => {
            print(template.text)?;
            Ok(Outcome::Done)
        }
    }
}

fn write(path: &Path, template: &Template) -> Ended {
    let file = match File::create_new(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            complain(format!(
                "{} exists already; choose another name",
                path.display()
            ));
            return Ok(Outcome::Invalid);
        }
        file => file,
    };
    let written = file.and_then(|mut file| file.write_all(template.text.as_bytes()));
    written.map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
    let path = path.display();
    let command = match template.name {
        "study" => "sweep",
        "tune" => "tune",
        _ => "run",
    };
    report(&format!("wrote {path}; next: pacesim {command} {path}\n"));
    Ok(Outcome::Done)
}
