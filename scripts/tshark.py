#!/usr/bin/env python3
"""Compares captures with tshark: ten shipped scenarios are run and exported at the senders, and
tshark's own analysis is compared with the recording, packet by packet.

    scripts/tshark.py PACESIM [FOLDER]

PACESIM is the program; tshark and capinfos must be installed (Debian: apt-get install tshark).
Compared are the number of packets, malformed ones and wrong checksums, retransmissions, duplicate
acknowledgements, and each round trip to the nanosecond. Fails on any difference, and prints the
first packets of it.
"""
import collections
import csv
import decimal
import os
import subprocess
import sys
import tempfile

# Scenarios, each with the simulated time; templates of `pacesim new` have no ending.
SCENARIOS = [
    ("scenarios/dumbbell.toml", "5s"), ("scenarios/codel.toml", "5s"),
    ("scenarios/fq_codel.toml", "5s"), ("scenarios/senders.toml", "5s"),
    ("scenarios/nsfnet_fec.toml", "1s"), ("scenarios/ns2/a.toml", "5s"),
    ("scenarios/ns2/b.toml", "5s"), ("scenarios/ns2/d.toml", "5s"),
    ("tcp_dumbbell", "5s"), ("paced_edges", "2s"),
]
FIELDS = ["frame.number", "frame.comment", "tcp.stream", "tcp.len", "tcp.analysis.retransmission",
          "tcp.analysis.fast_retransmission", "tcp.analysis.spurious_retransmission",
          "tcp.analysis.out_of_order", "tcp.analysis.duplicate_ack", "tcp.analysis.ack_rtt",
          "_ws.malformed", "tcp.checksum.status", "ip.checksum.status", "tcp.flags.syn", "tcp.ack",
          "tcp.seq", "ip.id", "frame.time_epoch", "tcp.analysis.acks_frame"]


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def recorded(program, scenario, duration, folder):
    file = scenario
    if not scenario.endswith(".toml"):
        file = os.path.join(folder, scenario + ".toml")
        run(program, "new", scenario, "-o", file)
    out = os.path.join(folder, os.path.basename(scenario).replace(".toml", ""))
    run(program, "run", file, "--set", f"run.duration={duration}", "--set", "run.warmup=0s",
        "--set", "output.packets={}", "--set", "output.tcp={}", "--out", out, "-q")
    capture, events = out + ".pcapng", out + ".csv"
    told = run(program, "export", out, "--to", "pcapng", "--at", "senders", "-o", capture)
    run(program, "export", out, "--to", "csv", "-o", events)
    return capture, events, int(told.split(": ")[1].split()[0])


def frames(capture):
    command = ["tshark", "-r", capture, "-T", "fields", "-E", "separator=\t", "-E", "occurrence=f",
               "-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE",
               "-o", "tcp.relative_sequence_numbers:FALSE", "-Y", "ip"]
    for field in FIELDS:
        command += ["-e", field]
    for line in run(*command).splitlines():
        yield dict(zip(FIELDS, line.split("\t")))


def homecomings(events, end):
    """Acknowledgements that reach their sender, by flow in the order of time; and the sendings of
    data at all ports. Rows have predicted times beyond the end of the run."""
    acks, sent, onward, home = {}, {}, set(), {}
    with open(events, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            flow, at, seq = row["flow"], int(row["t_ps"]), row["seq"]
            if row["packet"] == "ACK" and row["event"] == "arrived":
                onward.add((flow, at, seq))
            elif row["packet"] == "ACK" and row["event"] == "reached":
                acks.setdefault(flow, []).append((at, int(seq), row["link"]))
            elif row["packet"] == "data" and row["event"] == "arrived":
                sent.setdefault((flow, int(seq)), []).append((at, row["note"]))
    for flow, all_acks in acks.items():
        # On the last link an acknowledgement does not arrive at another port at once.
        last = {link for at, seq, link in all_acks if at <= end and (flow, at, str(seq)) not in onward}
        home[flow] = [(at, seq) for at, seq, link in all_acks if link in last]
    return home, sent


def duplicates(homecoming):
    """Acknowledgements of the same packet as the one before, behind the first packet."""
    return sum(one == other and one != 2**32 - 1 for (_, one), (_, other) in zip(homecoming, homecoming[1:]))


def round_trips(homecoming, flow, sent):
    """From the sending of each packet that was sent once to the first acknowledgement of exactly it:
    when it was sent, its number, and the round trip, in nanoseconds as in the capture."""
    before = -1
    for at, seq in homecoming:
        if seq == 2**32 - 1 or seq <= before:
            continue
        before = seq
        sendings = sent.get((flow, seq), [])
        if sendings and not any("retransmission" in note for _, note in sendings):
            first = sendings[0][0] // 1000
            yield first, seq % 2**16, at // 1000 - first


def nanoseconds(seconds):
    return int(decimal.Decimal(seconds) * 10**9)


def compare(program, scenario, duration, folder):
    capture, events, exported = recorded(program, scenario, duration, folder)
    counted = run("capinfos", "-c", "-M", capture).rsplit(":", 1)[1].strip()
    ours, theirs, extra, missed, malformed, wrong, doubles = 0, 0, [], [], 0, 0, 0
    data, again, trips = {}, set(), []
    for frame in frames(capture):
        is_ours = "retransmission" in frame["frame.comment"]
        is_theirs = any(frame[f"tcp.analysis.{kind}"] for kind in
                        ["retransmission", "fast_retransmission", "spurious_retransmission", "out_of_order"])
        ours += is_ours
        theirs += is_theirs
        if is_theirs and not is_ours:
            extra.append(frame)
        if is_ours and not is_theirs:
            missed.append(frame)
        malformed += bool(frame["_ws.malformed"])
        wrong += "0" in (frame["tcp.checksum.status"], frame["ip.checksum.status"])
        doubles += bool(frame["tcp.analysis.duplicate_ack"])
        segment = (frame["tcp.stream"], frame["tcp.seq"])
        if is_ours:
            again.add(segment)
        if frame["tcp.analysis.ack_rtt"]:
            trips.append((frame["tcp.analysis.acks_frame"], nanoseconds(frame["tcp.analysis.ack_rtt"])))
        sending = (nanoseconds(frame["frame.time_epoch"]), int(frame["ip.id"], 16))
        data[frame["frame.number"]] = segment, sending
    home, sent = homecomings(events, int(duration[:-1]) * 10**12)
    our_doubles = sum(duplicates(acks) for acks in home.values())
    our_trips = [trip for flow, acks in home.items() for trip in round_trips(acks, flow, sent)]
    # For a packet sent twice, the acknowledged transmission is ambiguous on both sides.
    trips = [(*data[of][1], trip) for of, trip in trips if data[of][0] not in again]
    mean = sum(trip for *_, trip in trips) / max(len(trips), 1)
    print(f"| {os.path.basename(scenario).replace('.toml', '')} | {exported} | {counted} | {malformed} | {wrong} "
          f"| {ours} | {theirs} | {our_doubles} | {doubles} | {len(our_trips)} | {len(trips)} | {mean / 1e6:.3f} |",
          flush=True)
    for name, some in [("only tshark", extra), ("only the recording", missed)]:
        for frame in some[:3]:
            print(f"    {name}, frame {frame['frame.number']}:", {key: value for key, value in frame.items() if value})
    our_trips, trips = collections.Counter(our_trips), collections.Counter(trips)
    for name, some in [("only tshark", trips - our_trips), ("only the recording", our_trips - trips)]:
        for sent_ns, number, trip in list(some)[:3]:
            print(f"    {name}: packet {number} (modulo 65536) sent at {sent_ns} ns, round trip {trip} ns")
    return (malformed or wrong or str(exported) != counted or extra or missed
            or our_doubles != doubles or our_trips != trips)


def main():
    program = os.path.abspath(sys.argv[1])
    folder = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    print("| scenario | packets | capinfos | malformed | wrong checksums | retransmissions | of tshark "
          "| duplicate ACKs | of tshark | round trips | of tshark | their mean, ms |")
    print("| --- |" + " --- |" * 11)
    bad = [scenario for scenario, duration in SCENARIOS if compare(program, scenario, duration, folder)]
    if bad:
        sys.exit(f"tshark has other counts: {', '.join(bad)}")


main()
