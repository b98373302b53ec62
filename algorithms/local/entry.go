// Package local declares the limiter with a counter of its own in every client. It
// declares options and presets only; to run such a limiter, use a table of package
// counter in each client.
package local

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry returns the catalogue entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "local",
		Summary: "a counter of its own in every client, with the full limit or a share of it",
		Idea: "Clients do not communicate. With `share: full` each one grants the whole limit; with `share: divided` each one grants " +
			"limit/N for N clients, which is right only if traffic is spread evenly.",
		Bound: "full: up to N times the limit. divided: at most the limit, and as little as limit/N if one client gets all the traffic; " +
			"rounding a share that is not a whole number changes it by up to one request per client and window.",
		Source: "traefik issue 8061 (full limit per replica); Envoy's local rate limit filter (a share per proxy)",
		Over:   []string{"fixed-window", "sliding-window-log", "sliding-window-counter", "token-bucket", "gcra", "timer-bucket"},
		Fields: append([]catalog.Field{
			{Name: "share", Kind: catalog.Enum, Enum: []string{"divided", "full"}, Default: "divided",
				Doc: "what each client grants: limit/N for N clients, or the full limit"},
			{Name: "rounding", Kind: catalog.Enum, Enum: []string{"down", "up"}, Default: "down",
				Doc: "how a divided limit or burst is rounded to a whole number; never below 1"},
		}, counter.JointFields()...),
	}
}
