package results

import "testing"

// TestCheckFaults checks that a document is rejected if what its faults touched
// does not fit their number, or if their times or counts are not possible.
func TestCheckFaults(t *testing.T) {
	for name, c := range map[string]struct {
		touched []Touched
		span    Span
		valid   bool
	}{
		"as a run writes it": {[]Touched{{Affects: true, Mean: 1.5, Min: 0, Max: 3, Missed: 1}}, Span{1, 2}, true},
		"an older document":  {nil, Span{1, 2}, true},
		"two of one fault":   {[]Touched{{}, {}}, Span{1, 2}, false},
		"more than the most": {[]Touched{{Min: 4, Max: 3}}, Span{1, 2}, false},
		"missed too often":   {[]Touched{{Missed: 3}}, Span{1, 2}, false},
		"a negative count":   {[]Touched{{Min: -1}}, Span{1, 2}, false},
		"an end before":      {[]Touched{{}}, Span{2, 1}, false},
	} {
		d := &Document{
			SchemaVersion: SchemaVersion,
			Scenarios:     []Scenario{{Name: "s", Faults: []Fault{{Kind: "clock", ToNs: 5, Spans: []Span{c.span}}}}},
			Results:       []Result{{Scenario: "s", Algorithm: "a", Replications: 2, Touched: c.touched}},
		}
		if err := d.Check(); (err == nil) != c.valid {
			t.Errorf("%s: %v", name, err)
		}
	}
}
