package gauge

import (
	"time"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// Policy is the limit that a limiter shall keep: that of the scenario.
type Policy struct {
	Limit  int64         // requests, or cost, per window and key
	Window time.Duration // length of the window
	Burst  int64         // depth of a bucket in requests

	MaxWait time.Duration // the row's MaxWait; 0 if there is none

	Client  int    // number of the client that the limiter is for, from 0
	Clients int    // number of limiters: 1 if all clients share one
	Seed    uint64 // for random numbers of the limiter; another one for each client and replication

	cleanups *[]func()
}

// Cleanup registers a function that is called at the end of the trial, such as one that
// stops goroutines of the limiter. The last function registered is called first.
func (p Policy) Cleanup(f func()) { *p.cleanups = append(*p.cleanups, f) }

// Rate returns the limit in requests per second.
func (p Policy) Rate() float64 { return float64(p.Limit) / p.Window.Seconds() }

// policyOf returns the policy of one of a trial's limiters.
func policyOf(p *outside.Program, client int, maxWait time.Duration) Policy {
	stream := random.New(p.Seed, client, "limiter of a client")
	return Policy{
		Limit: p.Limit.Count, Window: time.Duration(p.Limit.Window), Burst: p.Limit.Burst, MaxWait: maxWait,
		Client: client, Clients: p.Instances, Seed: stream.Uint64(), cleanups: new([]func()),
	}
}
