#!/usr/bin/env python3
"""Frame sizes of a synthetic video: scenarios/papers/zerobuf/synthetic_video.txt.

It has what is published of the recording that zerobuf Fig. 6 plays: 24 frames a second, a mean of 374.4 kbps and a largest frame
at 4.446 Mbps. The rest is our choice: groups of twelve frames (IBBPBBPBBPBB, in the ratio 5 : 2.5 : 1), whose level is log-normal
of fractional Gaussian noise with H = 0.8, and a little noise of each frame.

usage: synthetic_video.py > scenarios/papers/zerobuf/synthetic_video.txt
"""
import math
import random

GROUPS = 2000
PATTERN = [5.0, 1.0, 1.0, 2.5, 1.0, 1.0, 2.5, 1.0, 1.0, 2.5, 1.0, 1.0]
MEAN, LARGEST = 374_400 / 24 / 8, 4_446_000 / 24 / 8
HURST, OF_LEVELS, OF_FRAMES = 0.8, 0.45, 0.15


def noise(n, hurst, dice):
    """Fractional Gaussian noise, exact, by Hosking's recursion."""
    two = 2 * hurst
    covariance = [((k + 1) ** two - 2 * k**two + abs(k - 1) ** two) / 2 for k in range(n)]
    values, phi, variance = [dice.gauss(0, 1)], [], 1.0
    for k in range(1, n):
        last = (covariance[k] - sum(p * covariance[k - 1 - j] for j, p in enumerate(phi))) / variance
        phi = [p - last * q for p, q in zip(phi, reversed(phi))] + [last]
        variance *= 1 - last * last
        mean = sum(p * values[k - 1 - j] for j, p in enumerate(phi))
        values.append(mean + math.sqrt(variance) * dice.gauss(0, 1))
    return values


def main():
    dice = random.Random(1)
    levels = [math.exp(OF_LEVELS * x) for x in noise(GROUPS, HURST, dice)]
    shapes = [level * size * math.exp(OF_FRAMES * dice.gauss(0, 1)) for level in levels for size in PATTERN]
    scale = MEAN / (sum(shapes) / len(shapes))
    for _ in range(100):
        frames = [min(shape * scale, LARGEST) for shape in shapes]
        scale *= MEAN / (sum(frames) / len(frames))
    frames[frames.index(max(frames))] = LARGEST
    print("# The bytes of each frame of a synthetic video, 24 frames a second (scripts/synthetic_video.py)")
    for frame in frames:
        print(round(frame))


main()
