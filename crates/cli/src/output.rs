//! Standard output and standard error, with colours on terminals only.

use std::io::{self, BufWriter, Write};

use anstream::{stderr, stdout};
use terminal_size::{Height, Width, terminal_size_of};

/// The width of messages if that of the terminal is unknown.
pub(crate) const WIDTH: usize = 100;

/// The width in columns of the terminal that shows results, if any.
pub(crate) fn result_columns() -> Option<usize> {
    columns(terminal_size_of(io::stdout()))
}

/// The width in columns of the terminal that shows messages, if any.
pub(crate) fn message_columns() -> Option<usize> {
    columns(terminal_size_of(io::stderr()))
}

fn columns(size: Option<(Width, Height)>) -> Option<usize> {
    size.map(|(Width(columns), _)| columns.into())
}

/// Prints a result. It is not an error if the reader stops early, such as `head`.
pub(crate) fn print(text: &str) -> io::Result<()> {
    print_with(|out| out.write_all(text.as_bytes()))
}

/// Prints a result that is too large for a string.
pub(crate) fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Reports on the work, to standard error.
pub(crate) fn report(text: &str) {
    // If standard error is closed, no one would read this.
    let _ = stderr().lock().write_all(text.as_bytes());
}

/// Reports an error.
pub(crate) fn complain(message: impl std::fmt::Display) {
    use anstyle::{AnsiColor, Style};
    let red: Style = AnsiColor::Red.on_default().bold();
    report(&format!("{red}error{red:#}: {message}\n"));
}
