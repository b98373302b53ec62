package advice

import (
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Options omits values that are already set, choices that need more fields, and
// options that describe faults.
func TestOptions(t *testing.T) {
	fields := []catalog.Field{
		{Name: "interval", Kind: catalog.Duration},
		{Name: "phase", Kind: catalog.Union, Choices: []catalog.Entry{
			{Name: "aligned"}, {Name: "random"}, {Name: "offsets", Fields: []catalog.Field{{Name: "at", Required: true}}},
		}},
		{Name: "report_loss", Kind: catalog.Share},
		{Name: "local_limit", Kind: catalog.Union, Choices: []catalog.Entry{{Name: "off"}, {Name: "auto"}, {Name: "share", Fields: []catalog.Field{{Name: "share", Required: true}}}}},
		{Name: "unset", Kind: catalog.Bool},
	}
	options := Options(fields, catalog.Values{
		"interval":    {V: int64(100_000_000)},
		"phase":       {V: catalog.Choice{Name: "random"}},
		"report_loss": {V: units.Fraction{Num: 1, Den: 10}},
		"local_limit": {V: catalog.Choice{Name: "share", Values: catalog.Values{"share": {V: units.Fraction{Num: 5, Den: 4}}}}},
	})
	if len(options) != 3 {
		t.Fatalf("%d options: %v", len(options), options)
	}
	for i, want := range [][]string{
		{"interval", "90ms", "80ms", "70ms", "60ms", "50ms", "40ms", "30ms", "25ms", "20ms", "15ms", "10ms", "7ms", "5ms", "3ms", "2ms", "1ms", "150ms", "200ms", "300ms", "500ms"},
		{"phase", "aligned"},
		{"local_limit", "off", "auto", "{share: {share: 400%}}", "{share: {share: 300%}}", "{share: {share: 200%}}", "{share: {share: 150%}}", "{share: {share: 110%}}", "{share: {share: 105%}}", "{share: {share: 100%}}"},
	} {
		if got := append([]string{options[i].Option}, options[i].Values...); !slices.Equal(got, want) {
			t.Errorf("option %d: %q, want %q", i, got, want)
		}
	}
}
