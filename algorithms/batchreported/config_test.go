package batchreported

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// defaults binds the fields of Entry with their defaults.
func defaults(t *testing.T) catalog.Values {
	t.Helper()
	v := catalog.Values{}
	set := func(f catalog.Field) {
		var x any
		var err error
		switch f.Kind {
		case catalog.Duration:
			x, err = units.ParseDuration(f.Default)
		case catalog.Share:
			x, err = units.ParseFraction(f.Default)
		case catalog.Bool:
			x = f.Default == "true"
		case catalog.Enum:
			x = f.Default
		case catalog.Union:
			if catalog.Find(f.Choices, f.Default) == nil {
				t.Fatalf("%s: default %q is no choice", f.Name, f.Default)
			}
			x = catalog.Choice{Name: f.Default}
		case catalog.Group:
			x = catalog.Values{"by": {V: int64(0)}, "share": {V: units.Fraction{Den: 1}}, "direction": {V: "ahead"}}
		default:
			t.Fatalf("%s has a kind this test does not know", f.Name)
		}
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		v[f.Name] = catalog.Value{V: x}
	}
	for _, f := range Entry().Fields {
		if f.Doc == "" {
			t.Errorf("%s has no doc", f.Name)
		}
		set(f)
	}
	return v
}

func TestConfigFromDefaults(t *testing.T) {
	limit := counting.Limit{Count: 1000, Window: second, Burst: 1000}
	got, err := ConfigFrom(defaults(t), limit, 20, 70)
	if err != nil {
		t.Fatal(err)
	}
	want := Config{Policy: Policy{Limit: limit}, Clients: 20, Sample: units.Fraction{Num: 1, Den: 1}, Interval: 100 * ms, Phase: ticks.Random, RejectTil: true, CountRejected: true,
		RateTTL: second}
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(counting.Initial{}), cmpopts.IgnoreUnexported(Config{})); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
	if !got.Draws() {
		t.Error("random phases draw nothing")
	}
	if got.Phase = ticks.Staggered; got.Draws() {
		t.Error("staggered phases draw")
	}
}

func TestConditionsFromOptions(t *testing.T) {
	v := defaults(t)
	want := Conditions{SkewShare: units.Fraction{Den: 1}, ReportLoss: units.Fraction{Den: 1}}
	if got := ConditionsFrom(v); got != want {
		t.Errorf("defaults are %+v, want %+v", got, want)
	}
	v["report_loss"], v["lost_reports"] = catalog.Value{V: units.Fraction{Num: 1, Den: 50}}, catalog.Value{V: "resent"}
	v["store"] = catalog.Value{V: catalog.Choice{Name: "redis"}}
	want = Conditions{SkewShare: units.Fraction{Den: 1}, ReportLoss: units.Fraction{Num: 1, Den: 50}, Resend: true, stored: true}
	if got := ConditionsFrom(v); got != want {
		t.Errorf("conditions are %+v, want %+v", got, want)
	}
}

func TestConfigFromOptions(t *testing.T) {
	limit := counting.Limit{Count: 1000, Window: second, Burst: 50}
	choice := func(name string, fields catalog.Values) catalog.Choice {
		return catalog.Choice{Name: name, Values: fields}
	}
	share := func(num, den int64) any {
		return choice("share", catalog.Values{"share": {V: units.Fraction{Num: num, Den: den}}})
	}
	for _, x := range []struct {
		name  string
		give  map[string]any
		limit counting.Limit
		want  func(*Config)
		err   string
	}{
		{name: "debt", give: map[string]any{"debt": true, "burst": int64(0), "initial": "full"}, limit: limit,
			want: func(c *Config) { c.Bucket = &counting.TokenBucketOptions{Debt: true} }},
		{name: "bucket without debt", give: map[string]any{"debt": false, "initial": "full"}, limit: limit, err: "needs debt: true"},
		{name: "count rejected", give: map[string]any{"count_rejected": true}, limit: limit, err: "count_rejected"},
		{name: "share", give: map[string]any{"local_limit": share(3, 2)}, limit: limit,
			// 1.5 * 1000/20 per second, 1.5 * 50/20 = 3.75 deep
			want: func(c *Config) { c.Local = &counting.Limit{Count: 3, Window: second / 25, Burst: 4} }},
		{name: "share without burst", give: map[string]any{"local_limit": share(3, 2)}, limit: counting.Limit{Count: 1000, Window: second},
			want: func(c *Config) {
				c.Limit.Burst = 0
				c.Local = &counting.Limit{Count: 3, Window: second / 25, Burst: 75}
			}},
		{name: "small share", give: map[string]any{"local_limit": share(1, 100)}, limit: limit,
			want: func(c *Config) { c.Local = &counting.Limit{Count: 1, Window: 2 * second, Burst: 1} }},
		{name: "auto", give: map[string]any{"local_limit": choice("auto", nil)}, limit: counting.Limit{Count: 1000, Window: second, Burst: 200},
			want: func(c *Config) {
				c.Limit.Burst = 200
				c.Local = &counting.Limit{Count: 1000, Window: second, Burst: 70}
			}},
		{name: "auto under a deeper bucket", give: map[string]any{"local_limit": choice("auto", nil), "debt": true, "burst": int64(300), "initial": "full"}, limit: limit,
			want: func(c *Config) {
				c.Bucket = &counting.TokenBucketOptions{Debt: true, Burst: 300}
				c.Local = &counting.Limit{Count: 1000, Window: second, Burst: 300}
			}},
		{name: "rate", give: map[string]any{"local_limit": choice("rate", catalog.Values{"rate": {V: units.Rate{Count: 5, Per: second}}, "burst": {V: int64(7)}})},
			limit: limit, want: func(c *Config) { c.Local = &counting.Limit{Count: 5, Window: second, Burst: 7} }},
		{name: "offsets", give: map[string]any{"phase": choice("offsets", catalog.Values{"at": {V: []any{int64(0), 99 * ms}}})}, limit: limit,
			want: func(c *Config) { c.Phase, c.Offsets = ticks.Aligned, []int64{0, 99 * ms} }},
		{name: "offset outside", give: map[string]any{"phase": choice("offsets", catalog.Values{"at": {V: []any{100 * ms}}})}, limit: limit,
			err: "offset of 100ms is outside the interval of 100ms"},
		{name: "ewma", give: map[string]any{"rejection_rate": true, "estimate": choice("ewma", catalog.Values{"a": {V: units.Fraction{Num: 1, Den: 10}}})},
			limit: limit, want: func(c *Config) {
				c.RejectionRate = true
				c.Estimate = Estimate{Kind: Ewma, Weight: units.Fraction{Num: 1, Den: 10}}
			}},
		{name: "nothing rejects", give: map[string]any{"reject_til": false}, limit: limit, err: "nothing is ever rejected"},
		{name: "literal", give: map[string]any{"order": "literal"}, limit: limit, want: func(c *Config) { c.Literal = true }},
		{name: "knobs", give: map[string]any{"count_in": "sent", "order": "refill-debit", "thinning": "diffusion", "reject_til_as": "duration", "unknown": "pessimistic"},
			limit: limit, want: func(c *Config) {
				c.CountSent, c.RefillFirst, c.Diffusion, c.AsDuration, c.Pessimistic = true, true, true, true, true
			}},
	} {
		v := defaults(t)
		for name, value := range x.give {
			v[name] = catalog.Value{V: value, Given: true}
		}
		got, err := ConfigFrom(v, x.limit, 20, 70)
		if x.err != "" {
			if err == nil || !strings.Contains(err.Error(), x.err) {
				t.Errorf("%s: error %v, want one about %q", x.name, err, x.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		want, err := ConfigFrom(defaults(t), limit, 20, 70)
		if err != nil {
			t.Fatal(err)
		}
		x.want(&want)
		if diff := cmp.Diff(want, got, cmpopts.EquateComparable(counting.Initial{}), cmpopts.IgnoreUnexported(Config{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", x.name, diff)
		}
	}
}
