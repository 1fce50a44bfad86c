//! Pages in Markdown: their blocks of commands, outputs and files.

use std::fs;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Commands that succeed.
    Commands,
    /// Commands that fail.
    Fails,
    /// The output of the commands right before.
    Output,
    /// A part of the TOML file that the paragraph before links to.
    File,
    Other,
}

/// A fenced block.
pub(super) struct Block {
    pub(super) kind: Kind,
    /// The line of its fence, from 1.
    pub(super) line: usize,
    lines: Vec<String>,
    /// The last non-empty line before it.
    before: String,
}

impl Block {
    pub(super) fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// True if this is the output, with a line `...` for any lines.
    pub(super) fn agrees(&self, output: &str) -> bool {
        let found: Vec<&str> = output.trim_end().lines().map(str::trim_end).collect();
        agree(&self.lines, &found)
    }

    /// The file that the paragraph before links to must contain the block.
    pub(super) fn expect_excerpt(&self, page: &Path) {
        let Some(name) = linked_toml(&self.before) else {
            return;
        };
        let path = page.parent().expect("its folder").join(name);
        let file = fs::read_to_string(&path).expect("the file that the page links to");
        assert!(
            file.contains(&self.text()),
            "{}, line {}: {name} does not contain this block",
            page.display(),
            self.line
        );
    }

    /// Commands of the program must be in blocks that are run.
    pub(super) fn expect_no_command(&self, page: &Path) {
        let command = self.lines.iter().find(|line| line.starts_with("pacesim "));
        assert_eq!(
            command,
            None,
            "{}, line {}: a command outside a block of sh is not run",
            page.display(),
            self.line
        );
    }
}

fn agree(expected: &[String], found: &[&str]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((line, rest)) if line == "..." => {
            (0..=found.len()).any(|skipped| agree(rest, &found[skipped..]))
        }
        Some((line, rest)) => {
            found.first().is_some_and(|first| first == line) && agree(rest, &found[1..])
        }
    }
}

/// The target of the last link to a TOML file in a line.
fn linked_toml(line: &str) -> Option<&str> {
    let start = line.rfind("](")? + 2;
    let target = line[start..].split(')').next()?;
    target.ends_with(".toml").then_some(target)
}

pub(super) struct Page {
    lines: Vec<String>,
    pub(super) blocks: Vec<Block>,
}

impl Page {
    pub(super) fn read(path: &Path) -> Page {
        let text = fs::read_to_string(path).expect("a page");
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut blocks: Vec<Block> = Vec::new();
        let (mut before, mut open) = (String::new(), None::<Block>);
        // An output belongs to the commands right before it.
        let mut follows_commands = false;
        for (at, line) in lines.iter().enumerate() {
            match (line.strip_prefix("```"), open.take()) {
                (Some(_), Some(block)) => {
                    follows_commands = matches!(block.kind, Kind::Commands | Kind::Fails);
                    blocks.push(block);
                }
                (Some(info), None) => {
                    open = Some(Block {
                        kind: kind_of(info, follows_commands),
                        line: at + 1,
                        lines: Vec::new(),
                        before: before.clone(),
                    });
                }
                (None, Some(mut block)) => {
                    block.lines.push(line.clone());
                    open = Some(block);
                }
                (None, None) if line.trim().is_empty() => {}
                (None, None) => {
                    before.clone_from(line);
                    follows_commands = false;
                }
            }
        }
        assert!(open.is_none(), "{}: an open block", path.display());
        Page { lines, blocks }
    }

    /// Puts the output into a block without `...`; a block with `...` is edited by hand.
    pub(super) fn replace(&mut self, at: usize, output: &str) {
        let block = &mut self.blocks[at];
        assert!(
            !block.lines.iter().any(|line| line == "..."),
            "line {}: an output with ... must be written by hand; found\n{output}",
            block.line
        );
        block.lines = output
            .trim_end()
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect();
    }

    pub(super) fn write(&self, path: &Path) {
        let (mut text, mut at) = (String::new(), 0);
        let mut put = |line: &str| {
            text.push_str(line);
            text.push('\n');
        };
        for block in &self.blocks {
            self.lines[at..block.line].iter().for_each(|line| put(line));
            block.lines.iter().for_each(|line| put(line));
            let old = &self.lines[block.line..];
            let length = old.iter().position(|line| line.starts_with("```"));
            at = block.line + length.expect("a block that ends");
        }
        self.lines[at..].iter().for_each(|line| put(line));
        fs::write(path, text).expect("written");
    }

    /// Lines and targets of pictures.
    pub(super) fn pictures(&self) -> Vec<(usize, String)> {
        let lines = self.lines.iter().enumerate();
        lines
            .filter_map(|(at, line)| {
                let target = line.strip_prefix("![")?.split("](").nth(1)?;
                Some((at + 1, target.trim_end_matches(')').to_owned()))
            })
            .collect()
    }
}

fn kind_of(info: &str, follows_commands: bool) -> Kind {
    match info {
        "sh" => Kind::Commands,
        "sh fails" => Kind::Fails,
        "text" if follows_commands => Kind::Output,
        "toml" => Kind::File,
        _ => Kind::Other,
    }
}
