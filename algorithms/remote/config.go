package remote

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Config describes a remote limiter, as read from Entry's fields.
type Config struct {
	Counter string
	Any     bool           // calls go to the replicas in turn
	Owners  routing.Config // unless Any

	Timeout    int64 // ns; 0 means none
	FailClosed bool
	Drop       bool // drop calls whose callers have timed out

	Sidecar       catalog.Choice
	StoreNetwork  catalog.Choice
	Service       catalog.Choice
	StoreService  catalog.Choice
	Concurrency   int
	Connections   int // 0 means unlimited
	StoreParallel int
	PerKey        bool // each key of a call is one operation at the store

	BatchSize int
	BatchTime int64 // ns
	Apart     bool  // each key of a request is a call of its own

	Store bool
	Sync  int64 // ns; 0 means a call to the store for each request
	Cache bool
	Kept  bool
}

// ConfigFrom reads a Config for this number of replicas, which start at the time
// start. It returns an error for options that do not work together.
func ConfigFrom(v catalog.Values, counter string, servers int, start int64) (Config, error) {
	route := v.Choice("route")
	c := Config{
		Counter: counter,
		Any:     route.Name == "any",

		Timeout:    v.Duration("timeout"),
		FailClosed: v.String("on_timeout") == "fail-closed",
		Drop:       v.String("abandoned") == "dropped",

		Sidecar:       v.Choice("sidecar"),
		StoreNetwork:  v.Choice("store_network"),
		Service:       v.Choice("service_time"),
		StoreService:  v.Choice("store_service_time"),
		Concurrency:   int(v.Int("concurrency")),
		Connections:   int(v.Int("connections")),
		StoreParallel: int(v.Int("store_concurrency")),
		PerKey:        v.String("store_writes") == "per-key",

		BatchSize: int(v.Int("batch_size")),
		BatchTime: v.Duration("batch_time"),
		Apart:     v.String("fan_out") == "by-descriptor",

		Store: v.Bool("store"),
		Sync:  v.Duration("sync_interval"),
		Cache: v.Bool("over_limit_cache"),
		Kept:  v.String("moved_state") == "kept",
	}
	if !c.Any {
		c.Owners = routing.ConfigFrom(route, servers, start)
		if err := c.Owners.Check(); err != nil {
			return c, fmt.Errorf("route: %w", err)
		}
	}
	switch {
	case !c.Store && c.Any && servers > 1:
		return c, fmt.Errorf("without a store the %d replicas count independently: each key needs an owner, so route cannot be any", servers)
	case !c.Store && c.Sync > 0:
		return c, fmt.Errorf("sync_interval needs a store to sync with")
	case c.Sync > 0 && counter != "fixed-window":
		return c, fmt.Errorf("sync_interval works over fixed-window only: a store can add counts, not levels of a %s", counter)
	case c.Sync > 0 && v.Bool("count_rejected"):
		return c, fmt.Errorf("sync_interval and count_rejected cannot be combined")
	case c.Sync > 0 && v.String("refusal") == "drains":
		return c, fmt.Errorf("sync_interval and refusal: drains cannot be combined")
	case c.BatchTime > 0 && c.BatchSize == 1:
		return c, fmt.Errorf("batch_time has no effect with a batch_size of 1")
	case c.BatchSize > 1 && c.BatchTime == 0:
		return c, fmt.Errorf("batch_size needs a batch_time: without it a last batch would wait for ever")
	}
	return c, nil
}
