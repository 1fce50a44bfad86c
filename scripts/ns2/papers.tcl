# papers.tcl - the papers' dumbbells in ns-2 2.35, without pacers and without FEC.
#
# usage: ns papers.tcl key value [key value ...]
#
#   hosts - (edge routers) - C0 - core - C1 - (edge routers) - hosts
#
# flows N, users U of which fetch files (the first ones); edges E (0: hosts are at C0 and C1);
# core_rate, core_delay, edge_rate, edge_delay "LO:HI", access_rate "LO:HI", access_delay "LO:HI"
# (sinks alike behind edge routers, else at C1 itself); per_host: flows of one host;
# buffer BYTES of waiting room, without the packet in transmission; window; usehdr 1: 1040 B on the wire;
# start: the last start; t0, end; udp Mbps of Poisson traffic in packets of 200 B (0: none);
# loss: a share of packets lost on the core instead of its buffer; bins FILE, bin SECONDS: bytes that
# reach the core in each interval, and the packets waiting at its end.
#
# Prints one line "RESULT key=value ...": loss, utilisation, throughput and goodput of a flow, from
# t0 to end. DropTail drops when waiting + arriving >= limit_, hence limit_ = buffer + 1. Byte counters
# of ns-2 are of 32 bits: bytes follow from packets, but for differences within a bin.

set tcl_precision 12
array set P {
  flows 100 users 0 edges 0 per_host 1 core_rate 100e6 core_delay 0.1 edge_rate 100e6 edge_delay 0.005:0.015
  access_rate 8e6:12e6 access_delay 0.001:0.005 buffer 5000 window 20 usehdr 0 start 10 t0 100 end 400
  udp 0 loss 0 bins {} bin 0.001024 seed 1 variant Reno
}
foreach {key value} $argv {
  if {![info exists P($key)]} { puts stderr "no key $key"; exit 2 }
  set P($key) $value
}
$defaultRNG seed $P(seed)
proc uniform {range} {
  global defaultRNG
  lassign [split $range :] low high
  if {$high eq ""} { return $low }
  return [$defaultRNG uniform $low $high]
}
remove-all-packet-headers
add-packet-header IP TCP Flags RTP
set ns [new Simulator]
$ns use-scheduler Calendar
$ns rtproto Manual
Agent/TCP set packetSize_ 1000
Agent/TCP set useHeaders_ $P(usehdr)
Agent/TCP set window_ $P(window)

proc join_nodes {a b rate delay} {
  global ns
  $ns duplex-link $a $b $rate $delay DropTail
  $ns queue-limit $a $b 1000000
  $ns queue-limit $b $a 1000000
}
proc by_default {node via} {
  global ns
  [$node entry] defaulttarget [[$ns link $node $via] head]
}
proc towards {node to via} {
  global ns
  $node add-route [$to id] [[$ns link $node $via] head]
}

set C0 [$ns node]
set C1 [$ns node]
join_nodes $C0 $C1 $P(core_rate) $P(core_delay)
by_default $C0 $C1
by_default $C1 $C0
for {set i 0} {$i < $P(edges)} {incr i} {
  foreach {side core} [list left $C0 right $C1] {
    set node [$ns node]
    set edge($side,$i) $node
    join_nodes $node $core $P(edge_rate) [uniform $P(edge_delay)]
    by_default $node $core
  }
}

# A host behind a core router, or behind the edge router of this number.
proc host {side core number} {
  global ns P edge
  set node [$ns node]
  set via $core
  if {$P(edges)} { set via $edge($side,$number) }
  join_nodes $node $via [uniform $P(access_rate)] [uniform $P(access_delay)]
  by_default $node $via
  towards $via $node $node
  if {$P(edges)} { towards $core $node $via }
  return $node
}

# A file of Pareto size (mean 100 KB, shape 1.2) in packets, and a pause of a second on average.
proc file_size {} {
  global defaultRNG
  set u [$defaultRNG uniform 0 1]
  set bytes [expr {100000.0 * 0.2 / 1.2 * pow(1.0 - $u, -1.0 / 1.2)}]
  return [expr {int(min(1e9, ceil($bytes / 1000.0)))}]
}
proc next_file {sender} { $sender advanceby [file_size] }
Agent/TCP instproc done {} {
  global ns defaultRNG is_user
  if {[info exists is_user($self)]} {
    $ns at [expr {[$ns now] - log(1.0 - [$defaultRNG uniform 0 1])}] "next_file $self"
  }
}

set senders {}
set sink_type [expr {$P(variant) in {Sack1 Fack} ? "Agent/TCPSink/Sack1" : "Agent/TCPSink"}]
for {set i 0} {$i < $P(flows)} {incr i} {
  if {$i % $P(per_host) == 0} {
    set h [expr {$i / $P(per_host)}]
    set edges [expr {max(1, $P(edges))}]
    set hosts [expr {$P(flows) / $P(per_host)}]
    set from [host left $C0 [expr {$h % $edges}]]
    set to $C1
    if {$P(edges)} { set to [host right $C1 [expr {$h * $edges / $hosts}]] }
  }
  set sender [new Agent/TCP/$P(variant)]
  set sink [new $sink_type]
  $ns attach-agent $from $sender
  $ns attach-agent $to $sink
  $ns connect $sender $sink
  set start [$defaultRNG uniform 0 $P(start)]
  if {$i < $P(users)} {
    set is_user($sender) 1
    $ns at $start "next_file $sender"
  } else {
    set source [new Application/FTP]
    $source attach-agent $sender
    $ns at $start "$source start"
  }
  lappend senders $sender
}

if {$P(udp) > 0} {
  set from [$ns node]
  join_nodes $from $C0 100e6 0.005
  by_default $from $C0
  set agent [new Agent/UDP]
  set null [new Agent/Null]
  $agent set fid_ 2
  $ns attach-agent $from $agent
  $ns attach-agent $C1 $null
  $ns connect $agent $null
  # Exponential pauses between single packets.
  set source [new Application/Traffic/Exponential]
  $source set packetSize_ 200
  $source set burst_time_ 0
  $source set rate_ 1000Mb
  $source set idle_time_ [expr {1600 / ($P(udp) * 1e6) - 1600 / 1e9}]
  $source attach-agent $agent
  $ns at 0 "$source start"
}

set link [$ns link $C0 $C1]
if {$P(loss) > 0} {
  set errors [new ErrorModel]
  $errors unit packet
  $errors set rate_ $P(loss)
  set own [new RNG]
  $own seed [expr {$P(seed) + 77}]
  set draw [new RandomVariable/Uniform]
  $draw use-rng $own
  $errors ranvar $draw
  $errors drop-target [new Agent/Null]
  $ns lossmodel $errors $C0 $C1
} else {
  set queue [$link queue]
  $queue set queue_in_bytes_ true
  $queue set mean_pktsize_ 1
  $ns queue-limit $C0 $C1 [expr {$P(buffer) + 1}]
}
if {$P(udp) > 0} {
  set monitor [$ns makeflowmon Fid]
  $ns attach-fmon $link $monitor 0
} else {
  set monitor [$ns monitor-queue $C0 $C1 [open /dev/null w]]
}

# Counters of all packets and, beside UDP, of each kind.
proc count {tag} {
  global ns P monitor senders S
  set kinds [list all $monitor]
  if {$P(udp) > 0} {
    set classes [$monitor classifier]
    lappend kinds tcp [$classes lookup auto 0 0 0] udp [$classes lookup auto 0 0 2]
  }
  foreach {kind of} $kinds {
    foreach v {parrivals_ pdepartures_ pdrops_} { set S($tag,$kind,$v) [$of set $v] }
  }
  set S($tag,acked) 0
  foreach sender $senders { incr S($tag,acked) [$sender set ack_] }
}
proc during {v} { global S; return [expr {$S(1,$v) - $S(0,$v)}] }

if {$P(bins) ne ""} { set bins [open $P(bins) w]; set last 0 }
proc bin {} {
  global ns P monitor bins last
  set now [$monitor set barrivals_]
  set bytes [expr {$now - $last}]
  if {$bytes < 0} { set bytes [expr {$bytes + 4294967296}] }
  puts $bins "$bytes [$monitor set pkts_]"
  set last $now
  $ns at [expr {[$ns now] + $P(bin)}] bin
}
proc begin_bins {} { global monitor last; set last [$monitor set barrivals_] }

proc end {} {
  global P bins
  count 1
  set T [expr {1.0 * $P(end) - $P(t0)}]
  set wire [expr {$P(usehdr) ? 1040 : 1000}]
  set kind [expr {$P(udp) > 0 ? "tcp" : "all"}]
  set bits [expr {[during $kind,pdepartures_] * $wire * 8.0}]
  set line "RESULT seed=$P(seed) loss=[expr {1.0 * [during $kind,pdrops_] / [during $kind,parrivals_]}]"
  append line " throughput_bps=[expr {$bits / $T}] utilisation=[expr {$bits / $T / $P(core_rate)}]"
  append line " flow_goodput_bps=[expr {[during acked] * 8000.0 / $T / $P(flows)}]"
  if {$P(udp) > 0} {
    append line " udp_loss=[expr {1.0 * [during udp,pdrops_] / [during udp,parrivals_]}]"
  }
  puts $line
  if {$P(bins) ne ""} { close $bins }
  exit 0
}
$ns at $P(t0) "count 0"
if {$P(bins) ne ""} {
  $ns at $P(t0) begin_bins
  $ns at [expr {$P(t0) + $P(bin)}] bin
}
$ns at $P(end) end
$ns run
