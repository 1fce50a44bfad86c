# From rows "pacer n waiting instructions nanoseconds" to the page docs/pacer-costs.md.

$1 == "null" { base_count = $4; base_time = $5; next }

{
    rows++
    pacer[rows] = $1; n[rows] = $2; waiting[rows] = $3
    count[rows] = $4 - base_count; time[rows] = $5 - base_time
    if ($1 == "hull") { hull_count[$2] = count[rows]; hull_time[$2] = time[rows] }
}

# The slope of a straight line through ln(cost) against x, by least squares.
function slope(name, cost, against,    i, x, y, k, sx, sy, sxx, sxy) {
    for (i = 1; i <= rows; i++) {
        if (pacer[i] != name) continue
        x = log(n[i]); if (against == "log") x = log(x)
        y = log(cost[i])
        k++; sx += x; sy += y; sxx += x * x; sxy += x * y
    }
    return (k * sxy - sx * sy) / (k * sxx - sx * sx)
}

function growth(name, last) {
    printf "| %s | 10^2 to 10^%d | %.2f | %.2f | %.2f | %.2f |\n", name, last,
        slope(name, count), slope(name, count, "log"), slope(name, time), slope(name, time, "log")
}

function ratio(cost, to) { return to ? sprintf("%.1f", cost / to) : "" }

END {
    print "# Cost of a packet in each pacer\n"
    print "Written by `benches/pacers/table.sh`; do not edit. Packets of 40 to 1500 bytes arrive at random gaps,"
    print "uniform up to 2 us, and every pacer is served punctually and settled to n waiting packets before measurement.\n"
    print "- A row is one arrival and one release together, **in excess of an empty pacer**: one that keeps no packet and"
    printf "  returns a dummy, %.0f instructions and %.1f ns with the random numbers of the workload. Every row includes the queue\n", base_count, base_time
    print "  of the packets itself; `fifo` is that queue alone."
    print "- Instructions are counted by callgrind, with the pacer inlined in the loop. Times are CPU times on a busy"
    print "  two-core virtual machine with shared caches: compare them only within the table."
    print "- `hull_multi` gets a separate deadline with every packet, uniform up to 2n gaps after its arrival; its rows include the draw."
    print "- `rebuild` is the baseline: one class, and the whole hull rebuilt at every arrival. It was not run beyond 10^4."
    print "- The last two columns are ratios to `hull` at the same n in this run.\n"
    print "| pacer | n | waiting | instructions | ns | instructions / hull's | ns / hull's |"
    print "| --- | --- | --- | --- | --- | --- | --- |"
    split("fifo token_bucket leaky_bucket qlbp qlbp09 hull hull_multi rebuild", order, " ")
    for (o = 1; o in order; o++)
        for (i = 1; i <= rows; i++)
            if (pacer[i] == order[o])
                printf "| %s | %d | %d | %.0f | %.1f | %s | %s |\n", pacer[i], n[i], waiting[i], count[i], time[i],
                    ratio(count[i], hull_count[n[i]]), ratio(time[i], hull_time[n[i]])
    print "\n## Growth\n"
    print "The exponents are fitted by least squares on logarithms: k if the cost grows as n^k, p if it grows as (log n)^p.\n"
    print "| pacer | n | k, instructions | p, instructions | k, ns | p, ns |"
    print "| --- | --- | --- | --- | --- | --- |"
    growth("hull", 6)
    growth("hull_multi", 6)
    growth("rebuild", 4)
    print "\nInstructions show the algorithm; the rest of the growth in time is due to memory. A million packets of `hull_multi` take"
    print "some 50 MB, and an arrival touches a few lines of it at random; those of `hull` are in order."
}
