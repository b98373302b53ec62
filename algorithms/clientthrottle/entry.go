// Package clientthrottle implements clients that throttle themselves: a client
// whose requests are rejected sends fewer of them, so that an overloaded backend
// does not spend its time on rejections. Ask a [Client] before each request and
// tell it of each acceptance. The package has no clock, no I/O and no random
// numbers of its own: now is an argument, in nanoseconds from 0, and a coin is
// passed to the client.
//
// The package makes no promise: it can change at any time.
package clientthrottle

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "client-throttle",
		Summary: "clients reject requests themselves, with a probability that grows as the limiter behind them rejects more",
		Idea: "Each client counts, for each key, its requests and the accepted ones over the last `window`. It rejects a request itself with probability " +
			"max(0, (requests - k*accepts)/(requests + 1)) and sends the others to the limiter, which decides. Requests that the client rejects count as requests, so it keeps " +
			"sending about k requests for each accepted one.",
		Bound: "never more than the counter behind it admits. In steady overload clients send k times the accepted requests, whatever the demand; " +
			"the share of each client in this load drifts. After an overload a client continues to reject until `window` has passed",
		Source: "Site Reliability Engineering (2016), chapter 21, Handling Overload, \"Client-Side Throttling\": k = 2, two minutes",
		Over:   counting.Deciding(),
		Fields: append([]catalog.Field{
			{Name: "k", Kind: catalog.Share, Default: "2", Min: "1", Max: "1000", Doc: "requests that a client sends per accepted request before it rejects requests itself; a smaller value rejects more"},
			{Name: "window", Kind: catalog.Duration, Default: "2min", Min: "1us", Max: "8760h", Doc: "time over which a client counts"},
			{Name: "slices", Kind: catalog.Int, Default: "120", Min: "1", Max: "10000", Doc: "parts of the window, which expire one at a time; the book does not say how the window slides"},
			{Name: "backend", Kind: catalog.Enum, Enum: []string{"central", "remote"}, Default: "central",
				Doc: "where the limiter is: central answers every client without delay, remote is called over the network in the memory of the key's server"},
			{Name: "timeout", Needs: catalog.Needs{"backend: remote"}, Kind: catalog.Duration, Default: "1s", Min: "1us", Doc: "backend: remote, how long a client waits for the response; after that the request counts as not accepted"},
			{Name: "on_timeout", Needs: catalog.Needs{"backend: remote"}, Kind: catalog.Enum, Enum: []string{"fail-closed", "fail-open"}, Default: "fail-closed", Doc: "whether a request that times out is rejected or admitted"},
		}, counting.JointFields()...),
	}
}

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Name:    "sre-throttle",
			Summary: "clients reject with probability (requests - 2*accepts)/(requests + 1) over two minutes, before a token bucket",
			Idea: "The adaptive throttling of Google's clients: while at least half of a client's requests are accepted, it sends all of them; " +
				"beyond that it sends two requests for each accepted one and rejects the others itself.",
			Bound:  "never over the limit of the bucket behind it; in steady overload that bucket receives at most about twice the limit",
			Source: "Site Reliability Engineering (2016), chapter 21, Handling Overload, \"Client-Side Throttling\"",
			System: "Google SRE", Counter: "token-bucket",
		},
	}
}
