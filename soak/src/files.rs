//! Files that scenarios name, such as recordings and edge lists.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pacesim::recording::Recording;
use pacesim::scenario::Files;
use pacesim_lab::recorded;
use parquet::basic::{Compression, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::dice::Dice;
use crate::formats;
use crate::quantity::Scale;

/// The files in a folder.
pub(crate) struct Shelf(pub PathBuf);

impl Files for Shelf {
    fn text(&self, name: &str) -> Result<String, String> {
        fs::read_to_string(self.0.join(name)).map_err(|error| error.to_string())
    }

    fn recording(&self, name: &str) -> Option<Result<Recording, String>> {
        Some(recorded::read(&self.0.join(name)).map_err(|error| error.to_string()))
    }

    fn stream(&self, name: &str) -> Result<Box<dyn BufRead>, String> {
        let file = File::open(self.0.join(name)).map_err(|error| error.to_string())?;
        Ok(Box::new(BufReader::new(file)))
    }
}

/// Writes a file of each format.
pub(crate) fn write_all(folder: &Path, scale: &Scale, dice: &mut Dice) -> io::Result<()> {
    formats::all().try_for_each(|name| fs::write(folder.join(name), content(name, scale, dice)?))
}

/// The content of the file of this name.
pub(crate) fn content(name: &str, scale: &Scale, dice: &mut Dice) -> io::Result<Vec<u8>> {
    Ok(match name {
        "arrivals.csv" => Trace::draw(scale, dice).to_csv(dice).into_bytes(),
        "arrivals.parquet" => {
            let parquet = Trace::draw(scale, dice).to_parquet(dice);
            parquet.map_err(io::Error::other)?
        }
        "arrivals.pcap" => Trace::draw(scale, dice).to_pcap(dice),
        "arrivals.pcapng" => Trace::draw(scale, dice).to_pcapng(dice),
        "network.csv" => edge_list(dice).into_bytes(),
        "cellular.trace" => opportunities(scale, dice).into_bytes(),
        "web.cvec" => vectors(scale, false, dice).into_bytes(),
        "alternate.cvec" => vectors(scale, true, dice).into_bytes(),
        "curve.csv" => curve(scale, dice).into_bytes(),
        "transfers.csv" => transfers(scale, dice).into_bytes(),
        video => frames(video, scale, dice),
    })
}

/// Transfers between two nodes, some of which wait for others.
fn transfers(scale: &Scale, dice: &mut Dice) -> String {
    let rows = dice.magnitude(1, 20);
    let mut text = "start_ns,from,to,size_bytes,after\n".to_owned();
    for row in 0..rows {
        let start = dice.below(scale.span_ps / 1_000 / rows + 1);
        let (from, size) = (dice.below(2), dice.magnitude(1, 20 * scale.packet_bytes));
        let needs = (0..2).filter(|_| row > 0 && dice.percent(40)).count();
        let needs = (0..needs).map(|_| dice.below(row).to_string());
        let needs = needs.collect::<Vec<_>>().join(" ");
        text += &format!("{start},{from},{},{size},{needs}\n", 1 - from);
    }
    text
}

/// Arrivals, in whole nanoseconds.
struct Trace {
    times_ns: Vec<i64>,
    sizes: Vec<i64>,
    deadlines_ns: Option<Vec<i64>>,
}

impl Trace {
    /// Some packets that last about as long as the scenario.
    fn draw(scale: &Scale, dice: &mut Dice) -> Trace {
        let rows = dice.magnitude(1, 60) as usize;
        let gap_ns = (scale.span_ps / 1_000 / rows as u64).max(1);
        let mut now = 0;
        let mut next = || {
            now += dice.below(2 * gap_ns) as i64 * i64::from(dice.percent(70));
            now
        };
        let times_ns: Vec<i64> = (0..rows).map(|_| next()).collect();
        let largest = scale.packet_bytes * 2;
        let sizes = (0..rows)
            .map(|_| dice.magnitude(1, largest) as i64)
            .collect();
        let slack = dice.below(10 * gap_ns) as i64;
        let later = |times: &Vec<i64>| times.iter().map(|at| at + slack).collect();
        let deadlines_ns = dice.percent(50).then(|| later(&times_ns));
        Trace {
            times_ns,
            sizes,
            deadlines_ns,
        }
    }

    /// The recording as a packet capture in micro- or nanoseconds.
    fn to_pcap(&self, dice: &mut Dice) -> Vec<u8> {
        let number = number(dice.percent(50));
        let (magic, ns) = *dice.pick(&[(0xA1B2_C3D4, 1_000), (0xA1B2_3C4D, 1)]);
        let mut bytes = [magic, 0x0004_0002, 0, 0, HEADERS, 1].map(number).concat();
        for (i, (at, size)) in self.times_ns.iter().zip(&self.sizes).enumerate() {
            let (seconds, rest) = (at / 1_000_000_000, at % 1_000_000_000 / ns);
            let of_packet = [seconds as u32, rest as u32, HEADERS, *size as u32];
            bytes.extend(of_packet.map(number).concat());
            bytes.extend(headers(i));
        }
        bytes
    }

    /// The recording as a packet capture in blocks, in nanoseconds.
    fn to_pcapng(&self, dice: &mut Dice) -> Vec<u8> {
        const SECTION: u32 = 0x0A0D_0D0A;
        const INTERFACE: u32 = 1;
        const PACKET: u32 = 6;
        let is_little = dice.percent(50);
        let number = number(is_little);
        let block = |kind: u32, body: &[u8]| {
            let padding = vec![0; body.len().next_multiple_of(4) - body.len()];
            let length = number((body.len() + padding.len()) as u32 + 12);
            [&number(kind), &length, body, &padding, &length].concat()
        };
        let section = [0x1A2B_3C4D, 1, u32::MAX, u32::MAX].map(number).concat();
        // Ethernet, and the option that times are in units of 10^-9 s.
        let interface: [u8; 16] = if is_little {
            [1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 1, 0, 9, 0, 0, 0]
        } else {
            [0, 1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 1, 9, 0, 0, 0]
        };
        let mut bytes = [block(SECTION, &section), block(INTERFACE, &interface)].concat();
        for (i, (at, size)) in self.times_ns.iter().zip(&self.sizes).enumerate() {
            let head = [0, (at >> 32) as u32, *at as u32, HEADERS, *size as u32];
            bytes.extend(block(
                PACKET,
                &[head.map(number).concat(), headers(i)].concat(),
            ));
        }
        bytes
    }

    /// The recording as text, with times in one of several units.
    fn to_csv(&self, dice: &mut Dice) -> String {
        let (name, size) = *dice.pick(&[
            ("t_ns", 1),
            ("time_us", 1_000),
            ("t_ms", 1_000_000),
            ("time", 1_000_000_000),
        ]);
        let sizes = *dice.pick(&["size_bytes", "size", "bytes"]);
        let deadline = if self.deadlines_ns.is_some() {
            ",deadline_ns"
        } else {
            ""
        };
        let mut text = format!("{name},id,{sizes}{deadline}\n");
        for (i, (at, bytes)) in self.times_ns.iter().zip(&self.sizes).enumerate() {
            let digits = usize::try_from((size as u64).ilog10()).unwrap_or(0);
            let fraction = format!("{:0>digits$}", at % size);
            let point = if digits > 0 { "." } else { "" };
            let fraction = if digits > 0 { fraction.as_str() } else { "" };
            text += &format!("{}{point}{fraction},{i},{bytes}", at / size);
            let due = self.deadlines_ns.as_ref().map(|due| format!(",{}", due[i]));
            text += &(due.unwrap_or_default() + "\n");
        }
        text
    }

    /// The recording as a Parquet file, in one of several encodings.
    fn to_parquet(&self, dice: &mut Dice) -> Result<Vec<u8>, ParquetError> {
        let mut columns = vec![("t_ns", &self.times_ns), ("size_bytes", &self.sizes)];
        columns.extend(self.deadlines_ns.as_ref().map(|due| ("deadline_ns", due)));
        let reals: Vec<bool> = columns
            .iter()
            .map(|(name, _)| *name != "size_bytes" && dice.percent(30))
            .collect();
        let field = |((name, _), real): (&(&str, _), &bool)| {
            let physical = if *real {
                Physical::DOUBLE
            } else {
                Physical::INT64
            };
            let field = Type::primitive_type_builder(name, physical);
            field
                .with_repetition(Repetition::REQUIRED)
                .build()
                .map(Arc::new)
        };
        let fields = columns
            .iter()
            .zip(&reals)
            .map(field)
            .collect::<Result<_, _>>()?;
        let schema = Type::group_type_builder("trace")
            .with_fields(fields)
            .build()?;
        let properties = Arc::new(properties(dice));
        let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), properties)?;
        let rows = self.times_ns.len();
        let cut = if dice.percent(30) {
            dice.place(rows)
        } else {
            0
        };
        for range in [0..cut, cut..rows] {
            let mut group = writer.next_row_group()?;
            for ((_, values), real) in columns.iter().zip(&reals) {
                write_column(&mut group, &values[range.clone()], *real)?;
            }
            group.close()?;
        }
        writer.into_inner()
    }
}

fn properties(dice: &mut Dice) -> WriterProperties {
    let compression = if dice.percent(50) {
        Compression::ZSTD(ZstdLevel::default())
    } else {
        Compression::UNCOMPRESSED
    };
    let version = *dice.pick(&[WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0]);
    WriterProperties::builder()
        .set_compression(compression)
        .set_writer_version(version)
        .set_dictionary_enabled(dice.percent(50))
        .build()
}

fn write_column(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: &[i64],
    real: bool,
) -> Result<(), ParquetError> {
    let mut column = group.next_column()?.expect("a column for each field");
    if real {
        let values: Vec<f64> = values.iter().map(|value| *value as f64).collect();
        column
            .typed::<DoubleType>()
            .write_batch(&values, None, None)?;
    } else {
        column
            .typed::<Int64Type>()
            .write_batch(values, None, None)?;
    }
    column.close()
}

/// The captured bytes of a packet: Ethernet, IPv4 and UDP headers.
const HEADERS: u32 = 42;

/// The headers of a packet in one of three conversations; only the fields that distinguish these
/// are non-zero.
fn headers(packet: usize) -> Vec<u8> {
    let mut headers = vec![0; HEADERS as usize];
    (headers[12], headers[14], headers[23]) = (0x08, 0x45, 17);
    headers[35] = (packet % 3) as u8;
    headers
}

/// The byte order of numbers.
fn number(is_little: bool) -> fn(u32) -> [u8; 4] {
    if is_little {
        u32::to_le_bytes
    } else {
        u32::to_be_bytes
    }
}

/// Times in milliseconds at which a packet can be sent.
fn opportunities(scale: &Scale, dice: &mut Dice) -> String {
    let most = (scale.span_ps / 10_000_000_000).max(1);
    let mut now = 1;
    let lines = (0..1 + dice.below(20)).map(|_| {
        now += dice.below(most) * dice.below(2);
        format!("{now}\n")
    });
    "# own\n".to_owned() + &lines.collect::<String>()
}

/// The frames of a video in one of their formats, the first with data.
fn frames(name: &str, scale: &Scale, dice: &mut Dice) -> Vec<u8> {
    // The rate in the reference's example.
    const GAP_US: u32 = 1_000_000 / 24;
    let mut size = |i| match i {
        0 => scale.packet_bytes as u32,
        _ => dice.below(scale.packet_bytes * 20) as u32,
    };
    let frame = |i: u32| match name {
        "frames.bin" => [GAP_US, size(i)].map(u32::to_be_bytes).concat(),
        "verbose-frames.txt" => format!("{i} P 0.{i} {}\n", size(i)).into_bytes(),
        _ => format!("{}\n", size(i)).into_bytes(),
    };
    (0..12).flat_map(frame).collect()
}

/// A distribution given by its points.
fn curve(scale: &Scale, dice: &mut Dice) -> String {
    let mut value = 1 + dice.below(40);
    let mut text = "value,cdf\n".to_owned();
    for tenths in [2, 2, 9, 10] {
        text += &format!("{value},{}\n", f64::from(tenths) / 10.0);
        value += 1 + dice.below(scale.packet_bytes);
    }
    text
}

/// Some recorded connections of both kinds, in the original format or the alternate one.
fn vectors(scale: &Scale, alternate: bool, dice: &mut Dice) -> String {
    let us = (scale.span_ps / 1_000_000).max(1);
    let mut text = String::new();
    for id in 0..1 + dice.below(4) {
        let takes_turns = dice.percent(60);
        let header = match (alternate, takes_turns) {
            (false, true) => "SEQ",
            (false, false) => "CONC",
            (true, true) => "S",
            (true, false) => "C",
        };
        text += &format!("{header} {} 1 1 {id} {id}\n", dice.below(us));
        if dice.percent(50) {
            text += &format!(
                "w {} {}\n",
                dice.magnitude(1, 100_000),
                dice.magnitude(1, 9_000)
            );
        }
        text += &format!("r {}\nl 0.{} 0\n", dice.below(us), dice.below(3));
        for unit in 0..1 + dice.below(6) {
            let end = dice.below(2) as usize;
            let (wait, size) = (dice.below(us), dice.magnitude(1, scale.packet_bytes * 9));
            let (sent, wait_of_end) = if takes_turns {
                ([">", "<"][end], "t")
            } else {
                (["c>", "c<"][end], ["t>", "t<"][end])
            };
            text += &match (alternate, unit % 2 == 0) {
                (true, true) => format!("{} {wait} 0 {size}\n", ["I", "A"][end]),
                (true, false) => format!("{} 0 {wait} {size}\n", ["I", "A"][end]),
                (false, _) => format!("{sent} {size}\n{wait_of_end} {wait}\n"),
            };
        }
    }
    text
}

/// A ring of routers with some chords.
fn edge_list(dice: &mut Dice) -> String {
    let routers = 3 + dice.below(6);
    let delays = dice.percent(50);
    let mut text = format!("a,b,km{}\n", if delays { ",delay_ms" } else { "" });
    let across = dice.below(4);
    for i in 0..routers + across {
        let (a, b) = if i < routers {
            (i, (i + 1) % routers)
        } else {
            (dice.below(routers - 1), routers - 1)
        };
        let km = dice.magnitude(1, 3_000);
        let delay = format!(",{}.{}", dice.below(20), dice.below(1_000_000));
        text += &format!("{a},{b},{km}{}\n", if delays { &delay } else { "" });
    }
    text
}
