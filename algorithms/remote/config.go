package remote

import (
	"cmp"
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Config describes a remote limiter, as read from Entry's fields.
type Config struct {
	Counter string
	Any     bool           // calls go to the replicas in turn
	Owners  routing.Config // unless Any

	Timeout    int64 `option:"timeout"` // ns; 0 means none
	FailClosed bool  `option:"on_timeout=fail-closed"`
	Drop       bool  `option:"abandoned=dropped"` // drop calls whose callers have timed out

	Sidecar      catalog.Choice `option:"sidecar"`
	StoreNetwork catalog.Choice `option:"store_network"`
	Service      catalog.Choice `option:"service_time"`
	StoreService catalog.Choice `option:"store_service_time"`
	Concurrency  int            `option:"concurrency"`
	Connections  int            `option:"connections"`          // 0 means unlimited
	Commands     int64          `option:"store_commands"`       // of one key at the store
	PerKey       bool           `option:"store_writes=per-key"` // each key of a call is one operation at the store

	BatchSize int   `option:"batch_size"`
	BatchTime int64 `option:"batch_time"`            // ns
	Apart     bool  `option:"fan_out=by-descriptor"` // each key of a request is a call of its own

	Store bool  `option:"store"`
	Sync  int64 `option:"sync_interval"` // ns; 0 means a call to the store for each request
	Cache bool  `option:"over_limit_cache"`
	Kept  bool  `option:"moved_state=kept"`
}

// ConfigFrom reads a Config for this number of replicas, which start at the time
// start. It returns an error for options that do not work together.
func ConfigFrom(v catalog.Values, counter string, servers int, start int64) (Config, error) {
	route := v.Choice("route")
	c := Config{Counter: counter, Any: route.Name == "any"}
	v.Read(&c)
	if !c.Any {
		c.Owners = routing.ConfigFrom(route, servers, start)
		if err := c.Owners.Check(); err != nil {
			return c, fmt.Errorf("route: %w", err)
		}
	}
	return c, cmp.Or(
		catalog.ErrorIf(!c.Store && c.Any && servers > 1, "without a store the %d replicas count independently: each key needs an owner, so route cannot be any", servers),
		catalog.ErrorIf(!c.Store && c.Sync > 0, "sync_interval needs a store to sync with"),
		catalog.ErrorIf(c.Sync > 0 && counter != "fixed-window", "sync_interval works over fixed-window only: a store can add counts, not levels of a %s", counter),
		catalog.ErrorIf(c.Sync > 0 && v.Bool("count_rejected"), "sync_interval and count_rejected cannot be combined"),
		catalog.ErrorIf(c.Sync > 0 && v.String("refusal") == "drains", "sync_interval and refusal: drains cannot be combined"),
		catalog.ErrorIf(c.BatchTime > 0 && c.BatchSize == 1, "batch_time has no effect with a batch_size of 1"),
		catalog.ErrorIf(c.BatchSize > 1 && c.BatchTime == 0, "batch_size needs a batch_time: without it a last batch would wait for ever"),
	)
}
