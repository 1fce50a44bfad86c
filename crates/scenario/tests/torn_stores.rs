//! Recordings too long for memory whose stores fail while they are read.

use std::io;

use pacesim_scenario::{Files, load};
use pacesim_tape::{OpenStore, Store};

/// A store that accepts everything and returns nothing.
struct Torn;

impl Store for Torn {
    fn append(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn read(&self, _: u64, _: &mut [u8]) -> io::Result<()> {
        Err(io::Error::other("torn"))
    }
}

/// A long recording.
struct Long<'s>(&'s OpenStore);

impl Files for Long<'_> {
    fn text(&self, _: &str) -> Result<String, String> {
        const ROWS: usize = (1 << 20) + 1;
        Ok("t_ns,size_bytes\n".to_owned() + &"5,100\n".repeat(ROWS))
    }

    fn stores(&self) -> Option<&OpenStore> {
        Some(self.0)
    }
}

#[test]
fn a_run_with_a_recording_that_could_not_be_read_knows_of_it() {
    let open = || Ok(Box::new(Torn) as Box<dyn Store>);
    for traffic in [
        r#"{ kind = "recorded", file = "long.csv" }"#,
        r#"{ kind = "tcp", transfers = { arrivals = { kind = "recorded", file = "long.csv" } } }"#,
    ] {
        let text = format!(
            r#"
            run = {{ duration = "1ms" }}
            node = [{{ name = "a" }}, {{ name = "b" }}]
            link = [{{ name = "l", from = "a", to = "b", rate = "1Mbps" }}]
            flow = [{{ name = "f", from = "a", to = "b", traffic = {traffic} }}]
            "#
        );
        let checked = load("torn.toml", &text, &[], &Long(&open)).expect("a sound scenario");
        let model = checked.expand(1, 0);
        let failure = model.failed_recording().map(ToString::to_string);
        assert_eq!(failure.as_deref(), Some("torn"), "{traffic}");
    }
}
