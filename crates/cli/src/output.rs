//! Standard output and standard error, with colours on terminals only.

use std::io::{self, BufWriter, Write};

use anstream::{stderr, stdout};
use terminal_size::{Height, Width, terminal_size_of};

/// How wide messages may be if no width is known.
pub(crate) const WIDTH: usize = 100;

/// How many columns the terminal has that shows results, if one does.
pub(crate) fn result_columns() -> Option<usize> {
    columns(terminal_size_of(io::stdout()))
}

/// How many columns the terminal has that shows messages, if one does.
pub(crate) fn message_columns() -> Option<usize> {
    columns(terminal_size_of(io::stderr()))
}

fn columns(size: Option<(Width, Height)>) -> Option<usize> {
    size.map(|(Width(columns), _)| columns.into())
}

/// Prints a result. Who reads only its beginning, as `head` does, is no error.
pub(crate) fn print(text: &str) -> io::Result<()> {
    print_with(|out| out.write_all(text.as_bytes()))
}

/// The same of a result that is too large for a text.
pub(crate) fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Reports something about the work, to standard error.
pub(crate) fn report(text: &str) {
    // If standard error is gone, there is nobody to read it.
    let _ = stderr().lock().write_all(text.as_bytes());
}

/// Reports that something went wrong.
pub(crate) fn complain(message: impl std::fmt::Display) {
    use anstyle::{AnsiColor, Style};
    let red: Style = AnsiColor::Red.on_default().bold();
    report(&format!("{red}error{red:#}: {message}\n"));
}
