// Package outside declares what the engine and limiters that are not part of
// limitgauge say to each other: programs in other processes, and Go code that uses
// package gauge. It runs nothing.
//
// The package makes no promise: it can change at any time.
package outside

import (
	"context"
	"fmt"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Program states which limiters a trial of one row needs.
type Program struct {
	Row     string        // name of the row; of a row that is a preset, the preset's name
	Exec    []string      // the program and its arguments; empty for Go code
	Dir     string        // directory in which the program runs
	Timeout time.Duration // longest real time without an answer

	Limit       counting.Limit
	Key         string // one of the keys of the traffic; "" if there is none
	Instances   int    // 1 if all clients share one limiter, otherwise one for each client
	Seed        uint64
	Replication int   // counts from 0
	OriginNs    int64 // start of the simulation; no request is earlier
}

// Request is one request. Client is the index of the instance that decides it.
type Request struct {
	AtNs   int64
	Key    string
	Cost   int64
	Client int32
}

// Answer is the decision on one request. WaitNs is the time from its arrival to its
// dispatch, 0 or more. It is 0 unless the row says that the limiter waits. RetryAtNs is
// the time at which the limiter tells the caller of a rejected request to retry, or 0.
type Answer struct {
	Admit     bool
	WaitNs    int64
	RetryAtNs int64
}

// Fleet holds the limiters of one trial. Its methods are called by one goroutine at
// a time.
type Fleet interface {
	// Decide fills answers for requests in time order, at most 1024, one answer
	// for each. After an error the fleet is only closed.
	Decide(requests []Request, answers []Answer) error
	// Close ends the limiters. It returns an error if they did not end as they
	// should. It may be called after an error of Decide, and then returns nil.
	Close() error
}

// Leveler is a Fleet that knows the state of its limiters.
type Leveler interface {
	Fleet
	// Level returns how many requests of cost 1 a key would admit at a time, or
	// engine.UnknownLevel, and the time from which it would admit a request of
	// this cost, or counting.Never. It changes nothing.
	Level(client int32, key string, atNs, cost int64) (level, retryAtNs int64)
}

// Blocking is a Fleet whose calls return when their request may go, at a virtual
// time that is not known on arrival.
type Blocking interface {
	Fleet
	// Start starts the calls of requests in time order and runs virtual time up to
	// untilNs, which is not before the last request. It returns the calls of this
	// and earlier requests that have returned by then and that it has not returned
	// yet, in the order of time.
	Start(requests []Request, untilNs int64) ([]Returned, error)
	// Next runs virtual time up to untilNs, or to the first instant at which calls
	// return, and returns these.
	Next(untilNs int64) ([]Returned, error)
}

// Returned is the end of a blocking call.
type Returned struct {
	Request int64 // its number among all requests of the trial, from 0
	AtNs    int64
	Admit   bool
}

// Concurrent is a Fleet whose limiters limit the requests in flight.
type Concurrent interface {
	Fleet
	// Acquire asks about a request at its time. An admitted one has a number.
	Acquire(r *Request) (number int64, admit bool, err error)
	// Release says that an admitted request is answered, and whether the answer is good.
	Release(number, atNs int64, good bool) error
	// Limit returns the present limit of a client, if it is known, from 0 to 1e6.
	Limit(client int32) (limit int64, known bool, err error)
}

// Maker makes the limiters of one trial. Cancelling ctx ends them. It is called by
// several goroutines at a time.
type Maker func(ctx context.Context, p Program) (Fleet, error)

// OfRows returns what makes the limiters of rows, a []gauge.Row, and their declarations for
// scenario files, or an error if a row cannot run or its name is taken. Package gauge sets
// it, for commands with rows of their own.
var OfRows func(rows any) (Maker, []catalog.Preset, error)

// Error reports a limiter that failed: a program that ended or gave no valid
// answer, or Go code that panicked or hung.
type Error struct {
	Row string
	Err error
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.Row, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// Refused reports a limiter that cannot be simulated in a scenario, and why.
type Refused struct {
	Row    string
	Reason string
}

func (e *Refused) Error() string { return fmt.Sprintf("%s: %s", e.Row, e.Reason) }
