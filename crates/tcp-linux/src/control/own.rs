//! A user's own congestion control, under the profile's detection and repair of losses.

use super::super::clock::Micros;
use super::super::connection::{Connection, State};
use super::LinuxControl;
use crate::shared::{AckSample, CongestionControl, LossKind, LossSample};
use pacesim_units::{Span, Time};

#[derive(Debug)]
pub(in super::super) struct Own {
    control: Box<dyn CongestionControl>,
    rtt: Option<Span>,
}

impl Own {
    pub(super) fn new(control: Box<dyn CongestionControl>) -> Own {
        Own { control, rtt: None }
    }

    fn lose(&mut self, conn: &Connection, kind: LossKind) {
        let mut loss = LossSample::new(time(conn.now), kind, conn.in_flight());
        loss.window_cap = f64::from(conn.peer_window);
        self.control.on_loss(&loss);
    }
}

/// Converts a window to whole packets; NaN counts as one packet.
fn whole_packets(window: f64) -> u32 {
    (window.max(1.0).min(f64::from(u32::MAX))) as u32
}

fn time(now: Micros) -> Time {
    Time::ZERO + Span::from_us(now)
}

impl LinuxControl for Own {
    fn on_open(&mut self, conn: &mut Connection) {
        self.control.restart(f64::from(conn.window.size));
    }

    fn new_ssthresh(&mut self, conn: &mut Connection) -> u32 {
        self.lose(conn, LossKind::FastRetransmit);
        whole_packets(self.control.window()).max(2)
    }

    fn grow(&mut self, conn: &mut Connection, acked: u32) {
        let mut ack = AckSample::new(time(conn.now), acked);
        ack.in_flight = conn.in_flight();
        ack.rtt = self.rtt;
        ack.srtt = Span::from_us(conn.rtt.srtt8() >> 3);
        ack.window_unused = !conn.window_limits();
        ack.in_recovery = conn.is_reducing();
        self.control.on_ack(&ack);
        conn.window.size = whole_packets(self.control.window());
    }

    fn undo_window(&mut self, conn: &mut Connection) -> u32 {
        let size = conn.window.size.max(conn.window.prior);
        self.control.restart(f64::from(size));
        size
    }

    fn on_packets_acked(&mut self, _conn: &mut Connection, _packets: u32, rtt: Option<Micros>) {
        self.rtt = rtt.map(Span::from_us);
    }

    fn on_state(&mut self, conn: &mut Connection, state: State) {
        if state == State::Loss {
            self.lose(conn, LossKind::Timeout);
        }
    }
}
