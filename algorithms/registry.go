// Package algorithms is the registry of what can limit a rate: counters (the
// arithmetic for one key), enforcements (where counters live and how clients
// consult them) and presets (the two with options, under a published name).
//
// The packages below it are pure state machines. They read no clock, do no I/O
// and draw no random numbers of their own; what is simulated is what a program
// could put in production.
package algorithms

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/broadcast"
	"github.com/limitgauge/limitgauge/algorithms/central"
	"github.com/limitgauge/limitgauge/algorithms/clientthrottle"
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/delayedsync"
	"github.com/limitgauge/limitgauge/algorithms/gossip"
	"github.com/limitgauge/limitgauge/algorithms/leases"
	"github.com/limitgauge/limitgauge/algorithms/local"
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

// limiters are the enforcements with their presets, in the order of `list`.
var limiters = []struct {
	entry   func() catalog.Entry
	presets func() []catalog.Preset
}{
	{central.Entry, central.Presets},
	{local.Entry, local.Presets},
	{batchreported.Entry, batchreported.Presets},
	{prefetch.Entry, prefetch.Presets},
	{leases.Entry, leases.Presets},
	{clientthrottle.Entry, clientthrottle.Presets},
	{remote.Entry, remote.Presets},
	{shards.Entry, shards.Presets},
	{broadcast.Entry, broadcast.Presets},
	{delayedsync.Entry, delayedsync.Presets},
	{gossip.Entry, gossip.Presets},
	{sql.Entry, sql.Presets},
}

// systems is the order in which `list`, the docs and the schema show the
// published systems. Presets of a system that is not in it come last, in the
// order of the limiters.
var systems = []string{
	"Seastar", "Traefik", "Envoy", "Gubernator", "APISIX", "Kong", "Cloud Control",
	"Databricks, remote calls", "Databricks, batch reports", "Databricks, option R1", "Databricks, option R3",
	"bucket4j", "Doorman", "Google SRE", "Kafka", "SQL",
}

// Enforcements declares every enforcement.
func Enforcements() []catalog.Entry {
	var list []catalog.Entry
	for _, l := range limiters {
		list = append(list, l.entry())
	}
	return list
}

// Presets declares the algorithms that ship under a name: each counter run
// centrally, then the published systems.
func Presets() []catalog.Preset {
	var plain, published []catalog.Preset
	for _, c := range Counters() {
		plain = append(plain, catalog.Preset{
			Entry:       catalog.Entry{Name: c.Name, Summary: c.Summary, Idea: c.Idea, Bound: c.Bound, Source: c.Source},
			Enforcement: limiters[0].entry().Name,
			Counter:     c.Name,
		})
	}
	for _, l := range limiters {
		for _, p := range l.presets() {
			p.Enforcement = l.entry().Name
			published = append(published, p)
		}
	}
	place := func(p catalog.Preset) int {
		if i := slices.Index(systems, p.System); i >= 0 {
			return i
		}
		return len(systems)
	}
	slices.SortStableFunc(published, func(a, b catalog.Preset) int { return place(a) - place(b) })
	return append(plain, published...)
}
