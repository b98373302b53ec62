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

		CounterlessWith: [2]string{"backend", "guard"},
		Fields: append([]catalog.Field{
			{Name: "k", Kind: catalog.Share, Default: "2", Min: "1", Max: "1000", Doc: "requests that a client sends per accepted request before it rejects requests itself; a smaller value rejects more"},
			{Name: "window", Kind: catalog.Duration, Default: "2min", Min: "1us", Max: "8760h", Doc: "time over which a client counts"},
			{Name: "slices", Kind: catalog.Int, Default: "120", Min: "1", Max: "10000", Doc: "parts of the window, which expire one at a time; the book does not say how the window slides"},
			{Name: "aggression", Kind: catalog.Enum, Enum: []string{"1", "2", "4"}, Default: "1", Doc: "root of the probability, so that a larger one rejects more; two square roots are a fourth root"},
			{Name: "most", Kind: catalog.Share, Default: "100%", Min: "0%", Max: "100%", Doc: "largest probability of a rejection"},
			{Name: "backend", Kind: catalog.Enum, Enum: []string{"central", "remote", "guard"}, Default: "central",
				Doc: "what accepts requests: a central limiter that answers every client without delay, a remote one that is called over the network in the memory of the key's server, " +
					"or none but the guarded backend itself, whose good answers are acceptances, whatever the key"},
			{Name: "counts", Needs: catalog.Needs{"backend: guard"}, Kind: catalog.Enum, Enum: []string{"all", "sent"}, Default: "all", Doc: "which requests count: all, or those that were sent, once they are answered"},
			{Name: "timeout", Needs: catalog.Needs{"backend: remote"}, Kind: catalog.Duration, Default: "1s", Min: "1us", Doc: "backend: remote, how long a client waits for the response; after that the request counts as not accepted"},
			{Name: "on_timeout", Needs: catalog.Needs{"backend: remote"}, Kind: catalog.Enum, Enum: []string{"fail-closed", "fail-open"}, Default: "fail-closed", Doc: "whether a request that times out is rejected or admitted"},
		}, counting.JointFields()...),
	}
}

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Name:    "envoy-admission-control",
			Summary: "Envoy's admission control: clients reject by the share of good answers of the last 30 s",
			Idea: "Below 95 % of good answers a client rejects requests with probability (n - good/0.95)/(n + 1), at most 80 %, of the n requests that it sent and that were answered in the last 30 s. " +
				"What it rejects itself does not count, unlike in the throttle of Google's clients.",
			Bound:   "in steady overload it sends sqrt(capacity * demand / 0.95) requests, until 80 % binds: more demand still means more load",
			Source:  "envoyproxy/envoy, admission_control.cc",
			System:  "Envoy",
			Options: map[string]string{"backend": "guard", "counts": "sent", "k": "20/19", "window": "30s", "slices": "30", "most": "80%"},
		},
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
