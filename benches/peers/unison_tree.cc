// N TCP flows over an access tree, ns-3.41 with or without UNISON's mtp module; after benches/peers/ns3_tree.cc.
// usage: unison_tree N seconds edges core_mbps core_buf_bytes seed [KEY=VALUE ...]
//   threads=0       0: ns-3's default simulator; 1 or more: MtpInterface::Enable(threads)
//   routes=static   as in ns3_tree.cc (lists searched linearly); table: a hash table in each node, and no search of all interfaces
//   lookahead=0     MinLookahead of the automatic partition, in ms; 0: UNISON's own choice, the median of the delays
//   iw=10           segments of the initial window, ns-3's default, as in ns3_tree.cc
//   sndbuf=1000000  bytes that BulkSend keeps in each sender's buffer, all of them in memory; as in ns3_tree.cc
//   sendsize=512    bytes that it writes at once, ns-3's default, as in ns3_tree.cc
//   sack=1          ns-3's default, as in ns3_tree.cc; 0: without
#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/internet-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/applications-module.h"
#include "ns3/traffic-control-module.h"
#ifdef NS3_MTP
#include "ns3/mtp-interface.h"
#endif
#include <sys/resource.h>
#include <time.h>
#include <atomic>
#include <random>
#include <set>
#include <unordered_map>
using namespace ns3;

// Hops: counted by each thread for itself, and added up as it ends.
static std::atomic<uint64_t> ended{0};
struct Count { uint64_t n = 0; ~Count() { ended += n; } };
static thread_local Count hops;
static void Rx(Ptr<const Packet>) { ++hops.n; }

// Drops at the core: in ns-3 the traffic-control layer drops what a full (stopped) device queue cannot take.
static uint64_t core_drops = 0;
static void CoreDrop(Ptr<const Packet>) { ++core_drops; }

static double clk(clockid_t id) { timespec t; clock_gettime(id, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
static double cpu() { return clk(CLOCK_PROCESS_CPUTIME_ID); }
static double wall() { return clk(CLOCK_MONOTONIC); }

// Routes of a node in a hash table, with a default.
class TableRouting : public Ipv4RoutingProtocol {
public:
  static TypeId GetTypeId() { static TypeId t = TypeId("TableRouting").SetParent<Ipv4RoutingProtocol>().AddConstructor<TableRouting>(); return t; }
  Ptr<Ipv4Route> Make(Ipv4Address gateway, uint32_t itf) {
    Ptr<Ipv4Route> r = Create<Ipv4Route>(); r->SetGateway(gateway); r->SetOutputDevice(m_ip->GetNetDevice(itf)); r->SetSource(m_ip->GetAddress(itf, 0).GetLocal()); return r;
  }
  void SetDefaultRoute(Ipv4Address gateway, uint32_t itf) { m_default = Make(gateway, itf); }
  void AddHostRouteTo(Ipv4Address to, Ipv4Address gateway, uint32_t itf) { Ptr<Ipv4Route> r = Make(gateway, itf); r->SetDestination(to); m_table[to.Get()] = r; }
  Ptr<Ipv4Route> Look(Ipv4Address to) { auto i = m_table.find(to.Get()); return i == m_table.end() ? m_default : i->second; }
  Ptr<Ipv4Route> RouteOutput(Ptr<Packet>, const Ipv4Header& h, Ptr<NetDevice>, Socket::SocketErrno& e) override {
    auto r = Look(h.GetDestination()); e = r ? Socket::ERROR_NOTERROR : Socket::ERROR_NOROUTETOHOST; return r;
  }
  bool RouteInput(Ptr<const Packet> p, const Ipv4Header& h, Ptr<const NetDevice> d, const UnicastForwardCallback& u, const MulticastForwardCallback&, const LocalDeliverCallback& l, const ErrorCallback&) override {
    uint32_t i = m_ip->GetInterfaceForDevice(d);
    if (m_ip->IsDestinationAddress(h.GetDestination(), i)) { l(p, h, i); return true; }
    auto r = Look(h.GetDestination()); if (!r) return false;
    u(r, p, h); return true;
  }
  void NotifyInterfaceUp(uint32_t) override {}
  void NotifyInterfaceDown(uint32_t) override {}
  void NotifyAddAddress(uint32_t, Ipv4InterfaceAddress) override {}
  void NotifyRemoveAddress(uint32_t, Ipv4InterfaceAddress) override {}
  void SetIpv4(Ptr<Ipv4> ip) override { m_ip = ip; }
  void PrintRoutingTable(Ptr<OutputStreamWrapper>, Time::Unit) const override {}
private:
  void DoDispose() override { m_ip = nullptr; m_table.clear(); m_default = nullptr; }
  Ptr<Ipv4> m_ip; Ptr<Ipv4Route> m_default; std::unordered_map<uint32_t, Ptr<Ipv4Route>> m_table;
};
class TableHelper : public Ipv4RoutingHelper {
public:
  TableHelper* Copy() const override { return new TableHelper(*this); }
  Ptr<Ipv4RoutingProtocol> Create(Ptr<Node>) const override { return CreateObject<TableRouting>(); }
};

int main(int c, char** v) {
  if (c < 7) { fprintf(stderr, "usage: unison_tree N seconds edges core_mbps core_buf_bytes seed [threads=T] [routes=static|table] [lookahead=MS] [sack=0|1]\n"); return 2; }
  int n = atoi(v[1]); double secs = atof(v[2]); int E = atoi(v[3]); int mbps = atoi(v[4]); long buf = atol(v[5]); int seed = atoi(v[6]);
  int threads = 0, sack = 1, iw = 10, sndbuf = 1000000, sendsize = 512; double lookahead = 0; bool table = false;
  for (int k = 7; k < c; k++) {
    std::string s = v[k]; auto eq = s.find('='); std::string key = s.substr(0, eq), val = s.substr(eq + 1);
    if (key == "threads") threads = std::stoi(val); else if (key == "sack") sack = std::stoi(val); else if (key == "sndbuf") sndbuf = std::stoi(val); else if (key == "sendsize") sendsize = std::stoi(val); else if (key == "iw") iw = std::stoi(val);
    else if (key == "lookahead") lookahead = std::stod(val); else if (key == "routes") table = val == "table";
    else { fprintf(stderr, "what is %s?\n", v[k]); return 2; }
  }
  double t0 = cpu(), w0 = wall();
  if (threads) {
#ifdef NS3_MTP
    if (lookahead > 0) Config::SetDefault("ns3::MultithreadedSimulatorImpl::MinLookahead", TimeValue(NanoSeconds(int64_t(lookahead * 1e6))));
    MtpInterface::Enable(threads);
#else
    fprintf(stderr, "built without MTP\n"); return 2;
#endif
  }
  std::mt19937_64 g(seed);
  auto U = [&](double a, double b) { return a + (b - a) * (g() >> 11) * (1.0 / 9007199254740992.0); };
  Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(TypeId::LookupByName("ns3::TcpNewReno")));
  Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(948));
  Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
  Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(sndbuf));
  Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1000000));
  Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));
  Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(sack));
  Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(iw));
  if (table) Config::SetDefault("ns3::Ipv4::StrongEndSystemModel", BooleanValue(true));  // spares a search of all interfaces for each packet forwarded
  NodeContainer all; all.Create(2 + 2 * E + 2 * n);
  InternetStackHelper st; Ipv4StaticRoutingHelper rh; TableHelper th;
  if (table) st.SetRoutingHelper(th); else st.SetRoutingHelper(rh);
  st.SetIpv6StackInstall(false); st.Install(all);
  uint32_t net = 0x0a000000;
  Ptr<PointToPointNetDevice> neck;
  struct If { Ipv4Address a, b; uint32_t ia, ib; };
  auto link = [&](int a, int b, int m, double ms, uint64_t fbuf) {
    PointToPointHelper h; h.SetDeviceAttribute("DataRate", StringValue(std::to_string(m) + "Mbps"));
    h.SetChannelAttribute("Delay", TimeValue(NanoSeconds(int64_t(ms * 1e6))));
    h.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, fbuf ? fbuf : 1000000000u)));
    NetDeviceContainer d = h.Install(all.Get(a), all.Get(b));
    if (fbuf) { auto dev = DynamicCast<PointToPointNetDevice>(d.Get(1)); dev->GetQueue()->SetMaxSize(QueueSize(QueueSizeUnit::BYTES, 1000000000u)); neck = DynamicCast<PointToPointNetDevice>(d.Get(0)); }
    for (int k = 0; k < 2; k++) d.Get(k)->TraceConnectWithoutContext("MacRx", MakeCallback(&Rx));
    Ipv4Address aa(net + 1), bb(net + 2); net += 4; Ipv4Mask mask("255.255.255.252");
    If r; r.a = aa; r.b = bb;
    auto ip = all.Get(a)->GetObject<Ipv4>(); r.ia = ip->AddInterface(d.Get(0)); ip->AddAddress(r.ia, Ipv4InterfaceAddress(aa, mask)); ip->SetUp(r.ia);
    ip = all.Get(b)->GetObject<Ipv4>(); r.ib = ip->AddInterface(d.Get(1)); ip->AddAddress(r.ib, Ipv4InterfaceAddress(bb, mask)); ip->SetUp(r.ib);
    return r;
  };
  auto dflt = [&](int node, Ipv4Address gw, uint32_t i) {
    auto ip = all.Get(node)->GetObject<Ipv4>();
    if (table) DynamicCast<TableRouting>(ip->GetRoutingProtocol())->SetDefaultRoute(gw, i); else rh.GetStaticRouting(ip)->SetDefaultRoute(gw, i);
  };
  auto host = [&](int node, Ipv4Address to, Ipv4Address gw, uint32_t i) {
    auto ip = all.Get(node)->GetObject<Ipv4>();
    if (table) DynamicCast<TableRouting>(ip->GetRoutingProtocol())->AddHostRouteTo(to, gw, i); else rh.GetStaticRouting(ip)->AddHostRouteTo(to, gw, i);
  };
  all.Get(0)->GetObject<TrafficControlLayer>()->TraceConnectWithoutContext("TcDrop", MakeCallback(&CoreDrop));
  If core = link(0, 1, mbps, 100, buf);
  dflt(0, core.b, core.ia); dflt(1, core.a, core.ib);
  std::vector<If> el, er;
  for (int j = 0; j < E; j++) { el.push_back(link(2 + j, 0, 100, U(5, 15), 0)); dflt(2 + j, el[j].b, el[j].ia); }
  for (int j = 0; j < E; j++) { er.push_back(link(2 + E + j, 1, 100, U(5, 15), 0)); dflt(2 + E + j, er[j].b, er[j].ia); }
  ApplicationContainer sinks;
  for (int i = 0; i < n; i++) {
    int s = 2 + 2 * E + 2 * i, d = s + 1, l = i % E, r = (i / E) % E;
    If a = link(s, 2 + l, 10, U(1, 5), 0), z = link(d, 2 + E + r, 10, U(1, 5), 0);
    dflt(s, a.b, a.ia); dflt(d, z.b, z.ia);
    host(0, a.a, el[l].a, el[l].ib); host(1, z.a, er[r].a, er[r].ib);
    host(2 + l, a.a, a.a, a.ib); host(2 + E + r, z.a, z.a, z.ib);
    PacketSinkHelper sk("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 9));
    ApplicationContainer sink = sk.Install(all.Get(d)); sink.Start(Seconds(0)); sinks.Add(sink);
    BulkSendHelper bs("ns3::TcpSocketFactory", InetSocketAddress(z.a, 9)); bs.SetAttribute("MaxBytes", UintegerValue(0)); bs.SetAttribute("SendSize", UintegerValue(sendsize)); bs.Install(all.Get(s)).Start(Seconds(U(0, 1)));
  }
  Simulator::Stop(Seconds(secs));
  double t1 = cpu(), w1 = wall(); Simulator::Run(); double t2 = cpu(), w2 = wall();
  uint64_t sum = ended + hops.n, bytes = 0, hash = 1469598103934665603ull; double squares = 0; int starved = 0;
  for (int i = 0; i < n; i++) {
    uint64_t b = DynamicCast<PacketSink>(sinks.Get(i))->GetTotalRx();
    bytes += b; squares += double(b) * b; starved += !b;
    for (int k = 0; k < 8; k++) hash = (hash ^ (b >> 8 * k & 255)) * 1099511628211ull;
  }
  std::set<uint32_t> lps; for (uint32_t i = 0; i < all.GetN(); i++) lps.insert(all.Get(i)->GetSystemId());
  uint64_t events = Simulator::GetEventCount(); uint64_t sent = neck->GetQueue()->GetTotalReceivedPackets(), lost = core_drops + neck->GetQueue()->GetTotalDroppedPacketsBeforeEnqueue();
  rusage u; getrusage(RUSAGE_SELF, &u);
  printf("RESULT ns3 n=%d threads=%d routes=%s lps=%zu hops=%lu setup_s=%.4f run_s=%.4f whole_s=%.4f run_wall_s=%.4f whole_wall_s=%.4f rss_mb=%.1f events=%lu delivered_bytes=%lu delivered_packets=%lu goodput_mbps=%.4f jain=%.4f starved=%d core_sent=%lu core_dropped=%lu flows_hash=%016lx\n",
         n, threads, table ? "table" : "static", lps.size(), sum, t1 - t0, t2 - t1, t2, w2 - w1, w2 - w0, u.ru_maxrss / 1024.0, events, bytes, bytes / 948, bytes * 8 / secs / 1e6, double(bytes) * bytes / squares / n, starved, sent, lost, hash);
  fflush(stdout); std::_Exit(0);
}
