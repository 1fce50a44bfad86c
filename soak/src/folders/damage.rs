//! Damage to a folder: foreign files, edited digits, cut and missing files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::dice::Dice;

/// Damages one file of a folder; returns a description.
pub(super) fn damage(folder: &Path, foreign: &Path, dice: &mut Dice) -> io::Result<String> {
    loop {
        let files = files(folder)?;
        let name = dice.pick(&files).clone();
        if let Some(said) = damaged(folder, foreign, &name, dice)? {
            return Ok(format!("{}: {said}", name.display()));
        }
    }
}

/// Damages this file; `None` if it stays as it was.
fn damaged(
    folder: &Path,
    foreign: &Path,
    name: &Path,
    dice: &mut Dice,
) -> io::Result<Option<String>> {
    let path = folder.join(name);
    let before = fs::read(&path)?;
    let said = match dice.below(7) {
        0 => {
            fs::remove_file(&path)?;
            return Ok(Some("removed".to_owned()));
        }
        // A whole store of another seed is no damage: it is sound, and says which study it is of.
        1 | 2 if name.ends_with("store.sqlite") => return Ok(None),
        1 | 2 => match fs::copy(foreign.join(name), &path) {
            Ok(_) => "a foreign one".to_owned(),
            Err(_) => return Ok(None),
        },
        3 => {
            let cut = dice.magnitude(1, before.len() as u64) as usize;
            fs::write(&path, &before[..before.len() - cut.min(before.len())])?;
            format!("cut by {cut} bytes")
        }
        4 => {
            let mut bytes = before.clone();
            if bytes.is_empty() {
                return Ok(None);
            }
            let place = dice.place(bytes.len());
            bytes[place] ^= 1 << dice.below(8);
            fs::write(&path, bytes)?;
            format!("a bit flipped at {place}")
        }
        _ => match edited(&before, dice) {
            Some((bytes, said)) => {
                fs::write(&path, bytes)?;
                said
            }
            None => return Ok(None),
        },
    };
    Ok((fs::read(&path)? != before).then_some(said))
}

/// A text with another digit.
fn edited(bytes: &[u8], dice: &mut Dice) -> Option<(Vec<u8>, String)> {
    let text = std::str::from_utf8(bytes).ok()?;
    let digits: Vec<usize> = text
        .bytes()
        .enumerate()
        .filter(|(_, byte)| byte.is_ascii_digit())
        .map(|(place, _)| place)
        .collect();
    if digits.is_empty() {
        return None;
    }
    let place = *dice.pick(&digits);
    let mut bytes = bytes.to_vec();
    bytes[place] = b'0' + (bytes[place] - b'0' + 1 + dice.below(9) as u8) % 10;
    let line = text[..place].rfind('\n').map_or(0, |at| at + 1);
    let line: String = text[line..]
        .chars()
        .take(60)
        .take_while(|c| *c != '\n')
        .collect();
    Some((bytes, format!("a digit edited in {line:?}")))
}

/// All files below a folder.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut found, mut left) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(path) = left.pop() {
        for entry in fs::read_dir(&path)? {
            let path = entry?.path();
            if path.is_dir() {
                left.push(path)
            } else {
                found.push(path.strip_prefix(folder).expect("below it").to_path_buf())
            }
        }
    }
    found.sort();
    Ok(found)
}
