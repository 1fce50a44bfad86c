#!/usr/bin/env python3
"""Compares captures with tshark: ten shipped scenarios are run and exported at the senders, and
tshark's own analysis is compared with the recording, packet by packet.

    scripts/tshark.py PACESIM [FOLDER]

PACESIM is the program; tshark and capinfos must be installed (Debian: apt-get install tshark).
Compared are the number of packets, malformed ones and wrong checksums, retransmissions, duplicate
acknowledgements, and round trips. Fails on any difference but that of
mean round trips, and prints the first packets of it.
"""
import csv
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
          "tcp.seq", "frame.time_relative", "tcp.analysis.acks_frame"]


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


def homecomings(events):
    """Acknowledgements that reach their sender, by flow in the order of time; and the first and all
    sendings of data."""
    last_link, acks, sent = {}, {}, {}
    with open(events, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            flow, at = row["flow"], int(row["t_ps"])
            if row["packet"].startswith("ACK") and row["event"] == "reached":
                acks.setdefault(flow, {}).setdefault(row["link"], []).append((at, int(row["seq"])))
            elif row["packet"] == "data" and row["event"] == "arrived":
                sent.setdefault((flow, int(row["seq"])), []).append((at, row["note"]))
    for flow, links in acks.items():
        # The last link on the way is the one that has the first acknowledgement latest.
        last_link[flow] = max(links, key=lambda link: links[link][0][0])
    return {flow: acks[flow][last_link[flow]] for flow in acks}, sent


def duplicates(homecoming):
    """Acknowledgements of the same packet as the one before, behind the first packet."""
    return sum(one == other and one != 2**32 - 1 for (_, one), (_, other) in zip(homecoming, homecoming[1:]))


def round_trips(homecoming, flow, sent):
    """From the first sending of each packet that no other sending follows to the acknowledgement of
    exactly it."""
    found, before = [], -1
    for at, seq in homecoming:
        if seq == 2**32 - 1 or seq <= before:
            continue
        before = seq
        sendings = sent.get((flow, seq), [])
        if sendings and not any("retransmission" in note or "repaired" in note for _, note in sendings):
            found.append((at - sendings[0][0]) / 1e12)
    return found


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
            trips.append((frame["tcp.analysis.acks_frame"], float(frame["tcp.analysis.ack_rtt"])))
        data[frame["frame.number"]] = segment
    home, sent = homecomings(events)
    our_doubles = sum(duplicates(acks) for acks in home.values())
    our_trips = [trip for flow, acks in home.items() for trip in round_trips(acks, flow, sent)]
    # For a packet sent twice, the acknowledged transmission is ambiguous on both sides.
    trips = [trip for of, trip in trips if data[of] not in again]
    mean = lambda values: sum(values) / len(values) if values else 0.0
    print(f"| {os.path.basename(scenario).replace('.toml', '')} | {exported} | {counted} | {malformed} | {wrong} "
          f"| {ours} | {theirs} | {our_doubles} | {doubles} | {mean(our_trips) * 1e3:.3f} | {mean(trips) * 1e3:.3f} |")
    for name, some in [("only tshark", extra), ("only the recording", missed)]:
        for frame in some[:3]:
            print(f"    {name}, frame {frame['frame.number']}:", {key: value for key, value in frame.items() if value})
    return (malformed or wrong or str(exported) != counted or extra or missed or our_doubles != doubles)


def main():
    program = os.path.abspath(sys.argv[1])
    folder = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    print("| scenario | packets | capinfos | malformed | wrong checksums | retransmissions | of tshark "
          "| duplicate ACKs | of tshark | mean round trip, ms | of tshark |")
    print("| --- |" + " --- |" * 10)
    bad = [scenario for scenario, duration in SCENARIOS if compare(program, scenario, duration, folder)]
    if bad:
        sys.exit(f"tshark has other counts: {', '.join(bad)}")


main()
