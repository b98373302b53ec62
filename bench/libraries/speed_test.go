package libraries

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/gauge"
)

// quick is so high a limit that no call waits, and none is refused in the time that a
// measurement takes.
var quick = gauge.Policy{Limit: 1_000_000_000, Window: time.Second, Burst: 1_000_000_000, Clients: 1}

// BenchmarkCall measures one call of each library by one goroutine. A limiter that
// gets the time is given time.Now(), which the others read themselves.
func BenchmarkCall(b *testing.B) {
	for _, l := range libraries() {
		b.Run(l.name, func(b *testing.B) { benchmark(b, l) })
	}
}

func benchmark(b *testing.B, l library) {
	b.ReportAllocs()
	ctx := context.Background()
	switch limiter := l.make(quick).(type) {
	case gauge.Limiter:
		for b.Loop() {
			limiter.Take(time.Now(), "key", 1)
		}
	case gauge.Waiter:
		for b.Loop() {
			if err := limiter.Wait(ctx, "key", 1); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// speed returns the table of times per call: the fastest of five.
func speed(*testing.T) string {
	var b strings.Builder
	b.WriteString("\n| row | ns per call | allocations per call |\n| --- | ---: | ---: |\n")
	for _, l := range libraries() {
		var ns []float64
		var allocations int64
		for range 5 {
			r := testing.Benchmark(func(b *testing.B) { benchmark(b, l) })
			ns = append(ns, float64(r.T.Nanoseconds())/float64(r.N))
			allocations = r.AllocsPerOp()
		}
		fmt.Fprintf(&b, "| %s | %.0f | %d |\n", l.name, slices.Min(ns), allocations)
	}
	return b.String()
}
