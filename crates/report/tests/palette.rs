//! The report's colours, as those with each kind of colour blindness see them.

const CSS: &str = include_str!("../src/html/page.css");
/// The colours of marks and lines, and the ground behind them.
const NAMES: [&str; 7] = ["blue", "sky", "orange", "red", "green", "purple", "ground"];

/// Linear RGB.
type Rgb = [f64; 3];
type Matrix = [[f64; 3]; 3];

const NORMAL: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
/// Deficiency" (2009), table 1, severity 1.
const SIGHTS: [(&str, Matrix); 4] = [
    ("normal sight", NORMAL),
    (
        "protanopia",
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ),
];

/// A just noticeable difference is 2.3; marks also differ by their shape, lines by their dashes.
const LEAST_DISTANCE: f64 = 10.0;
/// WCAG 2.1, 1.4.11, for graphical objects.
const LEAST_CONTRAST: f64 = 3.0;

#[test]
fn colours_can_be_told_apart_by_the_colour_blind() {
    for palette in palettes() {
        for (sight, matrix) in SIGHTS {
            let seen = palette.map(|colour| lab(product(&matrix, colour)));
            for one in 0..seen.len() {
                for other in one + 1..seen.len() {
                    let distance = distance(seen[one], seen[other]);
                    assert!(
                        distance >= LEAST_DISTANCE,
                        "{} and {} on {:?}: {distance:.1} apart with {sight}",
                        NAMES[one],
                        NAMES[other],
                        palette[6],
                    );
                }
            }
        }
    }
}

#[test]
fn colours_stand_out_from_their_ground() {
    for palette in palettes() {
        let ground = luminance(palette[6]);
        for (name, colour) in NAMES.iter().zip(palette).take(6) {
            let (dark, light) = match luminance(colour) {
                own if own < ground => (own, ground),
                own => (ground, own),
            };
            let contrast = (light + 0.05) / (dark + 0.05);
            assert!(contrast >= LEAST_CONTRAST, "{name}: {contrast:.2}");
        }
    }
}

/// The light palette, the dark one, and that of print.
fn palettes() -> Vec<[Rgb; 7]> {
    let roots: Vec<&str> = CSS.split(":root").skip(1).collect();
    assert_eq!(roots.len(), 3, "palettes of page.css");
    roots
        .iter()
        .map(|root| NAMES.map(|name| colour(root, name)))
        .collect()
}

/// The colour of this name in a palette.
fn colour(palette: &str, name: &str) -> Rgb {
    let key = format!("--{name}: #");
    let at = palette.find(&key).unwrap_or_else(|| panic!("no {key}")) + key.len();
    let digits = palette[at..].split(';').next().expect("a value");
    let value = |place: usize| match digits.len() {
        3 => 17 * u8::from_str_radix(&digits[place..=place], 16).expect("a digit"),
        _ => u8::from_str_radix(&digits[2 * place..2 * place + 2], 16).expect("two digits"),
    };
    [0, 1, 2].map(|place| linear(f64::from(value(place)) / 255.0))
}

/// IEC 61966-2-1 (sRGB).
fn linear(c: f64) -> f64 {
    if c <= 0.04045 {
        c / 12.92
    } else {
        libm::pow((c + 0.055) / 1.055, 2.4)
    }
}

fn product(matrix: &Matrix, colour: Rgb) -> Rgb {
    matrix.map(|row| {
        let sum: f64 = row.iter().zip(colour).map(|(a, b)| a * b).sum();
        sum.clamp(0.0, 1.0)
    })
}

fn luminance(colour: Rgb) -> f64 {
    0.2126729 * colour[0] + 0.7151522 * colour[1] + 0.0721750 * colour[2]
}

/// CIELAB with the white of D65 (CIE 15).
fn lab(colour: Rgb) -> [f64; 3] {
    let [r, g, b] = colour;
    let f = |t: f64| {
        if t > 216.0 / 24389.0 {
            libm::cbrt(t)
        } else {
            (24389.0 / 27.0 * t + 16.0) / 116.0
        }
    };
    let x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
    let y = f(luminance(colour));
    let z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn distance(one: [f64; 3], other: [f64; 3]) -> f64 {
    let squares = one.iter().zip(other).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}
