//! [[accept]]: warnings that a file expects, each with the reason.

use pacesim_language::field::Field;
use pacesim_language::form::Form;
use pacesim_language::{table, words};

table! {
    /// A kind of warning that is right to be ignored here. It is not reported, and a result says
    /// that it was accepted. An entry that silences nothing is a warning itself.
    pub struct Accept "accept" derive(Eq) {
        warning: WarningName, "The kind, as a report names it in brackets: warning[no_warmup].", "no_warmup";
        because: String, "The reason in words.", "the start of the run is the subject";
    }
}

words! {
    /// The kinds of warnings, of `check` and of the ends of runs.
    pub enum WarningName {
        NeverStarts "never_starts", "flows start after the end of the run";
        LateFlows "late_flows", "flows start after the end of the warm-up";
        NeverStops "never_stops", "flows stop after the end of the run";
        Unmeasured "unmeasured_flows", "flows stop before the warm-up ends";
        NoWarmup "no_warmup", "data without end is measured from the start of the run";
        Reordering "reordering", "TCP sends over several paths, and takes reordering for loss";
        EmptyShare "empty_share", "a share of a group is rounded to none or to all of it";
        EqualOthers "equal_others", "the others of a group are like the rest";
        SlowSource "slow_source", "a source's gaps or phases are longer than the run";
        EmptyRecording "empty_recording", "a recording, or a part of one, that gets nothing";
        ShortRecording "short_recording", "a recording at a chosen rate ends before the flows that play it";
        NoMarks "no_marks", "flows that heed marks meet no queue that marks";
        EcnOff "ecn_off", "TCP without ECN crosses a queue that marks others";
        UnheededMarks "unheeded_marks", "no flow understands the marks of a queue";
        NoTrims "no_trims", "packets of NDP, or their answers, cross a queue that drops them";
        FqAtHost "fq_at_host", "the discipline fq is at a host whose senders do not pace";
        ShortMinRto "short_min_rto", "the minimum time-out is below a tick of the clock";
        UnusedLink "unused_link", "a link has settings, and no flow crosses it";
        IdlePacer "idle_pacer", "a pacer's rate is not below that of its line";
        IdleClass "idle_class", "a class of flows that no queue or pacer on their path heeds";
        IdleQueue "idle_queue", "the rule of a queue never acts: its line or its buffer is the limit, or no packet tells what it asks for";
        IdleMiddlebox "idle_middlebox", "a middlebox for ACKs is where no ACK passes";
        IdleNode "idle_node", "a node has no link";
        MissedPart "missed_part", "some flows of a group miss a pacer or a discipline that others cross";
        IdleEvent "idle_event", "an event changes nothing";
        IdleDrop "idle_drop", "packets to drop belong to flows that do not come by";
        Unprotected "unprotected_flows", "no [[fec]] entry protects these flows";
        IdleFec "idle_fec", "a [[fec]] entry protects no flow";
        GrowingQueue "growing_queue", "a queue without limit receives more than its line can send";
        Overload "overload", "a load is more than its link can carry";
        LoadElsewhere "load_elsewhere", "some flows of a load do not cross its link";
        QueuedTransfers "queued_transfers", "transfers that arrive during another wait behind it on the same connection";
        ClampedValues "clamped_values", "drawn values are clamped to an end of their range";
        DrawnMeans "drawn_means", "a mean of phases is drawn from a distribution of lengths";
        LargePackets "large_packets", "packets are larger than IP has them";
        IdleAxis "idle_axis", "values of an axis give the same scenarios, or an axis the same runs";
        ExactPhases "exact_phases", "all inputs of a port keep step with it, and nothing is random";
        IdleMeasure "idle_measure", "a measure has nothing to measure";
        UnkeptRecordings "unkept_recordings", "a sweep keeps no recordings, or has none to keep";
        SmallHeadroom "small_headroom", "a headroom may overflow after a pause";
        LossyPort "lossy_port", "a port drops packets though its switch pauses inputs";
        ShortPauses "short_pauses", "pauses may end before they are renewed";
        EndlessPauses "endless_pauses", "frames that end pauses may be lost, and pauses do not end by themselves";
        NoTelemetry "no_telemetry", "flows that read telemetry cross ports that add none";
        StandingPorts "standing_ports", "packets waited at a port for a second or more";
        GrowingPorts "growing_ports", "a queue or pacer without limit grew all the time";
        FullPacers "full_pacers", "a pacer released all that it may";
        ClippedGroups "clipped_groups", "drawn sizes were clipped at an end of their range";
        UnfinishedGroups "unfinished_groups", "many transfers had not ended";
        UnfinishedJobs "unfinished_jobs", "a job had not ended";
        ShortWarmups "short_warmups", "the warm-up was shorter than round trips";
        Unsteady "unsteady", "the halves of the measured time differ";
        FewLosses "few_losses", "the loss of a link hangs on fewer than five episodes";
        SilentGroups "silent_groups", "flows sent nothing";
        PhasedLosses "phased_losses", "losses of equal flows hang on a phase";
        PausedCircles "paused_circles", "paused ports wait for each other in a circle";
        MissedDrops "missed_drops", "packets that were to be dropped never came";
        SmallWindows "small_windows", "the window of senders, and no line, is their limit";
        UnusedMarks "unused_marks", "no packet was marked, though queues mark and flows heed it";
        MissedLoads "missed_loads", "transfers came out as another load than asked for";
        EmptyNumber "empty_number", "a number that a study shows has no value in any run";
    }
}

impl WarningName {
    /// The word for the kind in files and reports.
    pub fn word(self) -> &'static str {
        let Form::Choice(words) = <WarningName as Field>::FORM else {
            unreachable!("words are a choice");
        };
        words[self as usize].0
    }

    /// True if only runs show it, at their end.
    pub fn is_of_runs(self) -> bool {
        self as usize >= WarningName::StandingPorts as usize
    }
}

#[cfg(test)]
mod tests {
    use super::WarningName;

    #[test]
    fn a_kind_of_warning_has_the_word_that_files_have() {
        assert_eq!(WarningName::NeverStarts.word(), "never_starts");
        assert_eq!(WarningName::SilentGroups.word(), "silent_groups");
        assert!(WarningName::Unsteady.is_of_runs() && !WarningName::IdleAxis.is_of_runs());
    }
}
