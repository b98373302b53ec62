package delayedsync

import (
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry declares the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "delayed-sync",
		Summary: "every client counts by itself and brings its counts to a shared store now and then, off the request path",
		Idea: "A client decides from what the store last said and what it has let through since. Every `interval` it brings its counts to one store " +
			"(Redis) and takes back what all clients together have counted: what remains of the limit (`pull: remaining`), or the counts of this " +
			"calendar window and the one before (`pull: counts`), which it weighs itself. Between two syncs clients do not see each other.",
		Bound: "for N clients, limit L, window w and interval d, each client may spend the same remainder between two syncs: up to N times " +
			"what is left at a sync. With pull: remaining what was granted in a window is known d later; over many windows a sliding estimate holds the mean near or " +
			"below L, a calendar window's remainder alone goes over it by what N clients let through in the d before it is used up.",
		Source: "apache/apisix pull requests 13443 and 13704 (limit-count with sync_interval); Kong, Rate Limiting Advanced (sync_rate) and its rate limiting library; " +
			"where they are silent, each silence is an option here",
		Over: []string{"fixed-window", sliding},
		Fields: []catalog.Field{
			{Name: "interval", Kind: catalog.Duration, Default: "200ms", Min: "1ms",
				Doc: "time between two syncs of a client; with pull: remaining it runs from the first request after a sync"},
			{Name: "pull", Kind: catalog.Enum, Enum: []string{"remaining", "counts"}, Default: "remaining",
				Doc: "what a client takes from the store: what remains of the limit, or the counts of the two windows"},
			{Name: "commit", Kind: catalog.Enum, Enum: []string{"weighted", "unweighted", "checked"}, Default: "weighted",
				Doc: "pull: remaining, what the store answers: limit - this window's count - the weighed count of the window before; the same without the window before; " +
					"or the first, but counts that meet an estimate at the limit are dropped"},
			{Name: "uncommitted", Kind: catalog.Enum, Enum: []string{"two-windows", "kept"}, Default: "two-windows",
				Doc: "pull: remaining, how long a client's count since the last sync lives: it is forgotten two windows after its counter was made, or kept"},
			{Name: "reset_resolution", Kind: catalog.Duration, Default: "10ms", Min: "1ns", Max: "1h",
				Doc: "pull: remaining, a remainder holds until the end of the window, rounded up to this"},
			{Name: "phase", Kind: catalog.Enum, Enum: ticks.Names, Default: "random",
				Doc: "pull: counts, when within the interval each client syncs; with pull: remaining its traffic decides that"},
		},
	}
}
