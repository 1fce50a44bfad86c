// What the drivers of csg-htsim share: wires that count, and figures of the process.
#pragma once
#include "pipe.h"

#include <time.h>

#include <cstdint>
#include <fstream>
#include <string>

static uint64_t hops = 0;

// A wire that counts the packets that leave it.
class CountingPipe : public Pipe {
public:
    using Pipe::Pipe;
    void doNextEvent() {
        if (_count) ++hops;
        Pipe::doNextEvent();
    }
};

static double cpu_seconds() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

// Peak memory; getrusage would count the parent's memory before exec.
static double peak_megabytes() {
    std::ifstream status("/proc/self/status");
    std::string word;
    double kilobytes = 0;
    while (status >> word)
        if (word == "VmHWM:") status >> kilobytes;
    return kilobytes / 1024;
}
