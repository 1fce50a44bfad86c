# ns2_tree.tcl - many long-lived TCP flows over a small-buffer core, no pacing.
#
# usage: ns ns2_tree.tcl exp A|B|C|D key value ...
# prints one line "RESULT key=value ...". No tracing, no nam.
#
# Buffers: buf is the WAITING ROOM of the core link (C0->C1), without the packet
# being transmitted, in packets (unit=pkt) or bytes (unit=byte).  ns-2's DropTail
# drops when (waiting + arriving) >= limit, so limit_ is set to buf+1; with
# raw=1 limit_ is set to buf itself (waiting room one packet / one byte less).

set tcl_precision 12
array set P {
  exp A seed 1 buf 10 raw 0 variant Reno flows 0 dur 400 t0 200 window 0
  usehdr 0 access {} sched Calendar udp 0.375 minhdr 1 edges 10 core 100 tick 0.01 minrto 0.2 syn 1 singledup 1
}
foreach {k v} $argv { set P($k) $v }
global defaultRNG
$defaultRNG seed $P(seed)
proc U {a b} { global defaultRNG; return [$defaultRNG uniform $a $b] }

proc cpuns {} { set f [open /proc/self/schedstat]; set x [lindex [read $f] 0]; close $f; return $x }
set cpu0 [cpuns]
if {[info exists P(minhdr)] && $P(minhdr)} { remove-all-packet-headers; add-packet-header IP TCP Flags }
set ns [new Simulator]
$ns use-scheduler $P(sched)
$ns rtproto Manual
set big 1000000

proc link2 {a b rate delay} {
  global ns big
  $ns duplex-link $a $b $rate $delay DropTail
  $ns queue-limit $a $b $big
  $ns queue-limit $b $a $big
}
proc route {node dst via} {
  global ns
  $node add-route [$dst id] [[$ns link $node $via] head]
}
proc defroute {node via} {
  global ns
  [$node entry] defaulttarget [[$ns link $node $via] head]
}

set srctype Agent/TCP/$P(variant)
set snktype Agent/TCPSink
if {$P(variant) == "Sack1" || $P(variant) == "Fack"} { set snktype Agent/TCPSink/Sack1 }
Agent/TCP set packetSize_ 1000
Agent/TCP set useHeaders_ $P(usehdr)
Agent/TCP set tcpTick_ $P(tick)
Agent/TCP set minrto_ $P(minrto)
Agent/TCP set syn_ $P(syn)
Agent/TCP set singledup_ $P(singledup)

set tcps {}
proc flow {src dst tstart} {
  global ns tcps srctype snktype P
  set t [new $srctype]
  set k [new $snktype]
  $t set window_ $P(window)
  $t set fid_ 1
  $ns attach-agent $src $t
  $ns attach-agent $dst $k
  $ns connect $t $k
  set f [new Application/FTP]
  $f attach-agent $t
  $ns at $tstart "$f start"
  lappend tcps $t
}

set C0 [$ns node]
set C1 [$ns node]

switch $P(exp) {
  A {
    if {$P(window) == 0} { set P(window) 32 }
    set corerate 100e6; set unit pkt
    link2 $C0 $C1 100Mb 20ms
    set hops_pre 2; set hops_post 1
    for {set j 0} {$j < 4} {incr j} {
      set A($j) [$ns node]
      link2 $A($j) $C0 100Mb 20ms
      $ns queue-limit $A($j) $C0 2000
      defroute $A($j) $C0
    }
    for {set i 0} {$i < 10} {incr i} {
      set R($i) [$ns node]
      link2 $C1 $R($i) 100Mb [U 0.001 0.010]
      defroute $R($i) $C1
      route $C1 $R($i) $R($i)
    }
    defroute $C1 $C0
    defroute $C0 $C1
    for {set j 0} {$j < 4} {incr j} {
      for {set i 0} {$i < 10} {incr i} {
        set s [$ns node]
        link2 $s $A($j) 100Mb [U 0.001 0.010]
        defroute $s $A($j)
        route $A($j) $s $s
        route $C0 $s $A($j)
        flow $s $R($i) [U 0 100]
      }
    }
  }
  B {
    if {$P(window) == 0} { set P(window) 1000 }
    if {$P(flows) == 0} { set P(flows) 1000 }
    if {$P(access) == {}} { set P(access) 8:12 }
    set lo [expr {[lindex [split $P(access) :] 0] * 1e6}]
    set hi [expr {[lindex [split $P(access) :] 1] * 1e6}]
    set corerate [expr {$P(core)*1e6}]; set unit byte
    link2 $C0 $C1 $P(core)Mb 100ms
    set hops_pre 2; set hops_post 2
    for {set j 0} {$j < $P(edges)} {incr j} {
      foreach {E C} [list EL $C0 ER $C1] {
        set ${E}($j) [$ns node]
        link2 [set ${E}($j)] $C 100Mb [U 0.005 0.015]
        defroute [set ${E}($j)] $C
      }
    }
    defroute $C0 $C1
    defroute $C1 $C0
    for {set i 0} {$i < $P(flows)} {incr i} {
      set el $EL([expr {$i % $P(edges)}])
      set er $ER([expr {($i / $P(edges)) % $P(edges)}])
      set s [$ns node]; set d [$ns node]
      link2 $s $el [U $lo $hi] [U 0.001 0.005]
      link2 $er $d [U $lo $hi] [U 0.001 0.005]
      defroute $s $el; route $el $s $s; route $C0 $s $el
      defroute $d $er; route $er $d $d; route $C1 $d $er
      flow $s $d [U 0 1]
    }
  }
  C {
    if {$P(window) == 0} { set P(window) 64 }
    if {$P(flows) == 0} { set P(flows) 1000 }
    set corerate 10e6; set unit byte
    link2 $C0 $C1 10Mb 50ms
    set hops_pre 1; set hops_post 0
    defroute $C0 $C1
    defroute $C1 $C0
    for {set i 0} {$i < $P(flows)} {incr i} {
      set s [$ns node]
      link2 $s $C0 1Mb [U 0.001 0.025]
      defroute $s $C0; route $C0 $s $s
      flow $s $C1 [U 0 10]
    }
    set us [$ns node]
    link2 $us $C0 100Mb 5ms
    defroute $us $C0; route $C0 $us $us
    set udp [new Agent/UDP]
    $udp set fid_ 2
    $ns attach-agent $us $udp
    set nul [new Agent/Null]
    $ns attach-agent $C1 $nul
    $ns connect $udp $nul
    # Poisson: exponential on/off with zero on-time
    set exp [new Application/Traffic/Exponential]
    $exp set packetSize_ 200
    $exp set burst_time_ 0
    $exp set rate_ 1000Mb
    $exp set idle_time_ [expr {200 * 8 / ($P(udp) * 1e6) - 200 * 8 / 1e9}]
    $exp attach-agent $udp
    $ns at [U 0 10] "$exp start"
  }
  D {
    if {$P(window) == 0} { set P(window) 64 }
    set corerate 400e6; set unit byte
    link2 $C0 $C1 400Mb 30ms
    set hops_pre 2; set hops_post 2
    defroute $C0 $C1
    defroute $C1 $C0
    for {set j 0} {$j < 10} {incr j} {
      foreach {E C} [list EL $C0 ER $C1] {
        set ${E}($j) [$ns node]
        link2 [set ${E}($j)] $C 40Mb [U 0.005 0.015]
        defroute [set ${E}($j)] $C
      }
    }
    for {set h 0} {$h < 30} {incr h} {
      set el $EL([expr {$h % 10}]); set er $ER([expr {($h / 3) % 10}])
      set s [$ns node]; set d [$ns node]
      link2 $s $el [U 3e6 5e6] [U 0.001 0.005]
      link2 $er $d [U 3e6 5e6] [U 0.001 0.005]
      defroute $s $el; route $el $s $s; route $C0 $s $el
      defroute $d $er; route $er $d $d; route $C1 $d $er
      for {set f 0} {$f < 5} {incr f} { flow $s $d [U 0 5] }
    }
  }
}

set q [[$ns link $C0 $C1] queue]
set lim [expr {$P(raw) ? $P(buf) : $P(buf) + 1}]
if {$unit == "byte"} {
  $q set queue_in_bytes_ true
  $q set mean_pktsize_ 1
}
$ns queue-limit $C0 $C1 $lim

if {$P(exp) == "C"} {
  # per-class monitor of the core queue: fid 1 TCP, fid 2 UDP
  set qm [$ns makeflowmon Fid]
  $ns attach-fmon [$ns link $C0 $C1] $qm 0
} else {
  set qm [$ns monitor-queue $C0 $C1 [open /dev/null w]]
}

set nsamp 0; set nempty 0
proc fl {i} {
  global qm
  return [[$qm classifier] lookup auto 0 0 $i]
}
proc occ {} {
  global ns qm nsamp nempty ftcp
  incr nsamp
  if {[$ftcp set pkts_] == 0} { incr nempty }
  $ns at [expr {[$ns now] + [U 0 0.02]}] occ
}

proc snap {tag} {
  global ns qm P tcps S ftcp fudp
  set S($tag,t) [$ns now]
  foreach v {parrivals_ pdepartures_ pdrops_ barrivals_ bdepartures_ bdrops_} {
    set S($tag,$v) [$qm set $v]
  }
  if {$P(exp) == "C"} {
    set ftcp [fl 1]; set fudp [fl 2]
    foreach v {parrivals_ pdepartures_ pdrops_ barrivals_ bdepartures_ bdrops_} {
      set S($tag,tcp,$v) [$ftcp set $v]
      set S($tag,udp,$v) [$fudp set $v]
    }
  }
  set nd 0; set nr 0; set nt 0
  foreach t $tcps {
    set S($tag,ack,$t) [$t set ack_]
    incr nd [$t set ndatapack_]
    incr nr [$t set nrexmitpack_]
    incr nt [$t set nrexmit_]
  }
  set S($tag,ndata) $nd; set S($tag,nrex) $nr; set S($tag,nto) $nt
}
proc d {v} { global S; return [expr {$S(1,$v) - $S(0,$v)}] }

proc done {} {
  global P S tcps corerate hops_pre hops_post nsamp nempty
  snap 1
  set T [expr {1.0 * [d t]}]
  set wire [expr {$P(usehdr) ? 1040 : 1000}]
  set n [llength $tcps]
  set sum 0.0; set sum2 0.0; set mn 1e99; set mx 0
  foreach t $tcps {
    set g [expr {($S(1,ack,$t) - $S(0,ack,$t)) * 8000.0 / $T}]
    set sum [expr {$sum + $g}]; set sum2 [expr {$sum2 + $g * $g}]
    if {$g < $mn} { set mn $g }; if {$g > $mx} { set mx $g }
  }
  # packet-hops = packets put on a link, over all links, since time 0: a data
  # packet crosses pre links to C0, then (if not dropped) the core link and post
  # links; each delivered data packet sends one ACK back over pre+1+post links.
  set pre $hops_pre; set post $hops_post
  if {$P(exp) != "C"} {
    set hops [expr {$pre * $S(1,ndata) + (1 + $post + $pre + 1 + $post) * $S(1,pdepartures_)}]
  } else {
    set hops [expr {$S(1,ndata) + $S(1,tcp,pdepartures_) * 3 + $S(1,udp,parrivals_) + $S(1,udp,pdepartures_)}]
  }
  set r "exp=$P(exp) variant=$P(variant) flows=$n access=$P(access) buf=$P(buf) raw=$P(raw) usehdr=$P(usehdr) window=$P(window) seed=$P(seed) t0=$S(0,t) t1=$S(1,t)"
  # the monitor's byte counters are 32-bit and wrap; every data packet has the
  # same size, so bytes are taken from packet counts (C has two classes)
  if {$P(exp) == "C"} {
    set bytes [expr {[d tcp,pdepartures_] * $wire + [d udp,pdepartures_] * 200}]
  } else {
    set bytes [expr {[d pdepartures_] * $wire}]
  }
  append r " util=[expr {$bytes * 8.0 / $T / $corerate}]"
  append r " core_mbps=[expr {$bytes * 8e-6 / $T}]"
  append r " core_loss=[expr {1.0 * [d pdrops_] / [d parrivals_]}]"
  append r " goodput_mbps=[expr {$sum * 1e-6}] flow_kbps_mean=[expr {$sum / $n * 1e-3}]"
  append r " flow_kbps_min=[expr {$mn * 1e-3}] flow_kbps_max=[expr {$mx * 1e-3}] jain=[expr {$sum2 > 0 ? $sum * $sum / ($n * $sum2) : 0}]"
  append r " rexmit_frac=[expr {[d ndata] > 0 ? 1.0 * [d nrex] / [d ndata] : 0}] timeouts_per_flow_s=[expr {1.0 * [d nto] / ($n * $T)}]"
  if {$P(exp) == "C"} {
    append r " udp_mbps_offered=$P(udp)"
    append r " udp_loss=[expr {1.0 * [d udp,pdrops_] / [d udp,parrivals_]}] udp_pkts=[d udp,parrivals_]"
    append r " udp_loss_frac_bytes=[expr {1.0 * [d udp,bdrops_] / [d udp,barrivals_]}]"
    append r " tcp_mbps=[expr {[d tcp,pdepartures_] * $wire * 8e-6 / $T}] tcp_loss=[expr {1.0 * [d tcp,pdrops_] / [d tcp,parrivals_]}]"
    append r " p_no_tcp_waiting=[expr {$nsamp ? 1.0 * $nempty / $nsamp : -1}] nsamp=$nsamp"
  }
  global cpu1 cpu0
  set cpu2 [cpuns]
  set f [open /proc/self/status]; regexp {VmHWM:\s+(\d+)} [read $f] _ hwm; close $f
  append r " setup_s=[expr {($cpu1-$cpu0)*1e-9}] run_s=[expr {($cpu2-$cpu1)*1e-9}] whole_s=[expr {$cpu2*1e-9}] rss_mb=[expr {$hwm/1024.0}]"
  append r " pkt_hops=$hops"
  puts "RESULT $r"
  flush stdout
  exit 0
}
$ns at $P(t0) "snap 0"
if {$P(exp) == "C"} { $ns at [expr {$P(t0) + 0.001}] occ }
$ns at $P(dur) done
set cpu1 [cpuns]
$ns run
