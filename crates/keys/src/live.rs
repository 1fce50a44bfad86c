//! Keys of `[live]`: real hosts for programs, and how late a machine may be.

use std::fmt;
use std::str::FromStr;

use pacesim_language::field::{MapOf, NodeRef, Perhaps, Whole};
use pacesim_language::names::Reference;
use pacesim_language::table;
use pacesim_units::Span;

table! {
    /// Real hosts for `pacesim live`, beside the flows that are live; all other commands leave them
    /// out.
    pub struct Live "live" {
        hosts: Vec<(String, Reference)> as Perhaps<MapOf<NodeRef>>, "Hosts for programs: a name, and the node at which it stands. All packets between them are real.", "{ client = \"left[0]\", server = \"right[0]\" }";
        commands: Vec<(String, String)> as Perhaps<MapOf<String>>, "Programs at these hosts, run by the shell in this order; the name of a host in braces becomes its address.", "{ server = \"iperf3 -s -1\", client = \"iperf3 -c {server}\" }";
        control: Option<String>, "The congestion control of programs that choose none, by the kernel's name. By default the machine's own, which may be BBR.", "cubic";
        late: Option<String>, "The largest lateness with which a run stands: a share of the time in which the smallest buffer on the way of real packets drains, or a time. By default 50%.", "50%";
        priority: Option<u32> as Option<Whole<u32, 1, 99>>, "The real-time priority of the loop (SCHED_FIFO), if the program is root's; hosts have ten less. By default none.", "50";
    }
}

/// The largest lateness with which a live run stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Late {
    /// A share of the time in which the smallest buffer on the way of real packets drains.
    Share(f64),
    /// A time.
    Time(Span),
}

impl Default for Late {
    /// Beyond half of the drain time deviations of goodput were the machine's.
    fn default() -> Late {
        Late::Share(0.5)
    }
}

impl FromStr for Late {
    type Err = String;

    fn from_str(text: &str) -> Result<Late, String> {
        let refused = || format!("\"{text}\" is neither a share nor a time");
        let Some(percent) = text.strip_suffix('%') else {
            return text.parse().map(Late::Time).map_err(|_| refused());
        };
        let percent: f64 = percent.trim().parse().map_err(|_| refused())?;
        match percent > 0.0 && percent <= 1000.0 {
            true => Ok(Late::Share(percent / 100.0)),
            false => Err(refused()),
        }
    }
}

impl fmt::Display for Late {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Late::Share(share) => write!(f, "{}%", share * 100.0),
            Late::Time(time) => write!(f, "{time}"),
        }
    }
}

impl Live {
    /// The largest lateness with which a run stands.
    pub fn late(&self) -> Result<Late, String> {
        self.late.as_deref().map_or(Ok(Late::default()), str::parse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lateness_is_a_share_or_a_time() {
        assert_eq!("50%".parse(), Ok(Late::Share(0.5)));
        assert_eq!("2ms".parse(), Ok(Late::Time(Span::from_ms(2))));
        for wrong in ["", "50", "-1%", "0%", "x%", "nan%", "2 parsecs"] {
            assert!(wrong.parse::<Late>().is_err(), "{wrong}");
        }
    }
}
