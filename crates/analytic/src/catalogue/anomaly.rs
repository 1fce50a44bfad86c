//! The loss anomaly.

use pacesim_units::Bytes;

use super::param::params;
use super::queues::{ADMISSION, SERVICE, admission, service};
use super::{Model, Solution, Table, Values};
use crate::anomaly::{Anomaly, Curve, EffectiveBuffer};
use crate::error::require;
use crate::{Range, Service, SolveError};

pub(super) const ANOMALY: Model = Model {
    name: "anomaly",
    summary: "UDP loss against buffer beside TCP, and the buffers from which it rises",
    source: "zerobuf eq. (1)-(9), Fig. 8 and 10",
    params: params! {
        "udp_load": Number = "0.05", Range::PROPER_SHARE, "UDP load as a share of the link; also its share f of eq. (2)";
        "tcp_saturation_load": Number = "0.94", Range::closed(0.0, 10.0), "TCP load with a large buffer, as a share of the link";
        "b_star": Size = "7KB", Range::at_least(1.0), "the constant B* of eq. (1)";
        "udp_packet": Size = "200B", Range::at_least(1.0), "size of a UDP packet";
        "tcp_packet": Size = "1000B", Range::at_least(1.0), "size of a TCP packet";
        ADMISSION;
        SERVICE;
        "buffer": Size = "10KB", Range::at_least(1.0), "a single buffer";
        "from": Size = "1KB", Range::at_least(1.0), "smallest buffer";
        "to": Size = "50KB", Range::at_least(1.0), "largest buffer";
        "step": Size = "1KB", Range::at_least(1.0), "step between buffers";
    },
    run: solve,
};

fn solve(values: &Values) -> Result<Solution, SolveError> {
    let model = Anomaly {
        udp_load: values.number("udp_load"),
        tcp_saturation_load: values.number("tcp_saturation_load"),
        b_star: values.size("b_star"),
        udp_packet: values.size("udp_packet"),
        tcp_packet: values.size("tcp_packet"),
        admission: admission(values),
        service: service(values),
    };
    let effective = EffectiveBuffer::new(model.udp_load, model.b_star.get() as f64)?;
    let buffers = buffers(values)?;
    let curve = model.curve(&buffers)?;
    let at = values.size("buffer");
    let buffer = at.get() as f64;
    Ok(single(&model, at, headlines(&curve, &effective))?
        .scalar("fair_share_bytes", effective.fair_share(buffer))
        .scalar("time_share_bytes", effective.time_share(buffer))
        .scalar("effective_buffer_bytes", effective.total(buffer))
        .table(loss_table(&curve))
        .table(effective_table(&buffers, &effective)))
}

/// The results of the chain of the single buffer.
fn single(model: &Anomaly, buffer: Bytes, solution: Solution) -> Result<Solution, SolveError> {
    let solved = model.solve(buffer)?;
    let [udp, tcp] = [0, 1].map(|class: usize| solved.classes[class]);
    let solution = solution
        .scalar("udp_loss", udp.loss_customers)
        .scalar("tcp_loss", tcp.loss_bulks)
        .scalar("tcp_load", model.tcp_load(buffer))
        .scalar("states", solved.queue.len() as f64);
    match model.service {
        Service::Exponential => {
            let imbalance = model.queue(buffer)?.imbalance(&solved.queue);
            Ok(solution.scalar("imbalance", imbalance))
        }
        Service::Deterministic => Ok(solution),
    }
}

fn buffers(values: &Values) -> Result<Vec<Bytes>, SolveError> {
    let [from, to, step] = ["from", "to", "step"].map(|name| values.size(name).get());
    require(
        from <= to && (to - from) / step < 100_000,
        "from <= to, and at most 100000 steps",
        || format!("{from} B to {to} B in steps of {step} B"),
        || "a larger step or a shorter way".to_owned(),
    )?;
    let steps = 0..=(to - from) / step;
    Ok(steps.map(|i| Bytes(from + i * step)).collect())
}

fn headlines(curve: &Curve, effective: &EffectiveBuffer) -> Solution {
    let mut solution = Solution::default().note(
        "zerobuf eq. (4) counts the packet in service as part of the buffer; a TCP packet that \
         does not fit whole is lost whole unless admission says otherwise",
    );
    solution = solution.note(
        "tcp_loss is the share of TCP packets that lose anything, tcp_volume_loss that of TCP's \
         bytes; under partial acceptance a packet may lose a part, and the second is smaller",
    );
    let least = curve.points.iter().map(|p| p.udp_loss).fold(1.0, f64::min);
    solution = solution.scalar("least_udp_loss", least);
    if let Some(region) = curve.region {
        solution = solution
            .scalar("anomaly_from_bytes", region.from.get() as f64)
            .scalar("anomaly_to_bytes", region.to.get() as f64)
            .scalar("anomaly_depth_ratio", region.depth);
    }
    if let Some((maximum, minimum)) = effective.falling() {
        solution = solution
            .scalar("effective_buffer_falls_from_bytes", maximum)
            .scalar("effective_buffer_falls_to_bytes", minimum);
    }
    solution
}

fn loss_table(curve: &Curve) -> Table {
    let points = &curve.points;
    Table::new("loss", "loss and TCP load against buffer (zerobuf Fig. 10)")
        .log_y()
        .column("buffer_bytes", points.iter().map(|p| p.buffer.get() as f64))
        .column("udp_loss", points.iter().map(|p| p.udp_loss))
        .column("tcp_loss", points.iter().map(|p| p.tcp_loss))
        .column("tcp_volume_loss", points.iter().map(|p| p.tcp_volume_loss))
        .column("tcp_load", points.iter().map(|p| p.tcp_load))
        .column("empty_probability", points.iter().map(|p| p.empty))
}

fn effective_table(buffers: &[Bytes], effective: &EffectiveBuffer) -> Table {
    let of = |f: fn(&EffectiveBuffer, f64) -> f64| {
        buffers.iter().map(move |b| f(effective, b.get() as f64))
    };
    Table::new(
        "effective_buffer",
        "buffer left to UDP against buffer (zerobuf Fig. 8)",
    )
    .column("buffer_bytes", buffers.iter().map(|b| b.get() as f64))
    .column("fair_share_bytes", of(EffectiveBuffer::fair_share))
    .column("time_share_bytes", of(EffectiveBuffer::time_share))
    .column("total_bytes", of(EffectiveBuffer::total))
}
