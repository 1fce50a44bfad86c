//! Standard output and standard error, with colours on terminals only.

use std::io::{self, Write};

use anstream::{stderr, stdout};

/// How wide messages may be where nobody says.
pub(crate) const WIDTH: usize = 100;

/// Prints a result. Who reads only its beginning, as `head` does, is no error.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Tells something about the work.
pub(crate) fn tell(text: &str) {
    // If standard error is gone, there is nobody to tell.
    let _ = stderr().lock().write_all(text.as_bytes());
}

/// Tells that something went wrong.
pub(crate) fn complain(message: impl std::fmt::Display) {
    use anstyle::{AnsiColor, Style};
    let red: Style = AnsiColor::Red.on_default().bold();
    tell(&format!("{red}error{red:#}: {message}\n"));
}
