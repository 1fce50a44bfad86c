//! Sameness in another process: a test runs itself again there, and compares.

use std::process::{Command, Stdio, exit};
use std::time::Duration;

use pacesim::transport::laws::LEAKS;

/// The variable that tells a test to print its numbers, and to end its process.
const ASKED: &str = "PACESIM_NUMBERS_OF_TEST";
/// Beginning of a line with the numbers of a trial.
const LINE: &str = "numbers of a trial:";
/// Real time until the other process starts, so that clocks of whole seconds differ as well.
const LATER: Duration = Duration::from_millis(1100);

/// Runs the calling test in another process as well, up to this call, and compares the numbers of all
/// trials, such as a hash of each packet. `test` is its path:
///
/// ```no_run
/// # use pacesim_app::laws::elsewhere;
/// # fn fingerprint() -> u64 { 1 }
/// // As a test:
/// fn a_run_is_repeated_elsewhere() {
///     let test = concat!(module_path!(), "::a_run_is_repeated_elsewhere");
///     elsewhere::same(test, &[vec![fingerprint()]]);
/// }
/// ```
///
/// # Panics
///
/// Panics at the first number that differs, and if the test fails there or cannot be started.
#[allow(
    clippy::print_stdout,
    reason = "the other process reads it, and nobody else"
)]
pub fn same(test: &str, trials: &[Vec<u64>]) {
    if std::env::var_os(ASKED).is_some() {
        for trial in trials {
            let numbers: Vec<String> = trial.iter().map(u64::to_string).collect();
            println!("\n{LINE}{}", numbers.join(" "));
        }
        // Nothing that follows in the test counts here.
        exit(0);
    }
    let elsewhere = numbers_elsewhere(test);
    let (here, there) = (trials.len(), elsewhere.len());
    assert_eq!(here, there, "{test}: trials here, and in another process");
    for (trial, (one, two)) in trials.iter().zip(&elsewhere).enumerate() {
        let differs = |place: &usize| one.get(*place) != two.get(*place);
        let place = (0..one.len().max(two.len())).find(differs);
        if let Some(place) = place {
            panic!(
                "trial {trial}: packet or number {place} differs in another process of the same \
                 program.\n{LEAKS}"
            );
        }
    }
}

fn numbers_elsewhere(test: &str) -> Vec<Vec<u64>> {
    std::thread::sleep(LATER);
    // The harness leaves out the name of the crate.
    let (_, name) = test.split_once("::").unwrap_or(("", test));
    let program = std::env::current_exe().expect("the executable of this test");
    let mut command = Command::new(program);
    command
        .args([name, "--exact", "--nocapture", "--include-ignored"])
        .env(ASKED, "1")
        .stdin(Stdio::null());
    let ran = command.output().expect("the executable starts once more");
    let (text, errors) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    assert!(
        ran.status.success(),
        "{test} fails in another process:\n{text}\n{errors}"
    );
    let lines = text.lines().filter_map(|line| line.strip_prefix(LINE));
    let number = |word: &str| word.parse().expect("a number that was just printed");
    let numbers = |line: &str| line.split_whitespace().map(number).collect();
    let found: Vec<Vec<u64>> = lines.map(numbers).collect();
    assert!(
        !found.is_empty(),
        "no test of this executable is called {name}, or it prints no numbers:\n{text}"
    );
    found
}
