//! A user-defined congestion control in one file, on a long fast path.
//!
//!     cargo run --release -p pacesim --example own_control

use std::sync::Arc;

use pacesim::model::{Buffer, Load, Model, Tcp, Traffic};
use pacesim::tcp::laws::{self, Violation};
use pacesim::tcp::{
    AckSample, Config, CongestionControl, Control, LossKind, LossSample, OwnControl, Variant,
};
use pacesim::units::{Capacity, Rate, Span};
use pacesim::{BuildError, World};

/// Scalable TCP (Kelly 2003): each acknowledged packet adds a hundredth of a packet, each loss
/// removes an eighth, so the recovery time does not depend on the window.
#[derive(Debug)]
struct Scalable {
    window: f64,
    ssthresh: f64,
}

const INCREASE: f64 = 0.01;
const DECREASE: f64 = 0.875;

const SCALABLE: Scalable = Scalable {
    window: 1.0,
    ssthresh: f64::INFINITY,
};

impl CongestionControl for Scalable {
    fn window(&self) -> f64 {
        self.window
    }

    fn ssthresh(&self) -> f64 {
        self.ssthresh
    }

    fn on_ack(&mut self, sample: &AckSample) {
        let packets = f64::from(sample.acked);
        match sample.window_unused {
            true => (),
            false if self.window < self.ssthresh => self.window += packets.min(1.0),
            false => self.window += INCREASE * packets,
        }
    }

    fn on_loss(&mut self, sample: &LossSample) {
        self.ssthresh = (self.window * DECREASE).max(2.0);
        self.window = match sample.kind {
            LossKind::FastRetransmit => self.ssthresh,
            _ => 1.0,
        };
    }

    fn restart(&mut self, window: f64) {
        self.window = window;
    }
}

/// One flow over 100 ms and 100 Mbps, with a buffer of a tenth of the bandwidth-delay product.
fn model(control: Control) -> Model {
    let mut model = Model::new("a long fast path", Span::from_secs(40));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    let there = model.add_link(a, b, Rate::from_mbps(100), Span::from_ms(50));
    model.add_link(b, a, Rate::from_mbps(100), Span::from_ms(50));
    model.link_mut(there).buffer = Buffer::waiting(Capacity::Packets(80));
    let mut config = Config::rfc(Variant::Sack);
    config.control = control;
    let tcp = Tcp {
        config: Arc::new(config),
        load: Load::Endless,
        clock_phase: None,
        transport: None,
    };
    model.add_flow(a, b, Traffic::Tcp(tcp));
    model
}

/// Utilisation of the link by a flow with this control.
fn utilisation(control: Control) -> Result<f64, BuildError> {
    let mut world = World::new(model(control))?;
    world.run();
    Ok(world.link_rows()[0].utilisation)
}

/// Checks the laws that every congestion control keeps.
fn check_laws() -> Result<(), Violation> {
    (0..20).try_for_each(|seed| laws::check(|| SCALABLE, &laws::random_events(seed, 1000)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    check_laws()?;
    let scalable = OwnControl::new("scalable", |_setup| SCALABLE);
    println!(
        "Reno:         {:.3} of the link",
        utilisation(Control::Reno)?
    );
    println!(
        "Scalable TCP: {:.3} of the link",
        utilisation(scalable.into())?
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_the_laws_and_fills_a_long_path_better_than_reno() {
        check_laws().expect("all laws");
        let scalable = OwnControl::new("scalable", |_setup| SCALABLE);
        let [reno, own] = [Control::Reno, scalable.into()]
            .map(|control| utilisation(control).expect("a good model"));
        assert!(own > reno + 0.02, "{own} beside {reno}");
    }
}
