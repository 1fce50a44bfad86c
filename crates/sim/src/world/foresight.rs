//! Flows' use of their routes, from which the network derives what it may compute ahead.

use pacesim_core::net::{Arrivals, Use};

use super::application::Application;
use super::open_loop::Emitter;
use super::session::Session;
use super::several_paths::SeveralPaths;
use crate::model::Carrier;

/// The use of routes by all flows.
pub(super) fn uses(
    emitters: &[Emitter],
    sessions: &[Session],
    several_paths: &SeveralPaths,
) -> Vec<Use> {
    let emitters = emitters.iter().filter(|of| !several_paths.has(of.flow));
    let open = emitters.map(|emitter| Use {
        route: emitter.route,
        sends: true,
        arrivals: Arrivals::Counted,
    });
    let sessions = sessions.iter().filter(|of| !several_paths.has(of.flow));
    let mut uses: Vec<Use> = open.chain(sessions.flat_map(uses_of_tcp)).collect();
    several_paths.add_uses(&mut uses);
    uses
}

/// Data on one route, acknowledgements on the other. A persistent receiver without delayed ACKs
/// answers each packet at once; unless an exchange, a task or an application listens to its arrivals, they have no other
/// effect.
fn uses_of_tcp(session: &Session) -> [Use; 2] {
    let [there, back] = session.routes;
    let persists = session.carrier == Carrier::Same;
    let is_heard = matches!(
        session.application,
        Application::Exchange(_) | Application::Tasks(_) | Application::Dialogue(_)
    );
    let is_tcp = session.transport.is_none();
    let answers_at_once = is_tcp && persists && !is_heard && session.config.delayed_ack.is_none();
    let data = Use {
        route: there,
        sends: true,
        arrivals: if answers_at_once {
            Arrivals::Answered(back)
        } else {
            Arrivals::Open
        },
    };
    let acks = Use {
        route: back,
        sends: !answers_at_once,
        arrivals: Arrivals::Open,
    };
    [data, acks]
}
