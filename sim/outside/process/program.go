// Package process runs limiters that are other programs. A limiter reads
// requests from its standard input and writes its answers to its standard output,
// one JSON object per line; docs/exec.md describes the protocol.
//
// The package makes no promise: it can change at any time.
package process

import (
	"time"

	"github.com/limitgauge/limitgauge/sim/outside"
)

// DefaultTimeout is the time in which a process must write something of the answers to
// a block of requests, and then something more, if its Command names none.
const DefaultTimeout = 10 * time.Second

// Command says how to start a process.
type Command struct {
	Args    []string      // the program and its arguments; at least one
	Dir     string        // working directory; "" is that of this process
	Env     []string      // NAME=VALUE, added to the environment of this process
	Timeout time.Duration // between answers; 0 is DefaultTimeout

	grace time.Duration // which a process has to end by itself; 0 is defaultGrace
}

// First is what a process is told before the first request.
type First struct {
	LimitTokens, WindowNs, BurstTokens int64

	Client, Clients int // which instance of how many this process is, from 0
	Seed            uint64
}

// Request is one request to decide; its Key must be valid UTF-8. Requests are sent in
// the order in which they are given, usually in time order.
type Request = outside.Request

// Answer is the decision of one request.
type Answer = outside.Answer
