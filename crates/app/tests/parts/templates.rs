//! The crate that `pacesim new part` writes.

use std::path::Path;

use crate::{PROGRAMS, new_part, program_of, run};

fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).expect("a file of the crate")
}

#[test]
fn a_crate_is_short_and_is_the_program_tested_here() {
    for (kind, _) in PROGRAMS {
        let folder = new_part(kind);
        let of = folder.path().join(format!("own_{kind}"));
        let (manifest, main) = (read(&of, "Cargo.toml"), read(&of, "src/main.rs"));
        let lines = manifest.lines().chain(main.lines()).count();
        // A transport has two ends, in at most 120 lines, and an application two sides.
        let most = match kind {
            "end" => manifest.lines().count() + 120,
            "application" => 90,
            _ => 60,
        };
        assert!(lines <= most, "{kind}: {lines} lines");
        let template = format!("templates/{kind}.rs");
        let template = read(Path::new(env!("CARGO_MANIFEST_DIR")), &template);
        assert_eq!(main, template, "{kind}: only the name may differ");
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let here = here.canonicalize().expect("this crate");
        let dependency = format!("pacesim-app = {{ path = \"{}\" }}", here.display());
        assert!(manifest.contains(&dependency), "{manifest}");
    }
}

#[test]
fn its_manifest_is_read_by_cargo() {
    let folder = new_part("pacer");
    let of = folder.path().join("own_pacer");
    let args = ["read-manifest", "--offline"];
    let ran = run(env!("CARGO"), &of, &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let manifest: serde_json::Value = serde_json::from_str(&ran.stdout).expect("one document");
    assert_eq!(manifest["dependencies"][0]["name"], "pacesim-app");
    assert_eq!(manifest["targets"][0]["kind"][0], "bin");
}

#[test]
fn names_replace_those_of_the_template() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["new", "part", "vegas2", "--kind", "control"];
    let ran = run(program_of("control"), folder.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let of = folder.path().join("vegas2");
    for file in ["Cargo.toml", "src/main.rs", "scenario.toml", "study.toml"] {
        let text = read(&of, file);
        assert!(text.contains("vegas2"), "{file}: {text}");
        assert!(!text.contains("own_control"), "{file}: {text}");
    }
    let manifest = read(&of, "Cargo.toml");
    assert!(
        manifest.contains("crates/app"),
        "the source that it was built from: {manifest}"
    );
}

#[test]
fn wrong_requests_write_nothing() {
    for (args, told) in [
        (&["part"][..], "needs a name and a kind"),
        (&["part", "mine"], "needs a name and a kind"),
        (
            &["part", "Mine", "--kind", "pacer"],
            "not the name of a part",
        ),
        (
            &["part", "cubic", "--kind", "control"],
            "the name \"cubic\" is taken by a built-in part; choose another name",
        ),
        (
            &["part", "queue", "--kind", "measure"],
            "the name \"queue\" is taken by a built-in part",
        ),
        (
            &["part", "mine", "--kind", "pacers"],
            "invalid value 'pacers'",
        ),
        (
            &["part", "mine", "--kind", "pacer", "--source", "."],
            "does not hold pacesim's source",
        ),
        (
            &["part", "mine", "--kind", "pacer", "-o", "x"],
            "leave out --output",
        ),
        (&["dumbbell", "mine"], "go with the template \"part\""),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let ran = run(
            program_of("pacer"),
            folder.path(),
            &[&["new"], args].concat(),
        );
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(told), "{args:?}: {}", ran.stderr);
        let left = std::fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, 0, "{args:?} left files");
    }
}
