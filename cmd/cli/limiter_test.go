package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// limiterProgram is a limiter that scripts run as a program: an exact token bucket for
// each key. Its argument makes it fail at its 1000th request: crash, junk, silent, or
// one that makes it count in whole milliseconds, coarse, or by its own clock, clock.
func limiterProgram() {
	how := ""
	if len(os.Args) > 1 {
		how = os.Args[1]
	}
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	var first struct {
		Policy struct {
			Limit, Burst int64
			Window       int64 `json:"window_ns"`
		}
	}
	decode(in, &first)
	limit := counting.Limit{Count: first.Policy.Limit, Window: first.Policy.Window, Burst: first.Policy.Burst}
	buckets := map[string]*counting.Single{}
	for n := 0; ; n++ {
		var r struct {
			I    int64
			At   int64 `json:"at_ns"`
			Key  string
			Cost int64
		}
		if !decode(in, &r) {
			return
		}
		if buckets[r.Key] == nil {
			buckets[r.Key] = counting.NewTokenBucket(limit, counting.TokenBucketOptions{Burst: limit.Burst})
		}
		switch how {
		case "coarse":
			r.At -= r.At % int64(time.Millisecond)
		case "clock":
			r.At = time.Now().UnixNano()
		}
		admit := buckets[r.Key].Take(r.At, r.Cost).Admitted() || how == "open"
		if n == 1000 {
			switch how {
			case "crash":
				fmt.Fprintln(os.Stderr, "no more memory")
				os.Exit(7)
			case "junk":
				fmt.Fprintln(out, "Hello")
			case "silent":
				time.Sleep(time.Minute)
			}
		}
		fmt.Fprintf(out, "{\"i\":%d,\"admit\":%v}\n", r.I, admit)
		if in.Buffered() == 0 {
			out.Flush()
		}
	}
}

// decode reads a line of JSON. It returns false at the end.
func decode(in *bufio.Reader, v any) bool {
	line, err := in.ReadBytes('\n')
	return err == nil && json.Unmarshal(line, v) == nil
}
