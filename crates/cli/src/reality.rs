//! Live runs of studies: recorded ones repeated, missing ones made where the program can.

use std::path::PathBuf;
use std::sync::Mutex;

use pacesim_lab::{LiveOrder, Lived, Recordings, RunError};

/// A folder of recorded live runs, to which the missing ones are added.
pub(crate) struct Reality {
    recordings: Recordings,
    /// Only one run is live at a time.
    turn: Mutex<()>,
}

impl Reality {
    /// The recordings of a folder.
    pub(crate) fn in_folder(folder: PathBuf) -> Reality {
        Reality {
            recordings: Recordings::in_folder(folder),
            turn: Mutex::default(),
        }
    }

    /// The live run of a scenario.
    pub(crate) fn live(&self, of: &LiveOrder<'_>) -> Result<Lived, RunError> {
        let _turn = self.turn.lock().map_err(|_| of.refused())?;
        if let Some(lived) = self.recordings.find(of)? {
            return Ok(lived);
        }
        let lived = made(of)?;
        self.recordings.keep(of, &lived)?;
        Ok(lived)
    }
}

#[cfg(all(feature = "live", target_os = "linux"))]
fn made(of: &LiveOrder<'_>) -> Result<Lived, RunError> {
    crate::living::made_live(of)
}

#[cfg(not(all(feature = "live", target_os = "linux")))]
fn made(of: &LiveOrder<'_>) -> Result<Lived, RunError> {
    Err(of.refused())
}
