// Package algorithms is the registry of what can limit a rate: counters (the
// arithmetic for one key), enforcements (where counters live and how clients
// consult them) and presets (the two with options, under a published name).
//
// The packages below it are pure state machines. They read no clock, do no I/O
// and draw no random numbers of their own; what is simulated is what a program
// could put in production.
package algorithms

import (
	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/broadcast"
	"github.com/limitgauge/limitgauge/algorithms/clientthrottle"
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/delayedsync"
	"github.com/limitgauge/limitgauge/algorithms/gossip"
	"github.com/limitgauge/limitgauge/algorithms/leases"
	"github.com/limitgauge/limitgauge/algorithms/prefetch"
	"github.com/limitgauge/limitgauge/algorithms/remote"
	"github.com/limitgauge/limitgauge/algorithms/rover"
	"github.com/limitgauge/limitgauge/algorithms/shards"
	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Counters declares every counter.
func Counters() []catalog.Entry {
	return append(counter.Entries(), rover.Entry())
}

// Enforcements declares every enforcement.
func Enforcements() []catalog.Entry {
	return []catalog.Entry{central(), local(), batchreported.Entry(), prefetch.Entry(), leases.Entry(), clientthrottle.Entry(), remote.Entry(), shards.Entry(), broadcast.Entry(), delayedsync.Entry(), gossip.Entry(), sql.Entry()}
}

func central() catalog.Entry {
	return catalog.Entry{
		Name:    "central",
		Summary: "one counter a key, asked at once by everybody: no network, no delay",
		Idea: "Every client sees the same counter at the instant of the request. It is what a single process does, " +
			"and the ideal that every distributed enforcement is compared with.",
		Bound:  "whatever its counter promises",
		Source: "the definition of the policy",
		Fields: counter.JointFields(),
	}
}

func local() catalog.Entry {
	return catalog.Entry{
		Name:    "local",
		Summary: "a counter of its own in every client, with the full limit or a share of it",
		Idea: "Clients never talk to each other. With `share: full` each one grants the whole limit; with `share: divided` each one grants " +
			"limit/N of N clients, which is right only while traffic is spread evenly.",
		Bound: "full: up to N times the limit. divided: at most the limit, and as little as limit/N when one client gets all the traffic; " +
			"rounding a share that is not whole adds or takes up to one request a client and window.",
		Source: "traefik issue 8061 (full limit per replica); Envoy's local rate limit filter (a share per proxy)",
		Over:   []string{"fixed-window", "sliding-window-log", "sliding-window-counter", "token-bucket", "gcra", "timer-bucket"},
		Fields: append([]catalog.Field{
			{Name: "share", Kind: catalog.Enum, Enum: []string{"divided", "full"}, Default: "divided",
				Doc: "what each client grants: limit/N of N clients, or the full limit"},
			{Name: "rounding", Kind: catalog.Enum, Enum: []string{"down", "up"}, Default: "down",
				Doc: "how a divided limit or burst that is not whole is rounded; never below 1"},
		}, counter.JointFields()...),
	}
}
