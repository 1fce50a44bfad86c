//! Commented scenarios to start from.

/// A commented scenario to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    /// Name in `pacesim new NAME`: "dumbbell".
    pub name: &'static str,
    /// Purpose of the template, in a line.
    pub about: &'static str,
    /// Text of the file.
    pub text: &'static str,
}

macro_rules! template {
    ($name:literal, $about:literal) => {
        Template {
            name: $name,
            about: $about,
            text: include_str!(concat!("templates/", $name, ".toml")),
        }
    };
}

/// All templates, the simplest first.
pub fn templates() -> &'static [Template] {
    &[
        template!("dumbbell", "ten pairs of hosts share one bottleneck"),
        template!(
            "tcp_dumbbell",
            "TCP flows of three kinds share one bottleneck with a small buffer"
        ),
        template!(
            "paced_edges",
            "edge routers pace TCP before a core link with a very small buffer"
        ),
        template!("mm1k", "M/M/1/K: a queue with a closed form"),
        template!("tandem", "a steady flow crosses three links in a row"),
        template!(
            "access_tree",
            "a thousand hosts behind ten edge routers behind one core link"
        ),
        template!("nsfnet", "any-to-any traffic on the 14 nodes of NSFNET"),
        template!(
            "nsfnet_fec",
            "TCP over NSFNET without buffers, protected by repair packets"
        ),
        template!("custom", "nodes, links and flows of your own, with loss"),
    ]
}
