// Package memory tells when the process holds more memory than it should.
package memory

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
)

// Full reports whether what the process holds, garbage left out, has reached its memory
// limit, and returns that limit in bytes: GOMEMLIMIT, or what debug.SetMemoryLimit has set.
// Without a limit it never has.
func Full() (limit int64, full bool) {
	if limit = debug.SetMemoryLimit(-1); limit == math.MaxInt64 {
		return limit, false
	}
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return limit, sample[0].Value.Uint64() > uint64(limit/16*15) // the rest is the program's own
}
