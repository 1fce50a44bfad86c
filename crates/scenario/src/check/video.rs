//! Checks of videos.

use pacesim_keys::VideoTraffic;
use pacesim_language::problem::Faults;

use super::packet_size;

/// Adds the faults of a video.
pub(super) fn check(path: &str, video: &VideoTraffic, faults: &mut Faults) {
    packet_size(&format!("{path}.packet_size"), video.packet_size, faults);
    frame_rate(&format!("{path}.frame_rate"), video, faults);
    if let Some((message, help)) = video.refused_rate() {
        faults.add(format!("{path}.rate"), message).help(help);
    }
}

fn frame_rate(path: &str, video: &VideoTraffic, faults: &mut Faults) {
    let rate = video.frame_rate;
    if !(1e-3..=1e9).contains(&rate) {
        let message = format!("{rate} frames per second are not a video");
        let help = "give 0.001 to 1e9, as in 24.0";
        faults.add(path, message).help(help);
    } else if let Some(gap_us) = video.file.gap_us
        && (1e6 / rate - f64::from(gap_us)).abs() > 1.5
    {
        let message = format!("the frames of {} are {gap_us} us apart", video.file.name);
        let help = format!("give frame_rate = {:.4}", 1e6 / f64::from(gap_us.max(1)));
        faults.add(path, message).help(help);
    }
}
