# nsfnet.tcl - endless Reno flows over NSFNET in ns-2 2.35, without FEC (zerobuf Figs. 27 to 29).
#
# usage: ns nsfnet.tcl links FILE key value [key value ...]
#
# links: a file with the columns a, b, km; a trunk has 5 us per km. Ten edge routers at each of 14 routers, five hosts
# at each edge router; flows over one, two and three trunks between hosts that are drawn. window, buffer BYTES of a
# trunk's waiting room (1000 B packets on the wire), start: the last start, t0, end, seed; one two three: numbers of flows.
# Routes have the fewest trunks, and of those the least length.
#
# Prints one line "RESULT key=value ...": goodput of a flow by its trunks, and the mean, least and greatest load of
# the 42 trunks.

set tcl_precision 12
array set P {links {} window 64 buffer 1000 start 10 t0 20 end 35 seed 1 one 784 two 1376 three 1320}
foreach {key value} $argv {
  if {![info exists P($key)]} { puts stderr "no key $key"; exit 2 }
  set P($key) $value
}
$defaultRNG seed $P(seed)
proc uniform {low high} { global defaultRNG; return [$defaultRNG uniform $low $high] }
proc below {n} { return [expr {int([uniform 0 $n])}] }
remove-all-packet-headers
add-packet-header IP TCP Flags
set ns [new Simulator]
$ns use-scheduler Calendar
$ns rtproto Manual
Agent/TCP set packetSize_ 1000
Agent/TCP set useHeaders_ 0
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

set routers 14
for {set r 0} {$r < $routers} {incr r} { set router($r) [$ns node] }
set file [open $P(links)]
set trunks {}
while {[gets $file line] >= 0} {
  if {![string is digit [string index $line 0]]} { continue }
  # The file counts nodes from 1.
  lassign [split $line ,] a b km
  incr a -1
  incr b -1
  join_nodes $router($a) $router($b) 1e9 [expr {$km * 5e-6}]
  foreach {x y} [list $a $b $b $a] {
    lappend trunks [list $x $y]
    set length($x,$y) $km
    set queue [[$ns link $router($x) $router($y)] queue]
    $queue set queue_in_bytes_ true
    $queue set mean_pktsize_ 1
    $ns queue-limit $router($x) $router($y) [expr {$P(buffer) + 1}]
  }
}
# Fewest trunks, then least length: a trunk costs more than all lengths together.
for {set s 0} {$s < $routers} {incr s} {
  for {set d 0} {$d < $routers} {incr d} { set cost($s,$d) [expr {$s == $d ? 0 : 1e12}]; set next($s,$d) $d }
}
foreach trunk $trunks {
  lassign $trunk x y
  set cost($x,$y) [expr {1e6 + $length($x,$y)}]
}
for {set k 0} {$k < $routers} {incr k} {
  for {set s 0} {$s < $routers} {incr s} {
    for {set d 0} {$d < $routers} {incr d} {
      set through [expr {$cost($s,$k) + $cost($k,$d)}]
      if {$through < $cost($s,$d)} { set cost($s,$d) $through; set next($s,$d) $next($s,$k) }
    }
  }
}
proc hops {s d} { global cost; return [expr {int($cost($s,$d) / 1e6)}] }

set edges 10
set hosts 5
for {set r 0} {$r < $routers} {incr r} {
  for {set e 0} {$e < $edges} {incr e} {
    set edge [$ns node]
    join_nodes $edge $router($r) 100e6 [uniform 0.005 0.015]
    by_default $edge $router($r)
    for {set h 0} {$h < $hosts} {incr h} {
      set node [$ns node]
      join_nodes $node $edge [uniform 7e6 10e6] [uniform 0.001 0.005]
      by_default $node $edge
      towards $edge $node $node
      towards $router($r) $node $edge
      for {set s 0} {$s < $routers} {incr s} {
        if {$s != $r} { towards $router($s) $node $router($next($s,$r)) }
      }
      lappend all $node
      lappend home $r
    }
  }
}
foreach {name count} [list one $P(one) two $P(two) three $P(three)] {
  set wanted [expr {[lsearch {one two three} $name] + 1}]
  for {set i 0} {$i < $count} {incr i} {
    while 1 {
      set from [below [llength $all]]
      set to [below [llength $all]]
      if {[hops [lindex $home $from] [lindex $home $to]] == $wanted} { break }
    }
    set sender [new Agent/TCP/Reno]
    set sink [new Agent/TCPSink]
    $ns attach-agent [lindex $all $from] $sender
    $ns attach-agent [lindex $all $to] $sink
    $ns connect $sender $sink
    set source [new Application/FTP]
    $source attach-agent $sender
    $ns at [uniform 0 $P(start)] "$source start"
    lappend senders($name) $sender
  }
}
foreach trunk $trunks {
  lassign $trunk x y
  lappend monitors [$ns monitor-queue $router($x) $router($y) [open /dev/null w]]
}
proc count {tag} {
  global senders monitors S
  foreach name {one two three} {
    set S($tag,$name) 0
    foreach sender $senders($name) { incr S($tag,$name) [$sender set ack_] }
  }
  # Acknowledgements of 40 B are among the packets: bytes wrap at 32 bits, and no trunk has that many in 15 s.
  set i 0
  foreach monitor $monitors { set S($tag,$i) [$monitor set bdepartures_]; incr i }
}
proc end {} {
  global P S senders monitors
  count 1
  set T [expr {1.0 * $P(end) - $P(t0)}]
  set line "RESULT seed=$P(seed)"
  foreach name {one two three} {
    append line " ${name}_bps=[expr {($S(1,$name) - $S(0,$name)) * 8000.0 / $T / [llength $senders($name)]}]"
  }
  set loads {}
  for {set i 0} {$i < [llength $monitors]} {incr i} {
    set bytes [expr {$S(1,$i) - $S(0,$i)}]
    if {$bytes < 0} { set bytes [expr {$bytes + 4294967296}] }
    lappend loads [expr {$bytes * 8.0 / $T / 1e9}]
  }
  set loads [lsort -real $loads]
  append line " load_mean=[expr ([join $loads +]) / [llength $loads]] load_min=[lindex $loads 0] load_max=[lindex $loads end]"
  puts $line
  exit 0
}
$ns at $P(t0) "count 0"
$ns at $P(end) end
$ns run
