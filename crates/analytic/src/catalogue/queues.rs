//! The queues: bulks, and the textbook ones.

use pacesim_units::Bytes;

use super::param::{param, params};
use super::{Model, Param, Solution, Table, Values};
use crate::bulk::{Admission, BulkQueue, BulkSolution, Bulks, ByteClass, ByteQueue, Room, Sojourn};
use crate::srpt::Sizes;
use crate::{Range, Service, SolveError, queueing, srpt};

pub(super) const ADMISSION: Param = param! {
    "admission": Choice(&["complete-rejection", "partial-acceptance"]) = "complete-rejection", Range::ANY, "the fate of a bulk that does not fit: lost as a whole, or accepted as far as it fits"
};

const BULK_PARAMS: &[Param] = params! {
    "places": Count = "15", Range::closed(1.0, 1e7), "customers that find room, the one in service included";
    "classes": Bulks = "0.05x1,0.06553x5", Range::ANY, "bulks per time x customers in a bulk, for each class";
    "service_rate": Number = "1", Range::POSITIVE, "customers served per time";
    ADMISSION;
};

pub(super) const BULK: Model = Model {
    name: "bulk",
    summary: "finite buffer, several Poisson classes of bulks, exponential service (M^[X]/M/1/B)",
    source: "zerobuf eq. (5)-(9), generalised",
    params: BULK_PARAMS,
    run: |values| bulk(values, Service::Exponential),
};

pub(super) const BULK_DET: Model = Model {
    name: "bulk_det",
    summary: "finite buffer, several Poisson classes of bulks, deterministic service (M^[X]/D/1/B)",
    source: "zerobuf section 3.3 with its service assumption relaxed",
    params: BULK_PARAMS,
    run: |values| bulk(values, Service::Deterministic),
};

/// The word chosen for [`ADMISSION`].
pub(super) fn admission(values: &Values) -> Admission {
    match values.word("admission") {
        "partial-acceptance" => Admission::PartialAcceptance,
        _ => Admission::CompleteRejection,
    }
}

fn bulk(values: &Values, service: Service) -> Result<Solution, SolveError> {
    let queue = BulkQueue {
        places: values.count("places"),
        service_rate: values.number("service_rate"),
        classes: values.bulks("classes").to_vec(),
        admission: admission(values),
    };
    answer(&queue, service)
}

fn answer(queue: &BulkQueue, service: Service) -> Result<Solution, SolveError> {
    let solved = service.solve(queue)?;
    let p = &solved.queue;
    let states = 0..p.len();
    Ok(Solution::default()
        .scalar("load", queue.load())
        .scalar("utilisation", solved.utilisation)
        .scalar("mean_queue_customers", p.mean())
        .scalar("queue_p50_customers", p.percentile(0.5) as f64)
        .scalar("queue_p99_customers", p.percentile(0.99) as f64)
        .scalar("queue_p999_customers", p.percentile(0.999) as f64)
        .scalar("mean_customer_delay", solved.mean_customer_delay)
        .table(classes(queue, &solved, service))
        .table(
            Table::new("queue", "probability of each number of customers")
                .log_y()
                .column("customers", states.clone().map(|n| n as f64))
                .column("probability", p.probabilities().iter().copied())
                .column("ln_probability", states.map(|n| p.ln_probability(n))),
        ))
}

pub(super) const SERVICE: Param = param! {
    "service": Choice(&["exponential", "deterministic"]) = "exponential", Range::ANY, "how the service time of a unit of work is distributed"
};

/// The word chosen for [`SERVICE`].
pub(super) fn service(values: &Values) -> Service {
    match values.word("service") {
        "deterministic" => Service::Deterministic,
        _ => Service::Exponential,
    }
}

pub(super) const BULK_BYTES: Model = Model {
    name: "bulk_bytes",
    summary: "packets of several sizes in a drop-tail buffer of bytes; times in seconds",
    source: "zerobuf eq. (4)-(9), in bytes",
    params: params! {
        "buffer": Size = "3KB", Range::at_least(1.0), "bytes that find room";
        "room": Choice(&["system", "waiting"]) = "system", Range::ANY, "the units that take room: waiting ones only, or also the one on the line";
        "rate": Rate = "10Mbps", Range::POSITIVE, "rate of the link";
        "classes": Bulks = "312.5x200,409.5x1000", Range::ANY, "packets per second x bytes in a packet, for each class";
        SERVICE;
    },
    run: bulk_bytes,
};

fn bulk_bytes(values: &Values) -> Result<Solution, SolveError> {
    let class = |b: &Bulks| ByteClass {
        rate: b.rate,
        size: Bytes(b.size as u64),
    };
    let bytes = ByteQueue {
        buffer: values.size("buffer"),
        room: match values.word("room") {
            "waiting" => Room::Waiting,
            _ => Room::System,
        },
        bytes_per_time: values.number("rate") / 8.0,
        classes: values.bulks("classes").iter().map(class).collect(),
    };
    let unit = bytes.unit()?.get() as f64;
    let solution = answer(&bytes.in_units()?, service(values))?;
    Ok(solution.scalar("unit_of_work_bytes", unit).note(
        "a customer is one unit of work, the greatest common divisor of the packet sizes; the \
         room of what has been sent is free at once; times are in seconds",
    ))
}

fn classes(queue: &BulkQueue, solved: &BulkSolution, service: Service) -> Table {
    let losses = &solved.classes;
    let stay = |class| service.sojourn(queue, &solved.queue, class);
    let stays: Vec<Sojourn> = queue.classes.iter().map(stay).collect();
    let delay = |share: f64| stays.iter().map(move |s| s.percentile(share));
    Table::new(
        "classes",
        "loss and stay (until the last customer is served) of each class",
    )
    .column("class", (0..losses.len()).map(|c| c as f64))
    .column("rate", queue.classes.iter().map(|c| c.rate))
    .column("size_customers", losses.iter().map(|l| l.size as f64))
    .column("loss_bulks", losses.iter().map(|l| l.loss_bulks))
    .column("loss_customers", losses.iter().map(|l| l.loss_customers))
    .column("ln_loss_bulks", losses.iter().map(|l| l.ln_loss_bulks))
    .column("delay_p50", delay(0.5))
    .column("delay_p99", delay(0.99))
    .column("delay_p999", delay(0.999))
}

const LOAD: Param = param! {
    "load": Number = "0.8", Range::closed(1e-3, 100.0), "arrival rate times mean service time"
};

const PLACES: Param = param! {
    "places": Count = "20", Range::closed(1.0, 1e6), "customers that find room, the one in service included"
};

pub(super) const MM1K: Model = Model {
    name: "mm1k",
    summary: "loss and queue of M/M/1/K",
    source: "textbook",
    params: &[LOAD, PLACES],
    run: |values| finite(values, Service::Exponential, queueing::mm1k_loss),
};

pub(super) const MD1K: Model = Model {
    name: "md1k",
    summary: "loss and queue of M/D/1/K by the embedded chain, stable at any K",
    source: "textbook",
    params: &[LOAD, PLACES],
    run: |values| finite(values, Service::Deterministic, queueing::md1k_loss),
};

fn finite(
    values: &Values,
    service: Service,
    loss: fn(f64, usize) -> Result<f64, SolveError>,
) -> Result<Solution, SolveError> {
    let (load, places) = (values.number("load"), values.count("places"));
    let solved = service.solve(&queueing::singles(load, places))?;
    // Rooms of 1, 2, 4, ...: one solution each costs no more than the largest.
    let doublings = std::iter::successors(Some(1), |k| Some(k * 2));
    let rooms: Vec<usize> = doublings
        .take_while(|k| *k < places)
        .chain([places])
        .collect();
    let losses: Result<Vec<f64>, SolveError> = rooms.iter().map(|&k| loss(load, k)).collect();
    Ok(Solution::default()
        .scalar("loss", loss(load, places)?)
        .scalar("utilisation", solved.utilisation)
        .scalar("mean_queue_customers", solved.queue.mean())
        .scalar("mean_delay_services", solved.mean_customer_delay)
        .table(
            Table::new("loss", "loss against room")
                .log_x()
                .log_y()
                .column("places", rooms.iter().map(|&k| k as f64))
                .column("loss", losses?),
        ))
}

pub(super) const MG1: Model = Model {
    name: "mg1",
    summary: "mean wait of M/G/1 (Pollaczek-Khinchine), with M/M/1 and M/D/1 beside it",
    source: "textbook",
    params: params! {
        "load": Number = "0.8", Range::PROPER_SHARE, "arrival rate times mean service time";
        "service_scv": Number = "1", Range::NON_NEGATIVE, "squared coefficient of variation of the service time: 0 deterministic, 1 exponential";
    },
    run: mg1,
};

fn mg1(values: &Values) -> Result<Solution, SolveError> {
    let (load, scv) = (values.number("load"), values.number("service_scv"));
    let wait = queueing::mg1_mean_wait(load, scv)?;
    let loads: Vec<f64> = (1..100).map(|i| f64::from(i) / 100.0).collect();
    let waits = |scv: f64| -> Result<Vec<f64>, SolveError> {
        loads
            .iter()
            .map(|&l| queueing::mg1_mean_wait(l, scv))
            .collect()
    };
    Ok(Solution::default()
        .scalar("mean_wait_services", wait)
        .scalar("mean_delay_services", wait + 1.0)
        .scalar(
            "mean_in_system_customers",
            queueing::mean_in_system(load, wait),
        )
        .scalar("mean_wait_mm1_services", queueing::mm1_mean_wait(load)?)
        .scalar("mean_wait_md1_services", queueing::md1_mean_wait(load)?)
        .table(
            Table::new("wait", "mean wait, in mean service times, against load")
                .log_y()
                .column("load", loads.iter().copied())
                .column("mean_wait_services", waits(scv)?)
                .column("mean_wait_mm1_services", waits(1.0)?)
                .column("mean_wait_md1_services", waits(0.0)?),
        ))
}

pub(super) const SRPT: Model = Model {
    name: "srpt",
    summary: "delays by size in M/G/1 if the shortest remaining customer goes first: pFabric's ideal",
    source: "Schrage and Miller 1966",
    params: params! {
        "load": Number = "0.8", Range::PROPER_SHARE, "arrival rate times mean service time";
        "sizes": Choice(&["exponential", "pareto"]) = "exponential", Range::ANY, "distribution of service times";
        "shape": Number = "1.3", Range::closed(0.1, 10.0), "exponent of the Pareto distribution";
        "largest": Number = "1000", Range::closed(1.001, 1e9), "largest over smallest size of the Pareto distribution";
    },
    run: srpt,
};

/// The shares of customers up to the sizes that the table has.
const SHARES: [f64; 11] = [
    0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.999_99,
];

fn srpt(values: &Values) -> Result<Solution, SolveError> {
    let load = values.number("load");
    let sizes = match values.word("sizes") {
        "exponential" => Sizes::Exponential,
        _ => Sizes::Pareto {
            shape: values.number("shape"),
            range: values.number("largest"),
        },
    };
    let delays = srpt::delays(load, sizes)?;
    let at = |share: &f64| delays[delays.partition_point(|delay| delay.share < *share)];
    let rows = SHARES.map(|share| at(&share));
    let scv = sizes.second_moment() - 1.0;
    let fcfs = 1.0 + queueing::mg1_mean_wait(load, scv)?;
    let mean = srpt::mean(&delays, |delay| delay.mean);
    Ok(Solution::default()
        .scalar("mean_delay_services", mean)
        .scalar("mean_delay_fcfs_services", fcfs)
        .scalar(
            "mean_slowdown",
            srpt::mean(&delays, |delay| delay.mean / delay.size),
        )
        .table(
            Table::new("delay", "mean delay by size, in mean service times")
                .log_x()
                .log_y()
                .column("size_services", rows.map(|delay| delay.size))
                .column("cumulative", rows.map(|delay| delay.share))
                .column("mean_delay_services", rows.map(|delay| delay.mean))
                .column("mean_slowdown", rows.map(|delay| delay.mean / delay.size)),
        ))
}
