// Package clientthrottle is clients that throttle themselves: a client that sees its
// requests refused sends fewer, so that a backend in overload is not busy with
// refusing.
//
// A Client holds no clock, does no I/O and draws no random numbers of its own:
// now is an argument, in nanoseconds from 0 on, and a coin is handed to it.
package clientthrottle

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry declares the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "client-throttle",
		Summary: "clients reject by themselves the more, the more of their requests the limiter behind refuses",
		Idea: "Each client counts, for each key, its requests and those that were accepted, over the last `window`. It rejects a request by itself with probability " +
			"max(0, (requests - k*accepts)/(requests + 1)) and sends the others to the limiter, which decides. Requests that the client rejects count as requests, so it keeps " +
			"sending about k for each one that is accepted.",
		Bound: "never over what the counter behind allows. In steady overload clients send k times what is accepted, whatever the demand; " +
			"how that is shared among them drifts. After an overload a client goes on rejecting until `window` has forgotten it",
		Source: "Site Reliability Engineering (2016), chapter 21, Handling Overload, \"Client-Side Throttling\": k = 2, two minutes",
		Over:   counter.Deciding(),
		Fields: []catalog.Field{
			{Name: "k", Kind: catalog.Share, Default: "2", Min: "1", Max: "1000", Doc: "requests a client sends for each one that is accepted before it rejects by itself; less is more aggressive"},
			{Name: "window", Kind: catalog.Duration, Default: "2min", Min: "1us", Max: "8760h", Doc: "how far back a client counts"},
			{Name: "slices", Kind: catalog.Int, Default: "120", Min: "1", Max: "10000", Doc: "parts of the window, which are forgotten one at a time; the book does not say how it slides"},
			{Name: "backend", Kind: catalog.Enum, Enum: []string{"central", "remote"}, Default: "central",
				Doc: "where the limiter is: asked at once by everybody, or a call away in the memory of the key's server"},
			{Name: "timeout", Kind: catalog.Duration, Default: "1s", Min: "1us", Doc: "backend: remote: how long a client waits for the answer; it then takes the request for not accepted"},
			{Name: "on_timeout", Kind: catalog.Enum, Enum: []string{"fail-closed", "fail-open"}, Default: "fail-closed", Doc: "what becomes of such a request: rejected, or let through"},
		},
	}
}

