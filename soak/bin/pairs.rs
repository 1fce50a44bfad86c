//! Pairs that must agree: formulas and literals, flows and those that they are cut into; and
//! planted mistakes.

use std::fs;
use std::io;
use std::ops::Range;

use pacesim_soak::{
    FORMULAS, Maker, PLANTINGS, try_bound, try_cut, try_formulas, try_planted, try_planted_study,
    try_spellings,
};

use crate::watch;

/// Tries so many formulas; returns the number of failures.
pub(crate) fn formulas(numbers: Range<u64>) -> io::Result<u64> {
    let maker = Maker::default();
    let around = tempfile::tempdir()?;
    let folder = around.path().join("case");
    let (mut accepted, mut refused, mut failed) = (0_u64, 0_u64, 0_u64);
    let count = numbers.end - numbers.start;
    for number in numbers.start.. {
        if accepted + refused + failed >= count {
            break;
        }
        watch::case(format!("formulas {number}"));
        let (equated, failures) = try_formulas(&maker, number, &folder)?;
        accepted += equated.accepted;
        refused += equated.refused;
        failed += failures.len() as u64;
        for (failure, text) in failures {
            println!("formulas {number}: {failure}\n{text}");
        }
        fs::remove_dir_all(&folder)?;
    }
    println!("{count} formulas, {FORMULAS} beside the keys of one scenario");
    println!(
        "  failed: {failed}, accepted like the literal: {accepted}, refused like it: {refused}"
    );
    Ok(failed)
}

/// Plants mistakes in the scenarios of these numbers; returns the number of failures.
pub(crate) fn planted(numbers: Range<u64>) -> io::Result<u64> {
    let maker = Maker::default();
    let around = tempfile::tempdir()?;
    let folder = around.path().join("case");
    let (mut reported, mut failed) = (0_u64, 0_u64);
    let count = numbers.end - numbers.start;
    for number in numbers {
        watch::case(format!("planted {number}"));
        let (found, failures) = try_planted(&maker, number, &folder)?;
        reported += found;
        failed += failures.len() as u64;
        for (failure, text) in failures {
            println!("planted {number}: {failure}\n{text}");
        }
        match try_planted_study(number, &folder)? {
            Ok(found) => reported += found,
            Err((failure, text)) => {
                failed += 1;
                println!("planted in a study {number}: {failure}\n{text}");
            }
        }
        fs::remove_dir_all(&folder)?;
    }
    println!("{count} scenarios, {PLANTINGS} times with planted mistakes, and as many studies");
    println!("  failed: {failed}, mistakes reported once and alone: {reported}");
    Ok(failed)
}

/// Cuts the flows of these numbers; returns the number of failures.
pub(crate) fn cuts(numbers: Range<u64>) -> io::Result<u64> {
    let around = tempfile::tempdir()?;
    let folder = around.path().join("case");
    let mut failed = 0;
    let count = numbers.end - numbers.start;
    for number in numbers {
        watch::case(format!("cut {number}"));
        if let Err((failure, text)) = try_cut(number, &folder)? {
            failed += 1;
            println!("cut {number}: {failure}\n{text}");
        }
        fs::remove_dir_all(&folder)?;
    }
    println!("{count} flows cut into several, each twice");
    println!("  failed: {failed}");
    Ok(failed)
}

/// Runs the networks with closed forms of these numbers; returns the number of failures.
pub(crate) fn bounds(numbers: Range<u64>) -> io::Result<u64> {
    let mut failed = 0;
    let count = numbers.end - numbers.start;
    for number in numbers {
        watch::case(format!("bound {number}"));
        if let Err((failure, text)) = try_bound(number) {
            failed += 1;
            println!("bound {number}: {failure}\n{text}");
        }
    }
    println!("{count} networks with closed forms");
    println!("  failed: {failed}");
    Ok(failed)
}

/// Spells keys of the scenarios of these numbers in two ways; returns the number of failures.
pub(crate) fn spellings(numbers: Range<u64>) -> io::Result<u64> {
    let maker = Maker::default();
    let around = tempfile::tempdir()?;
    let folder = around.path().join("case");
    let (mut refused, mut failed) = (0_u64, 0_u64);
    let count = numbers.end - numbers.start;
    for number in numbers {
        watch::case(format!("spelling {number}"));
        match try_spellings(&maker, number, &folder)? {
            Ok(pairs) => refused += pairs,
            Err((failure, text)) => {
                failed += 1;
                println!("spelling {number}: {failure}\n{text}");
            }
        }
        fs::remove_dir_all(&folder)?;
    }
    println!("{count} keys spelt in two ways");
    println!("  failed: {failed}, the same by --set and refused as two axes: {refused}");
    Ok(failed)
}
