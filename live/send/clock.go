package send

import (
	"sync/atomic"
	"time"
)

// clock reads the monotonic clock in ns since the start of the run.
type clock struct{ start time.Time }

func (c clock) now() int64 { return int64(time.Since(c.start)) }

const (
	// spinNs is the time before a send in which the leader spins. A thread that
	// sleeps wakes later than asked by most of it on an idle processor.
	spinNs = 60_000
	// napNs is the longest time for which the leader sleeps before it looks
	// whether the run was stopped.
	napNs = 10_000_000
)

// wait waits until a time of the run. It returns false as soon as halted is set.
func (s sleeper) wait(untilNs int64, halted *atomic.Bool) bool {
	for !halted.Load() {
		now := s.clock.now()
		switch left := untilNs - now; {
		case left <= 0:
			return true
		case left > spinNs:
			s.sleep(now, min(untilNs-spinNs, now+napNs))
		}
	}
	return false
}
