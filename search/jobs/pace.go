package jobs

import (
	"sync/atomic"
	"time"
)

// worthwhile is how long a job must take to be worth a queue: some times the time that
// the queue itself takes for each job.
const worthwhile = 20 * time.Millisecond

// Pace learns how long the trials of a search take, and decides which rounds of trials
// are worth a queue. That changes the time that a search takes, and nothing else. The
// zero value has learned nothing. It is safe for concurrent use.
type Pace struct{ longest atomic.Int64 }

// Ran notes that a trial took a time on this machine.
func (p *Pace) Ran(d time.Duration) {
	for {
		longest := p.longest.Load()
		if int64(d) <= longest || p.longest.CompareAndSwap(longest, int64(d)) {
			return
		}
	}
}

// Known reports whether a trial has ended.
func (p *Pace) Known() bool { return p.longest.Load() > 0 }

// Worth reports whether a round of n trials should go to a queue.
func (p *Pace) Worth(n int) bool { return n > 1 && time.Duration(p.longest.Load()) >= worthwhile }
