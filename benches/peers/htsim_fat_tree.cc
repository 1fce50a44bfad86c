// TCP or DCTCP between the hosts of a fat tree of three tiers, in csg-htsim; see fat_tree.py.
// usage: htsim_fat_tree K tcp|dctcp MICROSECONDS FLOWS, a file with source, sink, start in us and path in each line
#include "config.h"
#include "dctcp.h"
#include "ecnqueue.h"
#include "eventlist.h"
#include "htsim_common.h"
#include "network.h"
#include "queue.h"
#include "tcp.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

struct Link {
    PacketSink *queue, *wire;
};

class FatTree {
public:
    FatTree(int k, bool marks, EventList& events) : half(k / 2), marks(marks), events(events) {
        int hosts = k * half * half, switches = k * half;
        for (int i = 0; i < hosts; i++) {
            up.push_back(nic());
            down.push_back(port());
        }
        for (auto* tier : {&edge_up, &edge_down, &core_up, &core_down}) {
            tier->resize(switches);
            for (auto& links : *tier)
                for (int i = 0; i < half; i++) links.push_back(port());
        }
    }

    // Path p leads over aggregation switch p div half and its core p mod half.
    Route* route(int from, int to, int p, PacketSink* end) {
        Route* route = new Route();
        auto add = [&](Link link) {
            route->push_back(link.queue);
            route->push_back(link.wire);
        };
        int first = from / half, last = to / half;
        bool same_pod = first / half == last / half;
        int aggregation = same_pod ? p : p / half, core = p % half;
        add(up[from]);
        if (first != last) {
            add(edge_up[first][aggregation]);
            if (!same_pod) {
                add(core_up[first / half * half + aggregation][core]);
                add(core_down[last / half * half + aggregation][core]);
            }
            add(edge_down[last][aggregation]);
        }
        add(down[to]);
        route->push_back(end);
        return route;
    }

private:
    int half;
    bool marks;
    EventList& events;
    std::vector<Link> up, down;
    std::vector<std::vector<Link>> edge_up, edge_down, core_up, core_down;

    PacketSink* wire() { return new CountingPipe(timeFromUs(1.0), events); }
    // 100 packets, the one in transmission included; marks beyond 15.
    Link port() {
        mem_b size = 100 * 1500;
        mem_b mark = marks ? 15 * 1500 : size;
        return {new ECNQueue(speedFromMbps((uint64_t)10000), size, events, NULL, mark), wire()};
    }
    Link nic() {
        return {new Queue(speedFromMbps((uint64_t)10000), 1000000 * 1500L, events, NULL), wire()};
    }
};

int main(int, char** arguments) {
    double begun = cpu_seconds();
    bool dctcp = std::string(arguments[2]) == "dctcp";
    EventList& events = EventList::getTheEventList();
    events.setEndtime((simtime_picosec)(atof(arguments[3]) * 1e6));
    Packet::set_packet_size(1500);
    FatTree tree(atoi(arguments[1]), dctcp, events);
    TcpRtxTimerScanner* timers = new TcpRtxTimerScanner(timeFromUs(100.0), events);
    std::ifstream flows(arguments[4]);
    int from, to, path;
    double start_us;
    while (flows >> from >> to >> start_us >> path) {
        TcpSrc* source = dctcp ? new DCTCPSrc(NULL, NULL, events) : new TcpSrc(NULL, NULL, events);
        TcpSink* sink = new TcpSink();
        source->_maxcwnd = 200 * 1500;
        timers->registerTcp(*source);
        Route* there = tree.route(from, to, path, sink);
        Route* back = tree.route(to, from, path, source);
        source->connect(*there, *back, *sink, (simtime_picosec)(start_us * 1e6));
    }
    double built = cpu_seconds();
    while (events.doNextEvent()) {
    }
    double run = cpu_seconds();
    fprintf(stderr, "hops=%lu setup_s=%.4f run_s=%.4f rss_mb=%.1f\n", hops, built - begun, run - built,
            peak_megabytes());
    std::_Exit(0);
}
