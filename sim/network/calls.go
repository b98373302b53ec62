package network

import (
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
)

// Kinds of events of calls, in the order in which they run when they share a
// timestamp. Limiters may use smaller kinds of their own.
const (
	RequestArrives uint32 = iota + 2
	ResponseArrives
	CallFails // its timeout is over
)

// Calls sends requests from clients to the owners of keys. A request that gets
// no response in time fails. Calls also follows the faults that change clients
// and servers.
type Calls[P any] struct {
	Link
	Changes
	Owners
	engine.Pool[Call[P]]
	Scheduler
	Timeout    int64 // ns
	Background bool  // calls are background messages, which the faults of these affect
}

// Call is a request and its response.
type Call[P any] struct {
	Client, Server int32
	Sent           int64
	back           int64 // ns that the response takes
	duplicate      bool
	Body           P
}

// NewCalls returns the network of a trial whose events the scheduler runs.
func NewCalls[P any](t *engine.Trial, s Scheduler, timeout int64, move func(now int64, key, to int32)) Calls[P] {
	return Calls[P]{Link: NewLink(t, faults.Servers, "reports"), Changes: NewChanges(t, t.AllServers()), Owners: NewOwners(t.Setting, nil, move), Scheduler: s, Timeout: timeout}
}

// Send sends a request: RequestArrives follows, or CallFails. If the network
// duplicates it, the copy gets the body that clone returns.
func (c *Calls[P]) Send(now int64, ref int32, clone func(P) P) {
	call := c.At(ref)
	call.Sent, call.duplicate = now, false
	there, back := c.RoundTrip(now)
	call.back = back
	outcome := c.outcome(now, call.Client, c.Outcome)
	if outcome.Lost {
		c.Fail(ref)
		return
	}
	at := now + there + outcome.Delay
	c.Schedule(at, RequestArrives, ref)
	if outcome.Twice {
		again := *call
		again.Body, again.duplicate = clone(call.Body), true
		c.Schedule(at, RequestArrives, c.Add(again))
	}
}

// Respond sends the response to a request: ResponseArrives follows, or
// CallFails. Nobody waits for the response to a duplicate.
func (c *Calls[P]) Respond(now int64, ref int32) {
	call := c.At(ref)
	outcome := c.outcome(now, call.Client, c.ResponseOutcome)
	if at := now + call.back + outcome.Delay; outcome.Lost || call.duplicate || at > call.Sent+c.Timeout {
		c.Fail(ref)
	} else {
		c.Schedule(at, ResponseArrives, ref)
	}
}

func (c *Calls[P]) outcome(now int64, client int32, draw func(now int64, from, to int32) faults.Outcome) faults.Outcome {
	if !c.Background {
		return faults.Outcome{Lost: c.Cut(now, client)}
	}
	return draw(now, client, Server)
}

// Fail lets a call time out that gets no response. A duplicate just ends.
func (c *Calls[P]) Fail(ref int32) {
	if call := c.At(ref); call.duplicate {
		c.Release(ref)
	} else {
		c.Schedule(call.Sent+c.Timeout, CallFails, ref)
	}
}

// Answers reports whether a server responds to a request about a key at now.
func (c *Calls[P]) Answers(now int64, key, server int32) bool {
	if c.Faults.ServerFails(now, server) || !c.Takes(now, key, server) {
		return false
	}
	c.Faults.Holds(server, key)
	return true
}

// ApplyFaults tells the owners what changes at an instant at which faults change.
func (c *Calls[P]) ApplyFaults(now int64) {
	c.Owners.ApplyFaults(now)
	c.Reassign(now)
}
