//! `pacesim new part`: a crate for a user's own part.

use std::fs;
use std::io;
use std::path::Path;

use pacesim_lab::parts::{Kind, built_in_parts};
use pacesim_lab::study::built_in_measures;

use super::Ended;
use crate::args::{NewArgs, PartKind};
use crate::exit::Outcome;
use crate::output::{complain, report};

/// The files of a crate, with the part's name as in the templates.
struct Template {
    name: &'static str,
    main: &'static str,
    scenario: &'static str,
    study: &'static str,
}

const MANIFEST: &str = include_str!("../../templates/part.Cargo.toml");
const CLIPPY: &str = include_str!("../../templates/part.clippy.toml");

const CONTROL: Template = Template {
    name: "own_control",
    main: include_str!("../../templates/control.rs"),
    scenario: include_str!("../../templates/control.toml"),
    study: include_str!("../../templates/control.study.toml"),
};

const PACER: Template = Template {
    name: "own_pacer",
    main: include_str!("../../templates/pacer.rs"),
    scenario: include_str!("../../templates/pacer.toml"),
    study: include_str!("../../templates/pacer.study.toml"),
};

const DISCIPLINE: Template = Template {
    name: "own_discipline",
    main: include_str!("../../templates/discipline.rs"),
    scenario: include_str!("../../templates/discipline.toml"),
    study: include_str!("../../templates/discipline.study.toml"),
};

const SOURCE: Template = Template {
    name: "own_source",
    main: include_str!("../../templates/source.rs"),
    scenario: include_str!("../../templates/source.toml"),
    study: include_str!("../../templates/source.study.toml"),
};

const END: Template = Template {
    name: "own_end",
    main: include_str!("../../templates/end.rs"),
    scenario: include_str!("../../templates/end.toml"),
    study: include_str!("../../templates/end.study.toml"),
};

const APPLICATION: Template = Template {
    name: "own_application",
    main: include_str!("../../templates/application.rs"),
    scenario: include_str!("../../templates/application.toml"),
    study: include_str!("../../templates/application.study.toml"),
};

const MIDDLEBOX: Template = Template {
    name: "own_middlebox",
    main: include_str!("../../templates/middlebox.rs"),
    scenario: include_str!("../../templates/middlebox.toml"),
    study: include_str!("../../templates/middlebox.study.toml"),
};

const LOSS: Template = Template {
    name: "own_loss",
    main: include_str!("../../templates/loss.rs"),
    scenario: include_str!("../../templates/loss.toml"),
    study: include_str!("../../templates/loss.study.toml"),
};

const MEASURE: Template = Template {
    name: "own_measure",
    main: include_str!("../../templates/measure.rs"),
    scenario: include_str!("../../templates/measure.toml"),
    study: include_str!("../../templates/measure.study.toml"),
};

/// Writes the crate into a new folder.
pub(super) fn write(args: &NewArgs) -> Ended {
    let (Some(name), Some(kind)) = (&args.name, args.kind) else {
        complain("a part needs a name and a kind: pacesim new part my_control --kind control");
        return Ok(Outcome::Invalid);
    };
    if let Some(refusal) = refusal(name, kind, args) {
        complain(refusal);
        return Ok(Outcome::Invalid);
    }
    let template = match kind {
        PartKind::Control => &CONTROL,
        PartKind::Pacer => &PACER,
        PartKind::Discipline => &DISCIPLINE,
        PartKind::Source => &SOURCE,
        PartKind::End => &END,
        PartKind::Application => &APPLICATION,
        PartKind::Middlebox => &MIDDLEBOX,
        PartKind::Loss => &LOSS,
        PartKind::Measure => &MEASURE,
    };
    fill(Path::new(name), name, &dependency(args)?, template)
        .map_err(|error| io::Error::other(format!("{name}: {error}")))?;
    report(&format!(
        "wrote {name}; next: cd {name} && cargo test && cargo run -- sweep study.toml\n"
    ));
    Ok(Outcome::Done)
}

/// The reason for rejecting this name or these options.
fn refusal(name: &str, kind: PartKind, args: &NewArgs) -> Option<String> {
    let is_first = |c: char| c.is_ascii_lowercase();
    let is_other = |c: char| is_first(c) || c.is_ascii_digit() || c == '_';
    if !name.starts_with(is_first) || !name.chars().all(is_other) {
        return Some(format!(
            "\"{name}\" is not the name of a part; use a-z, 0-9 and _, starting with a letter"
        ));
    }
    if is_built_in(kind, name) {
        return Some(format!(
            "the name \"{name}\" is taken by a built-in part; choose another name"
        ));
    }
    if args.output.is_some() {
        return Some("a part is written into a folder of its name; leave out --output".to_owned());
    }
    if Path::new(name).exists() {
        return Some(format!("{name} exists already; choose another name"));
    }
    let source = args.source.as_ref()?;
    (!is_source(source)).then(|| {
        let source = source.display();
        format!("{source} does not hold pacesim's source; give the folder of its Cargo.toml")
    })
}

fn is_built_in(kind: PartKind, name: &str) -> bool {
    let kind = match kind {
        PartKind::Control => Kind::Control,
        PartKind::Pacer => Kind::Pacer,
        PartKind::Discipline => Kind::Discipline,
        PartKind::Source => Kind::Source,
        PartKind::End => Kind::End,
        PartKind::Application => Kind::Application,
        PartKind::Middlebox => Kind::Middlebox,
        PartKind::Loss => Kind::Loss,
        PartKind::Measure => Kind::Measure,
    };
    let measures = built_in_measures();
    let all = built_in_parts().chain(measures.iter().copied());
    all.into_iter().any(|taken| taken == (kind, name))
}

/// The source that this program was built from, where it may still be.
const BUILT_FROM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn is_source(folder: &Path) -> bool {
    folder.join("crates/app/Cargo.toml").is_file()
}

/// The dependency as written in Cargo.toml.
fn dependency(args: &NewArgs) -> io::Result<String> {
    let own = Path::new(BUILT_FROM);
    let own = Some(own).filter(|own| is_source(own));
    let Some(source) = args.source.as_deref().or(own) else {
        return Ok(format!("\"{}\"", pacesim_lab::VERSION));
    };
    let folder = source.canonicalize()?.join("crates/app");
    Ok(format!("{{ path = {:?} }}", folder.display().to_string()))
}

/// Writes all files, or none.
fn fill(folder: &Path, name: &str, dependency: &str, template: &Template) -> io::Result<()> {
    let named = |text: &str| text.replace(template.name, name);
    let manifest = MANIFEST
        .replace("NAME", name)
        .replace("DEPENDENCY", dependency);
    let files = [
        ("Cargo.toml", manifest),
        ("clippy.toml", CLIPPY.to_owned()),
        ("src/main.rs", named(template.main)),
        ("scenario.toml", named(template.scenario)),
        ("study.toml", named(template.study)),
    ];
    fs::create_dir(folder)?;
    let written = fs::create_dir(folder.join("src")).and_then(|()| {
        let mut files = files.iter();
        files.try_for_each(|(file, text)| fs::write(folder.join(file), text))
    });
    written.inspect_err(|_| _ = fs::remove_dir_all(folder))
}
