# flow.tcl - one TCP flow over two links, scripted drops, exact event log.
#
#   S --(rate1,delay1,qlim1)--> R --(rate2,delay2,qlim2)--> D     and the same back
#
# usage: ns flow.tcl OUT key value [key value ...]
# keys: variant sink rate1 delay1 rate2 delay2 rateback qlim1 qlim2 qlimr start npkts end
#       drops ("seq:occ,seq:occ") ackdrops ("ackno:occ,...") seed
#       more ("time:packets,...", further data) agents (a Tcl file to read first, with other senders)
#       tcp.<ns variable> sink.<ns variable>
# npkts 0 = endless source; drops are applied when the packet reaches R, before
# R's output queue; occ counts the arrivals at R of that seqno (or ackno) from 1.
#
# VT and VS lines are the parameters of sender and sink, BOOT the phase of the tick clock.
# The event log has one record per line; times are the scheduler clock printed
# with 17 significant digits (the ordinary ns-2 trace rounds to 1 us).

set tcl_precision 17
array set P {
  variant Agent/TCP/Reno sink Agent/TCPSink
  rate1 100Mb delay1 1ms rate2 10Mb delay2 49ms rateback {}
  qlim1 100000 qlim2 100000 qlimr 100000
  start 0.0 npkts 0 end 10 drops {} ackdrops {} seed 1 more {} agents {}
}
set outname [lindex $argv 0]
foreach {k v} [lrange $argv 1 end] { set P($k) $v }
set out [open $outname w]
if {$P(agents) != ""} { source $P(agents) }

global defaultRNG
$defaultRNG seed $P(seed)
set ns [new Simulator]
$ns use-scheduler Heap

set nS [$ns node]; set nR [$ns node]; set nD [$ns node]
$ns duplex-link $nS $nR $P(rate1) $P(delay1) DropTail
if {$P(rateback) == ""} { set P(rateback) $P(rate2) }
$ns simplex-link $nR $nD $P(rate2) $P(delay2) DropTail
$ns simplex-link $nD $nR $P(rateback) $P(delay2) DropTail
$ns queue-limit $nS $nR $P(qlim1)
$ns queue-limit $nR $nD $P(qlim2)
$ns queue-limit $nD $nR $P(qlimr)
$ns queue-limit $nR $nS $P(qlimr)

# error models at the head of R->D (data) and R->S (ACKs); rate_ is flipped
# between 0 and 1 for each packet by the receive hook just upstream of R.
foreach {em a b} [list emD $nR $nD emA $nR $nS] {
  set $em [new ErrorModel]
  [set $em] set rate_ 0.0
  [set $em] unit packet
  [set $em] drop-target [new Agent/Null]
  $ns lossmodel [set $em] $a $b
}

foreach x [split $P(drops) ,] { if {$x != ""} { set want(d,$x) 1 } }
foreach x [split $P(ackdrops) ,] { if {$x != ""} { set want(a,$x) 1 } }

set null [open /dev/null w]
foreach {a b} [list $nS $nR $nR $nD $nD $nR $nR $nS] { $ns trace-queue $a $b $null }

set tcp [new $P(variant)]
set sink [new $P(sink)]
foreach k [array names P tcp.*] { $tcp set [string range $k 4 end] $P($k) }
foreach k [array names P sink.*] { $sink set [string range $k 5 end] $P($k) }
$ns attach-agent $nS $tcp
$ns attach-agent $nD $sink
$ns connect $tcp $sink

proc allvars {obj} {
  set cls [$obj info class]
  set seen {}
  while {$cls != "Object" && $cls != ""} {
    foreach v [$cls info vars] { if {[lsearch $seen $v] < 0} { lappend seen $v } }
    set cls [lindex [$cls info superclass] 0]
  }
  return [lsort $seen]
}
foreach v [allvars $tcp] { if {![catch {$tcp set $v} r]} { puts $out "VT $v $r" } }
foreach v [allvars $sink] { if {![catch {$sink set $v} r]} { puts $out "VS $v $r" } }

set H([[$ns link $nS $nR] set enqT_]) tx
set H([[$ns link $nS $nR] set drpT_]) qdrop1
set H([[$ns link $nS $nR] set rcvT_]) atR
set H([[$ns link $nR $nD] set drpT_]) qdrop2
set H([[$ns link $nR $nD] set rcvT_]) atD
set H([[$ns link $nD $nR] set enqT_]) acktx
set H([[$ns link $nD $nR] set drpT_]) qdrop3
set H([[$ns link $nD $nR] set rcvT_]) ackR
set H([[$ns link $nR $nS] set drpT_]) qdrop4
set H([[$ns link $nR $nS] set rcvT_]) ackS
foreach t [array names H] { $t set callback_ 1 }

set maxsent -1
set last_win {}
set last_rtt {}
set last_rto 0

proc sample {} {
  global ns tcp out last_win last_rtt last_rto
  set now [$ns now]
  set n [$tcp set nrexmit_]
  if {$n != $last_rto} { puts $out "RTO $now $n"; set last_rto $n }
  set w "[$tcp set cwnd_] [$tcp set ssthresh_]"
  if {$w != $last_win} { puts $out "W $now $w"; set last_win $w }
  set r "[$tcp set rtt_] [$tcp set srtt_] [$tcp set rttvar_] [$tcp set backoff_]"
  if {$r != $last_rtt} { puts $out "RTT $now $r"; set last_rtt $r }
}

Trace instproc handle line {
  global H ns tcp out maxsent arr want emD emA
  set now [$ns now]
  set size [lindex $line 5]
  set seq [lindex $line 10]
  switch $H($self) {
    tx {
      set rx [expr {$seq <= $maxsent}]
      if {!$rx} { set maxsent $seq }
      puts $out "TX $now $seq $size $rx"
      $ns at $now sample
    }
    atR {
      if {![info exists arr(d,$seq)]} { set arr(d,$seq) 0 }
      set o [incr arr(d,$seq)]
      if {[info exists want(d,$seq:$o)]} {
        $emD set rate_ 1.0; puts $out "DROP $now $seq script $o"
      } else { $emD set rate_ 0.0 }
    }
    atD { puts $out "DRX $now $seq $size" }
    acktx { puts $out "ATX $now $seq $size" }
    ackR {
      if {![info exists arr(a,$seq)]} { set arr(a,$seq) 0 }
      set o [incr arr(a,$seq)]
      if {[info exists want(a,$seq:$o)]} {
        $emA set rate_ 1.0; puts $out "ADROP $now $seq script $o"
      } else { $emA set rate_ 0.0 }
    }
    ackS { puts $out "ARX $now $seq $size"; $ns at $now sample }
    qdrop1 { puts $out "DROP $now $seq queueS 0" }
    qdrop2 { if {[$emD set rate_] == 0} { puts $out "DROP $now $seq queueR 0" } }
    qdrop3 { puts $out "ADROP $now $seq queueD 0" }
    qdrop4 { if {[$emA set rate_] == 0} { puts $out "ADROP $now $seq queueR 0" } }
  }
}

set ftp [new Application/FTP]
$ftp attach-agent $tcp
if {$P(npkts) > 0} {
  $ns at $P(start) "$ftp produce $P(npkts)"
} else {
  $ns at $P(start) "$ftp start"
}
foreach x [split $P(more) ,] {
  foreach {at packets} [split $x :] { $ns at $at "$ftp producemore $packets" }
}
$ns at $P(start) sample
proc done {} {
  global ns out
  puts $out "END [$ns now]"
  close $out
  exit 0
}
$ns at $P(end) done

# "$ns run" resets the agent; the reset draws the phase of the agent's tick
# clock (tcpTick_ times one uniform of the default RNG).  Pin and log it.
$defaultRNG seed $P(seed)
puts $out "BOOT [expr {[$tcp set tcpTick_] * [$defaultRNG uniform 0 1]}]"
$defaultRNG seed $P(seed)
$ns run
