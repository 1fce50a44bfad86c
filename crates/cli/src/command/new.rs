//! `pacesim new`.

use std::fs::{File, create_dir_all};
use std::io::{self, Write};
use std::path::Path;

use pacesim_front::template::template;
use pacesim_lab::tables::partial::around;
use pacesim_lab::{Template, templates};

use super::{Ended, misplaced, part_crate};
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
    if args.template == "part" {
        return part_crate::write(args);
    }
    if args.name.is_some() || args.kind.is_some() || args.source.is_some() {
        complain("NAME, --kind and --source go with the template \"part\"");
        return Ok(Outcome::Invalid);
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
    if let Err(error) = create_dir_all(around(path)) {
        return misplaced(around(path), &error);
    }
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
    if let Err(error) = written {
        return misplaced(path, &error);
    }
    let path = path.display();
    let command = match template.name {
        "study" => "sweep",
        "tune" => "tune",
        _ => "run",
    };
    report(&format!("wrote {path}; next: pacesim {command} {path}\n"));
    Ok(Outcome::Done)
}
