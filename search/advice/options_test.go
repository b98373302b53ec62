package advice

import (
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim"
)

// Options omits values that are already set, choices that need more fields, and options that
// describe faults. Options without a value are tried around the policy's own.
func TestOptions(t *testing.T) {
	fields := []catalog.Field{
		{Name: "interval", Kind: catalog.Duration},
		{Name: "phase", Kind: catalog.Union, Choices: []catalog.Entry{
			{Name: "aligned"}, {Name: "random"}, {Name: "offsets", Fields: []catalog.Field{{Name: "at", Required: true}}},
		}},
		{Name: "report_loss", Met: true, Kind: catalog.Share},
		{Name: "local_limit", Kind: catalog.Union, Choices: []catalog.Entry{{Name: "off"}, {Name: "auto"}, {Name: "share", Fields: []catalog.Field{{Name: "share", Required: true}}}}},
		{Name: "unset", Kind: catalog.Bool},
	}
	fields = append(fields, catalog.Field{Name: "burst", Kind: catalog.Int}, catalog.Field{Name: "ttl", Kind: catalog.Duration},
		catalog.Field{Name: "sample", Kind: catalog.Share}, catalog.Field{Name: "delay", Kind: catalog.IntOrEnum, Enum: []string{"off"}}, catalog.Field{Name: "least", Kind: catalog.Rate})
	options := Options(fields, catalog.Values{
		"sample":      {V: units.Fraction{Num: 1, Den: 2}},
		"delay":       {V: int64(3)},
		"interval":    {V: int64(100_000_000)},
		"phase":       {V: catalog.Choice{Name: "random"}},
		"report_loss": {V: units.Fraction{Num: 1, Den: 10}},
		"local_limit": {V: catalog.Choice{Name: "share", Values: catalog.Values{"share": {V: units.Fraction{Num: 5, Den: 4}}}}},
	}, scenarios.Policy{Limit: units.Rate{Count: 100, Per: units.Second}, Burst: 40})
	if len(options) != 8 {
		t.Fatalf("%d options: %v", len(options), options)
	}
	for i, want := range [][]string{
		{"interval", "90ms", "80ms", "70ms", "60ms", "50ms", "40ms", "30ms", "25ms", "20ms", "15ms", "10ms", "7ms", "5ms", "3ms", "2ms", "1ms", "150ms", "200ms", "300ms", "500ms"},
		{"phase", "aligned"},
		{"local_limit", "off", "auto", "{share: {share: 400%}}", "{share: {share: 300%}}", "{share: {share: 200%}}", "{share: {share: 150%}}", "{share: {share: 110%}}", "{share: {share: 105%}}", "{share: {share: 100%}}"},
		{"burst", "30", "20", "10", "4", "60", "80", "160", "400", "40", "0"},
		{"ttl", "750ms", "500ms", "250ms", "100ms", "1.5s", "2s", "4s", "10s", "1s", "0s"},
		{"sample", "1%", "5%", "10%", "25%", "75%", "100%", "150%", "200%", "400%"},
		{"delay", "2", "1", "5", "6", "12", "30", "0", "off"},
		{"least", "75/s", "50/s", "25/s", "10/s", "150/s", "200/s", "400/s", "1000/s", "100/s", "0/s"},
	} {
		if got := append([]string{options[i].Option}, options[i].Values...); !slices.Equal(got, want) {
			t.Errorf("option %d: %q, want %q", i, got, want)
		}
	}
}

// TestMet checks that options say where they describe what a limiter meets, wherever they
// stand, and that a program of one's own has no options: its fields say what it is.
func TestMet(t *testing.T) {
	all := sim.Catalog()
	for _, e := range append(all.Enforcements, all.Counters...) {
		for _, f := range e.Fields {
			if times := strings.HasSuffix(f.Name, "service_time") || strings.HasSuffix(f.Name, "_loss") || strings.HasSuffix(f.Name, "_network"); times && !f.Met {
				t.Errorf("%s of %s is tuned", f.Name, e.Name)
			}
		}
	}
	custom := catalog.Find(all.Enforcements, "custom")
	if got := Options(custom.Fields, catalog.Values{"waits": {V: true}}, scenarios.Policy{}); got != nil {
		t.Errorf("options of a program: %v", got)
	}
}
