// Package concurrency implements limits on the requests that a client has in flight, by a
// number or by a [Law] that looks for the number. The package has no clock, no I/O and no
// random numbers: times are arguments, in nanoseconds from 0.
//
// The package makes no promise: it can change at any time.
package concurrency

import (
	"errors"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// laws lists the values of the option law, and how each begins. To add a law, add its line.
var laws = []struct {
	name string
	new  func(v catalog.Values) (Law, error)
}{
	{"fixed", newFixed},
}

func newFixed(v catalog.Values) (Law, error) {
	if !v.Set("limit") {
		return nil, errors.New("a fixed limit on concurrency needs a limit: the requests that a client may have in flight")
	}
	return Fixed(v.Int("limit")), nil
}

// New returns the law that the options of an algorithm state, at its beginning.
func New(v catalog.Values) (Law, error) {
	for _, l := range laws {
		if l.name == v.String("law") {
			return l.new(v)
		}
	}
	panic("concurrency: a law without a line")
}

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	var names []string
	for _, l := range laws {
		names = append(names, l.name)
	}
	return catalog.Entry{
		Name:    "concurrency-limit",
		Summary: "each client limits its requests in flight, not their rate",
		Idea: "Each client admits a request if the guarded backend owes it fewer answers than its limit. Others are refused at once, or wait for an answer, first in, first out. " +
			"A law can move the limit after each answer; a limit that falls cancels nothing.",
		Bound:       "at most `limit` requests of each client in the backend; nothing bounds their rate, so the policy is what one would set instead",
		Source:      "Netflix/concurrency-limits, README; Little's law",
		Counterless: true,
		Fields: []catalog.Field{
			{Name: "law", Kind: catalog.Enum, Enum: names, Default: "fixed", Doc: "how the limit moves: fixed, not at all"},
			{Name: "limit", Kind: catalog.Int, Unit: "requests", Min: "1", Max: "1000000", Doc: "requests that a client may have in flight; required"},
			{Name: "when_full", Kind: catalog.Enum, Enum: []string{"refuse", "wait"}, Default: "refuse", Doc: "what happens to a request that finds no room: refuse it, or let it wait for max_wait at most"},
			{Name: "max_wait", Kind: catalog.Duration, Default: "1s", Min: "1ns", Needs: catalog.Needs{"when_full: wait"}, Doc: "longest wait, after which a request is refused"},
		},
	}
}

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{{
		Name:    "fixed-concurrency",
		Summary: "a fixed number of requests in flight at each client",
		Idea:    "The limit that people set by hand: a semaphore, a connection pool, a bulkhead. With Poisson arrivals and exponential services a single client is the queue M/M/c/K.",
		Bound:   "at most `limit` requests of each client in the backend, so an answer waits for `limit` - servers services at most",
		Source:  "Erlang (1917); Envoy's circuit breakers (max_requests), resilience4j's Bulkhead",
		Options: map[string]string{"law": "fixed"},
	}}
}
