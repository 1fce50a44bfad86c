//! A kind of chart that pacesim lacks, drawn with the plotters crate: a histogram of packet delays
//! in SVG.
//!
//!     cargo run --release -p pacesim-lab --example own_chart -- delays.svg

use std::error::Error;

use pacesim::World;
use pacesim::net::{Kind, Packet, Probe};
use pacesim::scenario::load;
use pacesim::units::Time;
use pacesim_lab::plot::{Format, Page};
use plotters::prelude::*;

const SCENARIO: &str = r#"
    run = { duration = "60s" }
    node = [{ name = "a" }, { name = "b" }]
    link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", delay = "1ms", buffer = "20pkts" }]
    flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" } }]
"#;

/// The packets that arrived, by delay in steps of [`STEP_MS`].
#[derive(Default)]
struct Histogram(Vec<u32>);

const STEP_MS: f64 = 0.5;

impl Probe for Histogram {
    fn delivered(&mut self, now: Time, packet: &Packet) {
        if packet.kind() == Kind::Data {
            let step = ((now - packet.stamp).as_secs_f64() * 1e3 / STEP_MS) as usize;
            self.0.resize(self.0.len().max(step + 1), 0);
            self.0[step] += 1;
        }
    }
}

fn delays() -> Result<Histogram, Box<dyn Error>> {
    let scenario = load("own_chart.toml", SCENARIO, &[], &())?;
    let mut world = World::watched(scenario.expand(1, 0), Histogram::default())?;
    world.run();
    Ok(Histogram(world.probe().0.clone()))
}

fn chart(delays: &Histogram) -> Result<Page, Box<dyn Error>> {
    let mut page = Page::new(640, 400);
    {
        let area = page.area();
        let most = delays.0.iter().max().copied().unwrap_or(1);
        let mut chart = ChartBuilder::on(&area)
            .caption("Delays of packets", ("sans-serif", 20))
            .margin(20)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..delays.0.len() as f64 * STEP_MS, 0..most)?;
        let mut axes = chart.configure_mesh();
        axes.max_light_lines(1)
            .x_desc("delay (ms)")
            .y_desc("packets");
        axes.draw()?;
        let bar = |(step, count): (usize, &u32)| {
            let left = step as f64 * STEP_MS;
            Rectangle::new([(left, 0), (left + STEP_MS, *count)], BLUE.filled())
        };
        chart.draw_series(delays.0.iter().enumerate().map(bar))?;
    }
    Ok(page)
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or("delays.svg".to_owned());
    std::fs::write(&path, chart(&delays()?)?.encode(Format::Svg))?;
    println!("{path}");
    Ok(())
}

#[test]
fn the_chart_has_its_texts_and_a_bar_for_each_delay() {
    let delays = delays().expect("it runs");
    let svg = chart(&delays).expect("it is drawn").encode(Format::Svg);
    let svg = String::from_utf8(svg).expect("a text");
    for text in ["Delays of packets", "delay (ms)", "packets"] {
        assert!(svg.contains(text), "{text}");
    }
    let bars = svg.matches("#0000ff").count();
    assert!(bars >= delays.0.iter().filter(|count| **count > 0).count());
}
