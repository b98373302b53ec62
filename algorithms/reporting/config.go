// Package reporting limits rates over many processes without a call on the path of a
// request. A [Client] in each process decides every request at once and counts its
// decisions. At every interval the program sends these counts, a [Report], to a
// [Server], which counts them for all processes and answers, per key, for how long or
// which share to reject. How the messages travel is up to the program: they are plain
// structs, with names for JSON.
//
// The package runs the state machines of package batchreported, which the simulator
// runs too: a scenario with the enforcement batch-reported and reject_til_as: duration,
// thinning: diffusion shows how accurate a configuration is.
//
// # Clocks
//
// Times are arguments; programs pass time.Now(). Each Client and each Server measures
// time from its own construction, by the monotonic clock of the times that it is
// given. No time of one process is compared with that of another: answers hold
// durations, which begin when the client applies them, and a client's own time comes
// back to it in [Answer.Sent], so that a late answer does not replace a newer one.
// Clocks that differ by years, and clocks that are set, change no decision. Times without
// a monotonic reading, as from time.Unix or after Round(0), follow clocks that are set: if
// they go back by an hour, answers that arrive in that hour reject up to an hour too long.
//
// # Several servers
//
// To divide keys between servers, give each process one Client for each server, and
// choose the client by a hash of the key. To give keys different limits, use a Client
// and a Server for each limit.
//
// The package makes no promise: it can change at any time.
package reporting

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Config describes a limit and how it is kept. All clients and the server of a limit
// need the same Config. Limit, Window and Interval have no defaults, so the zero Config
// is an error of [NewClient] and [NewServer].
type Config struct {
	Limit  int64         // cost of a key that all clients together may admit in each window, 1 to 2^40
	Window time.Duration // at least 1ns; windows begin at multiples of it since 1970, by the server's clock at its construction

	// Interval is the time between two calls of Flush of a client, at least 1ns. The
	// shorter it is, the less the clients admit before they know that a limit is reached.
	Interval time.Duration

	// Debt makes the server count in a token bucket of depth Burst that refills at
	// Limit per Window, in place of windows. Reports may take it into debt, and the
	// answer is to reject until the debt is paid, so that the limit holds in the long run.
	// What it earned in the Interval before a report is not cut at the depth, because the
	// report tells of requests of that time: a report of up to Burst + Limit*Interval/Window
	// takes a bucket that was full an Interval before into no debt.
	Debt  bool
	Burst int64 // 0 to 2^40; an error without Debt

	// Local gives each client a token bucket for each key as well, which refills at
	// Limit per Window and is Burst deep, or without Debt 2*Limit. It rejects what no
	// client may admit alone, before and without an answer.
	Local bool

	// RejectionRate adds to answers the share of requests to reject, from the demand in
	// the second before. A client uses it for 1s, or for two intervals if that is longer.
	RejectionRate bool

	MaxKeys int   // keys that a client or a server holds at one time; 0 means 2^20
	MaxCost int64 // cost of a request, and of a key in a report, at most 2^40; 0 means 1000 times the larger of Limit and Burst
}

// Bounds keep the sums of many reports within 64 bits.
const (
	most        = int64(1) << 40 // of a cost
	mostKeys    = 1 << 20
	maxKeyBytes = 1024
)

// ErrKeys is the error of a decision about a new key if the client holds
// [Config.MaxKeys] keys. The program decides whether to admit such a request, which is
// not counted.
var ErrKeys = errors.New("reporting: the client holds the most keys that its configuration allows")

// errZero is the error of a Client or a Server that has not been constructed.
var errZero = errors.New("reporting: use NewClient and NewServer: their zero values limit nothing")

// Check returns an error if clients and servers cannot be made of c.
func (c Config) Check() error {
	_, _, err := c.machine()
	return err
}

// machine returns c with its defaults, and the configuration of the state machines.
func (c Config) machine() (Config, *batchreported.Config, error) {
	c.MaxKeys = cmp.Or(c.MaxKeys, mostKeys)
	c.MaxCost = cmp.Or(c.MaxCost, min(1000*min(max(c.Limit, c.Burst), most), most))
	wrong := func(format string, args ...any) (Config, *batchreported.Config, error) {
		return c, nil, fmt.Errorf("reporting: "+format, args...)
	}
	switch {
	case c.Limit < 1 || c.Limit > most:
		return wrong("Limit of %d is outside 1 to 2^40", c.Limit)
	case c.Window < 1:
		return wrong("Window of %v is below 1ns", c.Window)
	case c.Interval < 1:
		return wrong("Interval of %v is below 1ns", c.Interval)
	case c.Burst < 0 || c.Burst > most:
		return wrong("Burst of %d is outside 0 to 2^40", c.Burst)
	case c.Burst > 0 && !c.Debt:
		return wrong("Burst of %d has no effect without Debt: windows have no depth", c.Burst)
	case c.Local && c.Debt && c.Burst == 0:
		return wrong("Local with a Burst of 0 admits nothing")
	case c.MaxKeys < 1 || c.MaxKeys > 1<<30:
		return wrong("MaxKeys of %d is outside 1 to 2^30", c.MaxKeys)
	case c.MaxCost < 1 || c.MaxCost > most:
		return wrong("MaxCost of %d is outside 1 to 2^40", c.MaxCost)
	}
	limit := counting.Limit{Count: c.Limit, Window: int64(c.Window)}
	m := &batchreported.Config{
		Policy: batchreported.Policy{Limit: limit}, Clients: 1, Interval: int64(c.Interval),
		RejectTil: true, AsDuration: true, RejectionRate: c.RejectionRate, CountRejected: true, Diffusion: true,
		RateTTL: max(int64(time.Second), 2*min(int64(c.Interval), longest)), Sample: units.Fraction{Num: 1, Den: 1},
	}
	if c.Debt {
		m.Bucket = &counting.TokenBucketOptions{Burst: c.Burst, Debt: true}
	}
	if c.Local {
		limit.Burst = c.Burst
		if !c.Debt {
			limit.Burst = 2 * c.Limit
		}
		m.Local = &limit
		if err := limit.Check(); err != nil {
			return wrong("Local: %w", err)
		}
	}
	if err := m.Check(); err != nil {
		return wrong("%w", err)
	}
	return c, m, nil
}
