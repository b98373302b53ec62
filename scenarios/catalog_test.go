package scenarios

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// testCatalog returns a small catalog with every kind of field.
func testCatalog() catalog.Catalog {
	rate := catalog.Field{Name: "rate", Kind: catalog.Rate, Required: true, Doc: "requests per time"}
	burst := catalog.Field{Name: "burst", Kind: catalog.Int, Min: "0", Doc: "depth of the bucket"}
	return catalog.Catalog{
		Patterns: []catalog.Entry{
			{Name: "constant", Fields: []catalog.Field{rate, catalog.Offset()}, Period: []string{"rate"}},
			{Name: "poisson", Fields: []catalog.Field{rate}},
			{Name: "herd", Fields: []catalog.Field{{Name: "every", Kind: catalog.Duration}, catalog.Offset()}, Period: []string{"every"}},
			{Name: "boundary", Fields: []catalog.Field{{Name: "offset", Kind: catalog.Duration}}},
			{Name: "list", Fields: []catalog.Field{{Name: "events", Kind: catalog.List, Required: true, Elem: &catalog.Field{
				Kind: catalog.Group, Fields: []catalog.Field{
					{Name: "at", Kind: catalog.Duration, Required: true},
					{Name: "count", Kind: catalog.Int, Default: "1", Min: "1"},
					{Name: "key", Kind: catalog.String},
				}}}}},
			{Name: "trace", Fields: []catalog.Field{
				{Name: "file", Kind: catalog.String, Required: true},
				{Name: "format", Kind: catalog.Enum, Enum: []string{"auto", "common", "combined"}, Default: "auto"},
				{Name: "rebase", Kind: catalog.Bool, Default: "false"},
				{Name: "start", Kind: catalog.Time},
				{Name: "scale", Kind: catalog.Decimal, Default: "1", Min: "0"},
			}},
		},
		Counters: []catalog.Entry{
			{Name: "fixed-window"},
			{Name: "leaky-bucket", Fields: []catalog.Field{burst}, Queues: true},
			{Name: "token-bucket", Fields: []catalog.Field{
				burst,
				{Name: "debt", Kind: catalog.Bool, Default: "false"},
				{Name: "initial", Kind: catalog.IntOrEnum, Enum: []string{"full", "empty"}, Default: "full", Min: "0"},
			}},
		},
		Enforcements: []catalog.Entry{
			{Name: "central"},
			{Name: "batch-reported", Over: []string{"fixed-window", "token-bucket"}, Fields: []catalog.Field{
				{Name: "interval", Kind: catalog.Duration, Default: "100ms", Min: "1us", Max: "1h"},
				{Name: "phase", Kind: catalog.Union, Default: "random", Bare: "offsets", Choices: []catalog.Entry{
					{Name: "aligned"}, {Name: "random"},
					{Name: "offsets", Fields: []catalog.Field{{Name: "list", Kind: catalog.List, Required: true, Elem: &catalog.Field{Kind: catalog.Duration}}}},
				}},
				{Name: "local_limit", Kind: catalog.Union, Default: "off", Choices: []catalog.Entry{
					{Name: "off"},
					{Name: "share", Fields: []catalog.Field{{Name: "share", Kind: catalog.Share, Required: true}}},
					{Name: "rate", Fields: []catalog.Field{rate, {Name: "burst", Kind: catalog.Int, Default: "1"}}},
				}},
			}},
		},
		Presets: []catalog.Preset{
			{Name: "fixed-window", Enforcement: "central", Counter: "fixed-window"},
			{Name: "token-bucket", Enforcement: "central", Counter: "token-bucket"},
			{Name: "leaky-bucket", Enforcement: "central", Counter: "leaky-bucket"},
			{Name: "batch-reported", Enforcement: "batch-reported", Counter: "fixed-window"},
			{Name: "batch-debt", Enforcement: "batch-reported", Counter: "token-bucket",
				Options: map[string]string{"debt": "true", "burst": "0", "local_limit": "{share: 1.5}"}},
		},
		Metrics: []catalog.Metric{
			{Name: "over_limit_pct", Unit: "%"},
			{Name: "under_admission_pct", Unit: "%"},
			{Name: "burst_excess", Unit: "requests"},
			{Name: "worst_sliding_pct", Unit: "%", Full: true},
		},
	}
}
