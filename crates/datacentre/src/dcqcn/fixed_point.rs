//! The fixed point of DCQCN's fluid model (SIGCOMM 2015, section 5; CoNEXT 2016).
//!
//! Equal flows share a line, and each packet is marked with probability p. With R in packets per
//! second, L = ln(1 − p), and the periods τ′ of alpha, τ of CNPs and T of the increase timer:
//!
//! * α = 1 − (1 − p)^(τ′R), and a CNP comes with probability c = 1 − (1 − p)^(τR) in each τ;
//! * increases come at the rate R (p / ((1 − p)^(−B) − 1) + p / ((1 − p)^(−TR) − 1));
//! * R_T − R_C = d follows from dR_C/dt = 0, and p from dR_T/dt = 0.

/// A fluid model. Times in seconds, amounts in packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FluidModel {
    /// Number of flows.
    pub flows: u32,
    /// Rate of the line in packets per second.
    pub line: f64,
    /// Additive increase in packets per second.
    pub additive: f64,
    /// Period τ′ after which alpha falls.
    pub alpha_period: f64,
    /// Period τ between CNPs.
    pub cnp_period: f64,
    /// Size B of the byte counter in packets.
    pub byte_counter: f64,
    /// Period T of the increase timer.
    pub increase_period: f64,
    /// Number F of increases in fast recovery.
    pub fast_steps: f64,
}

/// The state at which a fluid model stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedPoint {
    /// Probability of a mark.
    pub marks: f64,
    /// Alpha.
    pub alpha: f64,
    /// R_T − R_C in packets per second.
    pub gap: f64,
}

/// Exponents beyond this one would exceed the numbers.
const MOST_EXPONENT: f64 = 700.0;
const LEAST_MARKS: f64 = 1e-9;
const MOST_MARKS: f64 = 0.9;
/// Halvings of the interval, more than a number has bits.
const HALVINGS: u32 = 200;

impl FluidModel {
    /// The fixed point, by bisection of the logarithm of p.
    pub fn fixed_point(&self) -> FixedPoint {
        let [mut low, mut high] = [LEAST_MARKS, MOST_MARKS];
        for _ in 0..HALVINGS {
            let middle = (low * high).sqrt();
            if self.drift(middle).0 < 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let marks = (low * high).sqrt();
        let (_, gap, alpha) = self.drift(marks);
        FixedPoint { marks, alpha, gap }
    }

    /// The papers' approximation of p: ((R_AI N² / (τ′C²)) (1/B + N/(TC))²)^⅓.
    pub fn approximate_marks(&self) -> f64 {
        let [flows, line] = [f64::from(self.flows), self.line];
        let steps = 1.0 / self.byte_counter + flows / (self.increase_period * line);
        let cube =
            self.additive * flows * flows / (self.alpha_period * line * line) * steps * steps;
        libm::cbrt(cube)
    }

    /// The fall of R_T less its rise, with R_T − R_C and alpha, at a probability of marks.
    fn drift(&self, marks: f64) -> (f64, f64, f64) {
        let rate = self.line / f64::from(self.flows);
        let none = libm::log1p(-marks);
        let some = |packets: f64| -libm::expm1(packets * none);
        let inverse = |packets: f64| marks / libm::expm1((-packets * none).min(MOST_EXPONENT));
        let timer = self.increase_period * rate;
        let alpha = some(self.alpha_period * rate);
        let cnp = some(self.cnp_period * rate);
        let [by_bytes, by_time] = [inverse(self.byte_counter), inverse(timer)];
        let gap = alpha * cnp / self.cnp_period / (by_bytes + by_time);
        let after = |packets: f64| libm::exp(self.fast_steps * packets * none);
        let rise =
            self.additive * rate * (after(self.byte_counter) * by_bytes + after(timer) * by_time);
        (gap * cnp / self.cnp_period - rise, gap, alpha)
    }
}
