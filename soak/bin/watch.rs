//! Ends the program if a case hangs.

use std::process::exit;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

/// The limit for a case, which normally takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(60);

static CASE: Mutex<String> = Mutex::new(String::new());

/// Starts watching.
pub(crate) fn begin() {
    thread::spawn(|| {
        let mut last = String::new();
        loop {
            thread::sleep(PATIENCE);
            let now = CASE.lock().expect("nobody panics with the lock").clone();
            if now == last && !now.is_empty() {
                println!("{now}: Hang: {PATIENCE:?} have passed");
                exit(4);
            }
            last = now;
        }
    });
}

/// Notes the start of a case.
pub(crate) fn case(name: String) {
    *CASE.lock().expect("nobody panics with the lock") = name;
}

/// The program's peak memory, if the system reports it.
pub(crate) fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(peak.trim().to_owned())
}
