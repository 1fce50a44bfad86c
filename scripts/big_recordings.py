#!/usr/bin/env python3
"""Does a long recording cost memory? Runs recordings of SIZE megabytes of each kind beside short ones, and
prints the most memory that the program had, in MB.

    cargo build --release && scripts/big_recordings.py [SIZE] [PROGRAM]
"""

import json
import os
import struct
import subprocess
import sys
import tempfile

SIZE = int(sys.argv[1]) if len(sys.argv) > 1 else 300
PROGRAM = sys.argv[2] if len(sys.argv) > 2 else "target/release/pacesim"

NETWORK = """
run = {{ duration = "20s" }}
node = [{{ name = "a" }}, {{ name = "b" }}]
[[link]]
name = "l"
from = "a"
to = "b"
rate = "10Gbps"
{link}
[[flow]]
name = "f"
from = "a"
to = "b"
{flow}
"""

CBR = 'traffic = { kind = "cbr", rate = "10Mbps", size = "1000B" }'


def lines(path, head, line, size):
    """A text of this many bytes; line(i) is its i-th line."""
    with open(path, "w") as out:
        written, i = out.write(head), 0
        while written < size:
            piece = "".join(line(k) for k in range(i, i + 10_000))
            written += out.write(piece)
            i += 10_000


def capture(path, size):
    """UDP between a thousand pairs of ports, a packet every 10 us."""
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101))
        i, each = 0, 16 + 28
        while i * each < size:
            us, port = 10 * i, i % 1000
            ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 1000, 0, 0, 64, 17, 0, b"\x0a\0\0\1", b"\x0a\0\0\2")
            udp = struct.pack(">HHHH", 1024 + port, 80, 980, 0)
            head = struct.pack("<IIII", us // 1_000_000, us % 1_000_000, 28, 1000)
            out.write(head + ip + udp)
            i += 1


def vectors(path, size):
    one = "SEQ {at} 2 1 1\nw 65535 65535\nr 20000\n> 300\nt 1000\n< 9000\nt 2000\n> 400\nt 1000\n< 90000\n"
    lines(path, "", lambda i: one.format(at=100_000 * i), size)


KINDS = {
    "arrivals.csv": (
        lambda path, size: lines(path, "t_us,size_bytes\n", lambda i: f"{10 * i},{500 + i % 900}\n", size),
        "",
        'traffic = { kind = "recorded", file = "FILE" }',
    ),
    "dealt.pcap": (capture, "", 'count = 4\ntraffic = { kind = "recorded", file = "FILE", deal = true }'),
    "frames.txt": (
        lambda path, size: lines(path, "", lambda i: f"{1000 + i % 9000}\n", size),
        "",
        'traffic = { kind = "video", file = "FILE", packet_size = "1000B", frame_rate = 24.0 }',
    ),
    "mahimahi.trace": (
        lambda path, size: lines(path, "1\n", lambda i: f"{2 + i // 4}\n", size),
        'pacer = { kind = "recorded_rate", file = "FILE" }',
        CBR,
    ),
    "web.cvec": (vectors, "", 'traffic = { kind = "tcp", exchanges = { file = "FILE" } }'),
}


def peak_mb(folder, name, size):
    write, link, flow = KINDS[name]
    path = os.path.join(folder, name)
    write(path, size)
    scenario = os.path.join(folder, "scenario.toml")
    with open(scenario, "w") as out:
        out.write(NETWORK.format(link=link.replace("FILE", name), flow=flow.replace("FILE", name)))
    done = subprocess.run([PROGRAM, "run", "--json", scenario], capture_output=True, text=True)
    os.remove(path)
    if done.returncode != 0:
        sys.exit(done.stderr or done.stdout)
    return json.loads(done.stdout)["peak_rss_bytes"] / 1e6


def main():
    only = sys.argv[3:] or list(KINDS)
    print(f"recording        1 MB   {SIZE} MB")
    with tempfile.TemporaryDirectory() as folder:
        for name in only:
            short, long = peak_mb(folder, name, 1_000_000), peak_mb(folder, name, SIZE * 1_000_000)
            print(f"{name:15} {short:6.0f} {long:8.0f}", flush=True)


main()
