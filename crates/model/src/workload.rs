//! Published distributions of the sizes of messages and flows in data centres.
//!
//! Each is a few points of our own choice, with straight lines between them: values are from the
//! paper, or from the numbers that its authors or others published with it.

use std::sync::Arc;

/// Sizes of messages or flows as a paper has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// Flows of web search (Alizadeh et al., SIGCOMM 2010), in the points of pFabric's paper
    /// (SIGCOMM 2013, Fig. 4): mean 1.7 MB.
    WebSearch,
    /// Flows of data mining (Greenberg et al., SIGCOMM 2009), in the points of pFabric's paper: mean
    /// 12.7 MB.
    DataMining,
    /// W1 of Homa's paper (Montazeri et al., SIGCOMM 2018): values of a memcached cluster of Facebook,
    /// by the model of Atikoglu et al. (SIGMETRICS 2012, Section 5): mean 190 B.
    W1,
    /// W2 of Homa's paper: messages of Google's search, its deciles and the tail of its authors' file:
    /// mean 450 B.
    W2,
    /// W3 of Homa's paper: all messages of a data centre of Google, likewise: mean 3.1 KB.
    W3,
    /// W4 of Homa's paper: flows of a Hadoop cluster of Facebook (Roy et al., SIGCOMM 2015, Fig. 6),
    /// likewise: mean 129 KB.
    W4,
    /// W5 of Homa's paper: web search in packets of 1442 bytes, with a tail that begins at 9.6 MB:
    /// mean 2.5 MB.
    W5,
    /// Flows of web servers of Facebook within their cluster (Roy et al., SIGCOMM 2015, Fig. 6): mean
    /// 63 KB.
    WebServer,
    /// Flows of cache followers of Facebook within their cluster (the same figure): mean 0.7 MB.
    CacheFollower,
}

impl Workload {
    /// All of them.
    pub const ALL: [Workload; 9] = [
        Workload::WebSearch,
        Workload::DataMining,
        Workload::W1,
        Workload::W2,
        Workload::W3,
        Workload::W4,
        Workload::W5,
        Workload::WebServer,
        Workload::CacheFollower,
    ];

    /// Sizes in bytes with the probability of at most that size, both rising, the latter to one.
    pub fn points(self) -> Arc<[(f64, f64)]> {
        let points: &[(f64, f64)] = match self {
            Workload::WebSearch => &WEB_SEARCH,
            Workload::DataMining => &DATA_MINING,
            Workload::W1 => &KEY_VALUE,
            Workload::W2 => &GOOGLE_SEARCH,
            Workload::W3 => &GOOGLE_ALL,
            Workload::W4 => &HADOOP,
            Workload::W5 => &WEB_SEARCH_IN_PACKETS,
            Workload::WebServer => &WEB_SERVER,
            Workload::CacheFollower => &CACHE_FOLLOWER,
        };
        Arc::from(points)
    }
}

const WEB_SEARCH: [(f64, f64); 12] = [
    (1.0, 0.0),
    (10_000.0, 0.15),
    (20_000.0, 0.2),
    (30_000.0, 0.3),
    (50_000.0, 0.4),
    (80_000.0, 0.53),
    (200_000.0, 0.6),
    (1_000_000.0, 0.7),
    (2_000_000.0, 0.8),
    (5_000_000.0, 0.9),
    (10_000_000.0, 0.97),
    (30_000_000.0, 1.0),
];

const DATA_MINING: [(f64, f64); 13] = [
    (1.0, 0.0),
    (180.0, 0.1),
    (216.0, 0.2),
    (560.0, 0.3),
    (900.0, 0.4),
    (1100.0, 0.5),
    (1870.0, 0.6),
    (3160.0, 0.7),
    (10_000.0, 0.8),
    (400_000.0, 0.9),
    (3_160_000.0, 0.95),
    (100_000_000.0, 0.98),
    (1_000_000_000.0, 1.0),
];

const KEY_VALUE: [(f64, f64); 33] = [
    (1.0, 0.0058),
    (2.0, 0.0058),
    (2.0, 0.184),
    (3.0, 0.184),
    (3.0, 0.2764),
    (5.0, 0.2766),
    (5.0, 0.304),
    (10.0, 0.3277),
    (11.0, 0.3277),
    (11.0, 0.4176),
    (14.0, 0.4416),
    (15.0, 0.4788),
    (22.0, 0.4951),
    (30.0, 0.5128),
    (42.0, 0.5379),
    (60.0, 0.5724),
    (85.0, 0.6147),
    (120.0, 0.665),
    (170.0, 0.7227),
    (250.0, 0.7901),
    (350.0, 0.8466),
    (500.0, 0.8987),
    (700.0, 0.9369),
    (1000.0, 0.965),
    (1400.0, 0.9815),
    (2000.0, 0.9912),
    (2800.0, 0.9959),
    (4000.0, 0.9983),
    (6000.0, 0.999389),
    (8000.0, 0.999714),
    (16_000.0, 0.999957),
    (32_000.0, 0.999994),
    (100_000.0, 1.0),
];

const GOOGLE_SEARCH: [(f64, f64); 28] = [
    (2.0, 0.0),
    (2.0, 0.06),
    (3.0, 0.1),
    (8.0, 0.16),
    (34.0, 0.2),
    (58.0, 0.3),
    (171.0, 0.4),
    (269.0, 0.5),
    (320.0, 0.6),
    (320.0, 0.64),
    (366.0, 0.7),
    (427.0, 0.8),
    (512.0, 0.9),
    (683.0, 0.93),
    (1080.0, 0.96),
    (1460.0, 0.97),
    (2050.0, 0.98),
    (3150.0, 0.99),
    (4100.0, 0.995),
    (7450.0, 0.998),
    (21_800.0, 0.999),
    (38_600.0, 0.9992),
    (101_000.0, 0.9997),
    (154_000.0, 0.9999),
    (262_000.0, 0.99997),
    (403_000.0, 0.99998),
    (913_000.0, 0.99999),
    (3_530_000.0, 1.0),
];

const GOOGLE_ALL: [(f64, f64); 30] = [
    (3.0, 0.0),
    (3.0, 0.06),
    (36.0, 0.1),
    (77.0, 0.2),
    (110.0, 0.3),
    (158.0, 0.4),
    (268.0, 0.5),
    (313.0, 0.6),
    (402.0, 0.7),
    (573.0, 0.8),
    (1020.0, 0.86),
    (1760.0, 0.9),
    (2660.0, 0.92),
    (5520.0, 0.95),
    (9600.0, 0.97),
    (13_400.0, 0.98),
    (31_000.0, 0.99),
    (45_700.0, 0.992),
    (84_900.0, 0.995),
    (128_000.0, 0.997),
    (196_000.0, 0.998),
    (357_000.0, 0.999),
    (527_000.0, 0.9995),
    (654_000.0, 0.9996),
    (1_250_000.0, 0.9998),
    (2_340_000.0, 0.9999),
    (3_170_000.0, 0.99993),
    (4_880_000.0, 0.99996),
    (7_650_000.0, 0.99998),
    (15_200_000.0, 1.0),
];

const HADOOP: [(f64, f64); 26] = [
    (50.0, 0.0),
    (310.0, 0.08),
    (315.0, 0.1),
    (376.0, 0.2),
    (502.0, 0.3),
    (561.0, 0.4),
    (662.0, 0.5),
    (960.0, 0.6),
    (1620.0, 0.66),
    (2860.0, 0.68),
    (6390.0, 0.7),
    (49_400.0, 0.8),
    (57_700.0, 0.82),
    (91_200.0, 0.88),
    (120_000.0, 0.9),
    (142_000.0, 0.91),
    (167_000.0, 0.92),
    (229_000.0, 0.94),
    (273_000.0, 0.95),
    (406_000.0, 0.96),
    (832_000.0, 0.97),
    (1_660_000.0, 0.98),
    (3_430_000.0, 0.99),
    (4_000_000.0, 0.992),
    (6_320_000.0, 0.996),
    (10_000_000.0, 1.0),
];

const WEB_SEARCH_IN_PACKETS: [(f64, f64); 12] = [
    (1442.0, 0.025),
    (8652.0, 0.15),
    (18_746.0, 0.2),
    (27_398.0, 0.3),
    (47_586.0, 0.4),
    (76_426.0, 0.53),
    (191_786.0, 0.6),
    (961_814.0, 0.7),
    (1_922_186.0, 0.8),
    (4_806_186.0, 0.9),
    (9_613_814.0, 0.9),
    (28_840_000.0, 1.0),
];

const WEB_SERVER: [(f64, f64); 19] = [
    (50.0, 0.0),
    (120.0, 0.1),
    (281.0, 0.2),
    (849.0, 0.26),
    (1030.0, 0.3),
    (1600.0, 0.36),
    (1890.0, 0.4),
    (3460.0, 0.5),
    (6480.0, 0.6),
    (7580.0, 0.62),
    (16_800.0, 0.7),
    (36_200.0, 0.76),
    (70_000.0, 0.8),
    (272_000.0, 0.9),
    (348_000.0, 0.95),
    (390_000.0, 0.97),
    (429_000.0, 0.98),
    (565_000.0, 0.99),
    (1_000_000.0, 1.0),
];

const CACHE_FOLLOWER: [(f64, f64); 23] = [
    (50.0, 0.0),
    (279.0, 0.06),
    (293.0, 0.1),
    (324.0, 0.14),
    (340.0, 0.16),
    (394.0, 0.2),
    (577.0, 0.3),
    (652.0, 0.32),
    (1150.0, 0.4),
    (3890.0, 0.46),
    (28_300.0, 0.5),
    (210_000.0, 0.6),
    (554_000.0, 0.7),
    (1_600_000.0, 0.74),
    (1_680_000.0, 0.76),
    (1_870_000.0, 0.8),
    (2_460_000.0, 0.9),
    (2_510_000.0, 0.91),
    (2_550_000.0, 0.92),
    (2_770_000.0, 0.96),
    (2_930_000.0, 0.98),
    (3_110_000.0, 0.99),
    (3_840_000.0, 1.0),
];
