//! The campaigns: so many cases from a first number on, and what they came to.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::process::{ExitCode, abort};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use pacesim_soak::{
    Failure, Fault, Maker, Verdict, document, places, shrink, try_case, try_tree,
};

/// The case at work.
static CASE: AtomicU64 = AtomicU64::new(0);

fn main() -> io::Result<ExitCode> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse());
    let (Some(Ok(count)), Some(Ok(first))) = (numbers.next(), numbers.next()) else {
        eprintln!("usage: soak COUNT FIRST");
        return Ok(ExitCode::from(2));
    };
    std::panic::set_hook(Box::new(|_| ()));
    thread::spawn(watch);
    let failures = match std::env::args().nth(3) {
        None => scenarios(count, first)?,
        Some(_) => files(count, first)?,
    };
    Ok(match failures {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// Ends the program when a case takes a minute: then it never ends.
fn watch() {
    let mut last = 0;
    loop {
        thread::sleep(Duration::from_secs(60));
        let now = CASE.load(Ordering::Relaxed);
        if now == last && now != 0 {
            println!("case {now}: {:?}: a minute has passed", Fault::Hang);
            abort();
        }
        last = now;
    }
}

/// What a campaign came to.
#[derive(Default)]
struct Sums {
    sound: u64,
    none: u64,
    failed: u64,
    refused: u64,
    packet_hops: u64,
    rows: u64,
    in_flight: u64,
    used: BTreeSet<String>,
}

fn scenarios(count: u64, first: u64) -> io::Result<u64> {
    let maker = Maker::default();
    let around = tempfile::tempdir()?;
    let mut sums = Sums::default();
    for number in first..first + count {
        CASE.store(number, Ordering::Relaxed);
        let folder = around.path().join("case");
        match try_case(&maker, number, &folder)? {
            Verdict::NoScenario => sums.none += 1,
            Verdict::Sound(made, figures) => {
                sums.sound += 1;
                sums.refused += made.rejected;
                sums.packet_hops += figures.packet_hops;
                sums.rows += figures.rows;
                sums.in_flight += figures.in_flight;
                sums.used.extend(made.used);
            }
            Verdict::Failed(failure, tree) => {
                sums.failed += 1;
                println!("case {number}: {failure}");
                let fails = |tree: &_| -> Option<Failure> { try_tree(tree, &folder).err() };
                println!("{}", document(&shrink(&tree, failure.fault, fails)));
            }
        }
        fs::remove_dir_all(&folder)?;
    }
    sums.report(&maker, first);
    Ok(sums.failed)
}

fn files(count: u64, first: u64) -> io::Result<u64> {
    let maker = Maker::default();
    let around = tempfile::tempdir()?;
    let mut failed = 0;
    for kind in pacesim_soak::Kind::ALL {
        let mut counts = [0, 0, 0];
        for number in first..first + count {
            CASE.store(number, Ordering::Relaxed);
            let folder = around.path().join("case");
            let broken = pacesim_soak::try_broken(&maker, kind, number, &folder)?;
            match broken.outcome {
                Ok(true) => counts[0] += 1,
                Ok(false) => counts[1] += 1,
                Err(failure) => {
                    println!("{kind:?} {number}: {failure}");
                    fs::write(format!("/tmp/broken-{kind:?}-{number}"), &broken.bytes)?;
                    counts[2] += 1;
                }
            }
            fs::remove_dir_all(&folder)?;
        }
        println!("{kind:?}: {counts:?}");
        failed += counts[2];
    }
    Ok(failed)
}

impl Sums {
    fn report(&self, maker: &Maker, first: u64) {
        let Sums { sound, none, failed, .. } = self;
        let all = places(maker.schema());
        let used = all.intersection(&self.used).count();
        println!("cases from {first} on: {sound} sound, {failed} failed, {none} without a scenario");
        println!("  {} drafts refused by check", self.refused);
        println!("  {} packet-hops, {} rows", self.packet_hops, self.rows);
        println!("  {} packets in flight at the end", self.in_flight);
        println!("  {used} of {} places of the language used", all.len());
    }
}
