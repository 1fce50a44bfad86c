#!/usr/bin/env python3
"""Reads an exported Perfetto trace by Perfetto's own message definitions, and compares its counts with
the events of the same recording as CSV.

    pip install perfetto protobuf
    pacesim export RESULTS --to perfetto -o run.pftrace
    pacesim export RESULTS --to csv -o run.csv
    scripts/perfetto_read.py run.pftrace run.csv

Fails on a field that the definitions lack, a track that was not described, slices that overlap, or
another number of events.
"""
import collections
import csv
import sys

from google.protobuf import unknown_fields
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

SENDER = ("timeout", "fast_retransmit", "recovered")


def expected(path):
    with open(path, newline="") as file:
        events = collections.Counter(row["event"] for row in csv.DictReader(file))
    ports = [events[step] for step in ("arrived", "dropped", "left")]
    # A packet enters the pacer and leaves it.
    held = 2 * events["released"]
    steps = ("arrived", "released", "dropped", "left", "reached", "lost")
    senders = sum(count for event, count in events.items() if event not in steps)
    return {
        "slices": events["left"],
        "instants": events["dropped"] + events["lost"] + sum(events[name] for name in SENDER),
        "counters": sum(ports) + held + 2 * senders,
    }


def unknown(message):
    return len(unknown_fields.UnknownFieldSet(message))


def main():
    trace = Trace()
    with open(sys.argv[1], "rb") as file:
        trace.ParseFromString(file.read())
    tracks, types, open_since, ends = {}, collections.Counter(), {}, {}
    for packet in trace.packet:
        if unknown(packet) or unknown(packet.track_event) or unknown(packet.track_descriptor):
            sys.exit(f"fields that no definition has: {packet}")
        if packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            if track.parent_uuid and track.parent_uuid not in tracks:
                sys.exit(f"no parent: {track}")
            tracks[track.uuid] = track.name
            continue
        event, at = packet.track_event, packet.timestamp
        if event.track_uuid not in tracks:
            sys.exit(f"no such track: {packet}")
        types[event.type] += 1
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            if event.track_uuid in open_since or at < ends.get(event.track_uuid, 0) or not event.name:
                sys.exit(f"a slice within another, or without a name: {packet}")
            open_since[event.track_uuid] = at
        elif event.type == TrackEvent.TYPE_SLICE_END:
            if at < open_since.pop(event.track_uuid):
                sys.exit(f"a slice that ends before it begins: {packet}")
            ends[event.track_uuid] = at
        elif event.type == TrackEvent.TYPE_COUNTER and event.double_counter_value < 0:
            sys.exit(f"less than nothing: {packet}")
    found = {
        "slices": types[TrackEvent.TYPE_SLICE_BEGIN],
        "instants": types[TrackEvent.TYPE_INSTANT],
        "counters": types[TrackEvent.TYPE_COUNTER],
    }
    recorded = expected(sys.argv[2])
    if open_since or found != recorded or types[TrackEvent.TYPE_SLICE_END] != found["slices"]:
        sys.exit(f"in the trace {found}, recorded {recorded}, open {len(open_since)}")
    print(f"{len(tracks)} tracks, " + ", ".join(f"{count} {name}" for name, count in found.items()))


main()
