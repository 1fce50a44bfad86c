//! Checks of transports of users' own before a run.

use pacesim_units::FlowId;

use super::application::Application;
use super::own_end::OwnEnd;
use super::session::Session;
use super::{BuildError, connection};
use crate::model::transport::OwnTransport;
use crate::model::{Load, Model, Tcp, Traffic};

/// Checks that transports of users' own are used only where their ends have all that it takes.
pub(super) fn transports(model: &Model) -> Result<(), BuildError> {
    let protected = |flow: FlowId| {
        let mut pairs = model.protections.iter();
        pairs.any(|pair| pair.data.contains(&flow) || pair.acks.contains(&flow))
    };
    for (id, flow) in (0..).map(FlowId).zip(&model.flows) {
        let Traffic::Tcp(tcp) = &flow.traffic else {
            continue;
        };
        let Some(transport) = &tcp.transport else {
            continue;
        };
        let problem = match &tcp.load {
            Load::Exchange(_) => "has no exchanges: units are counted in packets of TCP",
            Load::Tasks(_) => "has no job: transfers are counted in packets of TCP",
            _ if protected(id) => {
                "cannot be protected: a repair packet has no bytes of its contents"
            }
            _ => continue,
        };
        return Err(BuildError::OwnTransport {
            flow: model.flow_name(id),
            transport: transport.name().to_owned(),
            problem: problem.to_owned(),
        });
    }
    Ok(())
}

/// Constructs the ends of a flow's first connection and reads them, to see that this is possible.
pub(super) fn ends_open(model: &Model, session: &Session) -> Result<(), BuildError> {
    let ends = OwnEnd::pair(session, session.first, connection::seed(session));
    let names = session.transport.as_ref().map(|of| of.numbers().len());
    for (mut end, names) in ends.into_iter().flatten().zip([names, None]) {
        end.try_readings(names);
        if let Some(problem) = end.take_failure() {
            let name = session.transport.as_ref().map(OwnTransport::name);
            return Err(BuildError::OwnTransport {
                flow: model.flow_name(session.flow),
                transport: name.unwrap_or_default().to_owned(),
                problem,
            });
        }
    }
    Ok(())
}

/// Refuses a flow whose side of an application failed when it heard of the start.
pub(super) fn side_begins(
    model: &Model,
    tcp: &Tcp,
    session: &mut Session,
) -> Result<(), BuildError> {
    let (Load::Messages(side), Application::Dialogue(dialogue)) =
        (&tcp.load, &mut session.application)
    else {
        return Ok(());
    };
    match dialogue.take_failure() {
        None => Ok(()),
        Some(problem) => Err(BuildError::OwnApplication {
            flow: model.flow_name(session.flow),
            application: side.application.name().to_owned(),
            problem,
        }),
    }
}
