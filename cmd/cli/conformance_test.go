package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// tokenBucketProgram is a limiter that scripts run as the program token-bucket-program.
// Its argument is a mistake: early admits 1 ns before a refill, overflows admits costs
// whose units are more than 2^63, waits makes requests wait, dies ends at request 99, and
// sleeps answers none.
func tokenBucketProgram() {
	mistake := append(slices.Clone(os.Args[1:]), "")[0]
	in := json.NewDecoder(os.Stdin)
	var first struct {
		Policy struct {
			Limit, Burst int64
			WindowNs     int64 `json:"window_ns"`
		}
	}
	if in.Decode(&first) != nil {
		os.Exit(1)
	}
	limit := counting.Limit{Count: first.Policy.Limit, Window: first.Policy.WindowNs, Burst: first.Policy.Burst}
	table := counting.NewTokenBuckets(limit, counting.TokenBucketOptions{Burst: limit.Burst}, 20_000)
	keys := map[string]int32{}
	out := bufio.NewWriter(os.Stdout)
	for {
		var r struct {
			I, Cost int64
			AtNs    int64 `json:"at_ns"`
			Key     string
		}
		if in.Decode(&r) != nil {
			out.Flush()
			return
		}
		if _, known := keys[r.Key]; !known {
			keys[r.Key] = int32(len(keys))
		}
		key, wait := keys[r.Key], ""
		admit := table.Take(key, r.AtNs, r.Cost).Admitted()
		switch {
		case mistake == "early" && !admit && table.RetryAt(key, r.AtNs, r.Cost) == r.AtNs+1:
			admit = table.Take(key, r.AtNs+1, r.Cost).Admitted()
		case mistake == "overflows":
			admit = admit || r.Cost > math.MaxInt64/limit.Window
		case mistake == "waits" && !admit:
			admit, wait = true, `,"wait_ns":1000`
		case mistake == "dies" && r.I == 99:
			fmt.Fprintln(os.Stderr, "out of memory")
			os.Exit(7)
		case mistake == "sleeps":
			time.Sleep(time.Minute)
		}
		fmt.Fprintf(out, "{\"i\":%d,\"admit\":%t%s}\n", r.I, admit, wait)
		if rest, ok := in.Buffered().(interface{ Len() int }); ok && rest.Len() <= 1 {
			out.Flush()
		}
	}
}
