// Transfers of TCP, DCTCP or NDP between hosts behind leaves and spines, in csg-htsim; see fct.py.
// usage: htsim_fct tcp|dctcp|ndp MICROSECONDS LEAVES SPINES HOSTS FLOWS, with source, sink, start in us, bytes and spine in
// each line of the file; NDP takes all spines
#include "compositequeue.h"
#include "config.h"
#include "dctcp.h"
#include "ecnqueue.h"
#include "eventlist.h"
#include "htsim_common.h"
#include "ndp.h"
#include "network.h"
#include "queue.h"
#include "tcp.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

static const linkspeed_bps RATE = speedFromMbps((uint64_t)10000);

enum class Sender { TCP, DCTCP, NDP };

struct Link {
    PacketSink *queue, *wire;
};

class LeafSpine {
public:
    LeafSpine(int leaves, int spines, int hosts, Sender sender, EventList& events)
        : spines(spines), hosts(hosts), sender(sender), events(events), up(leaves), down(leaves) {
        for (int i = 0; i < leaves * hosts; i++) {
            from_host.push_back(nic());
            to_host.push_back(port());
        }
        for (int leaf = 0; leaf < leaves; leaf++)
            for (int spine = 0; spine < spines; spine++) {
                up[leaf].push_back(port());
                down[leaf].push_back(port());
            }
    }

    Route* route(int from, int to, int spine) {
        Route* route = new Route();
        auto add = [&](Link link) {
            route->push_back(link.queue);
            route->push_back(link.wire);
        };
        add(from_host[from]);
        if (from / hosts != to / hosts) {
            add(up[from / hosts][spine]);
            add(down[to / hosts][spine]);
        }
        add(to_host[to]);
        return route;
    }

    std::vector<const Route*>* routes(int from, int to) {
        auto* routes = new std::vector<const Route*>();
        int count = from / hosts == to / hosts ? 1 : spines;
        for (int spine = 0; spine < count; spine++) routes->push_back(route(from, to, spine));
        return routes;
    }

private:
    int spines, hosts;
    Sender sender;
    EventList& events;
    std::vector<Link> from_host, to_host;
    std::vector<std::vector<Link>> up, down;

    PacketSink* wire() { return new CountingPipe(timeFromUs(1.0), events); }
    // 100 packets, the one in transmission included, and marks beyond 15; NDP: eight packets with their payload.
    Link port() {
        if (sender == Sender::NDP) return {new CompositeQueue(RATE, 8 * 9000, events, NULL), wire()};
        mem_b size = 100 * 1500, mark = sender == Sender::DCTCP ? 15 * 1500 : size;
        return {new ECNQueue(RATE, size, events, NULL, mark), wire()};
    }
    Link nic() {
        mem_b size = 1000000 * 1500L;
        if (sender == Sender::NDP) return {new FairPriorityQueue(RATE, size, events, NULL), wire()};
        return {new Queue(RATE, size, events, NULL), wire()};
    }
};

struct Transfer {
    int from, to;
    double start_us;
    uint64_t bytes;
    int spine;
};

static void add_tcp(LeafSpine& fabric, const Transfer& transfer, TcpSrc* source, TcpRtxTimerScanner& timers) {
    TcpSink* sink = new TcpSink();
    source->_maxcwnd = 200 * 1500;
    source->set_flowsize(transfer.bytes);
    timers.registerTcp(*source);
    Route* there = fabric.route(transfer.from, transfer.to, transfer.spine);
    Route* back = fabric.route(transfer.to, transfer.from, transfer.spine);
    there->push_back(sink);
    back->push_back(source);
    source->connect(*there, *back, *sink, timeFromUs(transfer.start_us));
}

static void add_ndp(LeafSpine& fabric, const Transfer& transfer, NdpPullPacer* pacer, NdpRtxTimerScanner& timers,
                    EventList& events) {
    NdpSrc* source = new NdpSrc(NULL, NULL, events);
    NdpSink* sink = new NdpSink(pacer);
    source->setCwnd(30 * Packet::data_packet_size());
    source->set_flowsize(transfer.bytes);
    source->set_dst(transfer.to);
    sink->set_src(transfer.from);
    timers.registerNdp(*source);
    source->connect(NULL, NULL, *sink, timeFromUs(transfer.start_us));
    source->set_paths(fabric.routes(transfer.from, transfer.to));
    sink->set_paths(fabric.routes(transfer.to, transfer.from));
}

int main(int, char** arguments) {
    double begun = cpu_seconds();
    std::string name = arguments[1];
    Sender sender = name == "ndp" ? Sender::NDP : name == "dctcp" ? Sender::DCTCP : Sender::TCP;
    int leaves = atoi(arguments[3]), spines = atoi(arguments[4]), hosts = atoi(arguments[5]);
    EventList& events = EventList::getTheEventList();
    events.setEndtime(timeFromUs(atof(arguments[2])));
    Packet::set_packet_size(sender == Sender::NDP ? 9000 : 1500);
    NdpSrc::setMinRTO(10000);
    NdpSrc::setPathEntropySize(spines);
    NdpSrc::setRouteStrategy(SCATTER_PERMUTE);
    NdpSink::setRouteStrategy(SCATTER_PERMUTE);
    LeafSpine fabric(leaves, spines, hosts, sender, events);
    TcpRtxTimerScanner tcp_timers(timeFromUs(100.0), events);
    NdpRtxTimerScanner ndp_timers(timeFromUs(100.0), events);
    std::vector<NdpPullPacer*> pacers;
    for (int i = 0; sender == Sender::NDP && i < leaves * hosts; i++) pacers.push_back(new NdpPullPacer(events, RATE, 0.99));
    std::ifstream flows(arguments[6]);
    Transfer transfer;
    while (flows >> transfer.from >> transfer.to >> transfer.start_us >> transfer.bytes >> transfer.spine) {
        if (sender == Sender::NDP) {
            add_ndp(fabric, transfer, pacers[transfer.to], ndp_timers, events);
            continue;
        }
        TcpSrc* source = sender == Sender::DCTCP ? new DCTCPSrc(NULL, NULL, events) : new TcpSrc(NULL, NULL, events);
        add_tcp(fabric, transfer, source, tcp_timers);
    }
    double built = cpu_seconds();
    while (events.doNextEvent()) {
    }
    double run = cpu_seconds();
    fprintf(stderr, "hops=%lu setup_s=%.4f run_s=%.4f rss_mb=%.1f\n", hops, built - begun, run - built,
            peak_megabytes());
    std::_Exit(0);
}
