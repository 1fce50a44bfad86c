//! The README and the book: every command is run, its output compared, every link followed.
//!
//! A block of `sh` is run by the shell in a folder with the files next to its page, and a block of
//! `text` right after it is the expected output; a line `...` in it stands for any lines. A block
//! `sh fails` must fail, and both of its outputs count. `UPDATE_DOCS=1` rewrites the outputs.

mod assistants;
mod gallery;
mod links;
mod page;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use page::{Block, Kind, Page};

pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the repository")
}

/// The pages of a folder, sorted.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of pages");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut pages: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    pages.sort();
    pages
}

/// A folder with the shipped scenarios and the files next to the page, but none of the pictures
/// that its commands make.
fn scratch(page: &Path) -> tempfile::TempDir {
    let scratch = tempfile::tempdir().expect("a folder");
    let scenarios = scratch.path().join("scenarios");
    copy_files(&root().join("scenarios"), &scenarios);
    copy_files(&root().join("scenarios/theory"), &scenarios.join("theory"));
    let beside = page.parent().expect("its folder");
    if beside != root() && beside != root().join("docs") {
        copy_files(beside, scratch.path());
    }
    scratch
}

fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let is_made = path
            .extension()
            .is_some_and(|ending| ending == "svg" || ending == "md");
        if path.is_file() && !is_made {
            let name = path.file_name().expect("a name");
            fs::copy(&path, to.join(name)).expect("copied");
        }
    }
}

/// The outputs of a block of commands, run by the shell in this folder.
fn shell(folder: &Path, block: &Block) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_pacesim"));
    let mut path = program.parent().expect("its folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").expect("a path"));
    let output = Command::new("bash")
        .args(["-eo", "pipefail", "-c", &block.text()])
        .current_dir(folder)
        .env("PATH", path)
        .stdin(Stdio::null())
        .output()
        .expect("bash starts");
    let stdout = String::from_utf8(output.stdout).expect("text");
    let stderr = String::from_utf8(output.stderr).expect("text");
    let fails = block.kind == Kind::Fails;
    assert_eq!(
        !output.status.success(),
        fails,
        "{} in\n{}\n{stdout}{stderr}",
        if fails {
            "a failure was expected"
        } else {
            "success was expected"
        },
        block.text()
    );
    if fails { stdout + &stderr } else { stdout }
}

/// Runs a page from its first command to its last, and compares outputs, files and figures.
fn run(path: &Path) {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let mut page = Page::read(path);
    let scratch = scratch(path);
    let mut output = None;
    for at in 0..page.blocks.len() {
        let block = &page.blocks[at];
        match block.kind {
            Kind::Commands | Kind::Fails => output = Some(shell(scratch.path(), block)),
            Kind::Output => {
                let made = output
                    .take()
                    .expect("a block of sh before the block of text");
                if !block.agrees(&made) {
                    assert!(
                        update,
                        "{}, line {}: expected\n{}\nfound\n{made}\n(UPDATE_DOCS=1 writes it)",
                        path.display(),
                        block.line,
                        block.text()
                    );
                    page.replace(at, &made);
                }
            }
            Kind::File => block.expect_excerpt(path),
            Kind::Other => block.expect_no_command(path),
        }
    }
    for (line, picture) in page.pictures() {
        compare_figure(path, line, &picture, scratch.path(), update);
    }
    if update {
        page.write(path);
    }
}

/// A picture next to a page equals the figure of the same name that the page's commands drew; one in a
/// folder is of the results of that name.
fn compare_figure(page: &Path, line: usize, picture: &str, scratch: &Path, update: bool) {
    let picture_path = Path::new(picture);
    let name = picture_path.file_name().expect("a file");
    let made = scratch.join("results");
    let of = picture_path.parent().and_then(Path::file_name);
    let of = of.filter(|of| made.join(of).is_dir());
    let results = fs::read_dir(&made).expect("results of the page's commands");
    let drawn = results
        .map(|entry| entry.expect("an entry").path())
        .filter(|folder| of.is_none() || folder.file_name() == of)
        .map(|folder| folder.join("figures").join(name))
        .find(|path| path.is_file())
        .unwrap_or_else(|| panic!("{}, line {line}: no command drew {picture}", page.display()));
    let kept = page.parent().expect("its folder").join(picture);
    if update {
        fs::copy(&drawn, &kept).expect("copied");
    }
    assert!(
        fs::read(&drawn).expect("read") == fs::read(&kept).expect("read"),
        "{}, line {line}: {picture} is not the figure that the page's commands draw \
         (UPDATE_DOCS=1 copies it)",
        page.display()
    );
}

fn run_all(folder: &str, at_least: usize) {
    let pages = pages(&root().join(folder));
    assert!(
        pages.len() >= at_least,
        "pages of {folder}: {}",
        pages.len()
    );
    pages.iter().for_each(|page| run(page));
}

#[test]
fn the_readme_s_commands_give_its_outputs() {
    run(&root().join("README.md"));
}

#[test]
fn learn_s_commands_give_their_outputs() {
    run_all("docs/learn", 9);
}

#[test]
fn the_models_commands_give_their_outputs() {
    run_all("docs/models", 1);
}

#[test]
fn the_cookbook_s_commands_give_their_outputs() {
    run_all("docs/cookbook", 30);
}

#[test]
fn the_page_of_commands_is_that_of_the_program() {
    run(&root().join("docs/commands.md"));
}

/// Whole questions in few lines are the point of study files.
#[test]
fn three_studies_of_the_cookbook_are_short() {
    for (name, most) in [
        ("web-load", 35),
        ("parking-lot-pacers", 35),
        ("least-fec", 30),
    ] {
        let path = root().join(format!("docs/cookbook/{name}.toml"));
        let text = fs::read_to_string(&path).expect("a study of the cookbook");
        let lines = text.lines().count();
        assert!(lines <= most, "{name}: {lines} lines");
    }
}
