package inputs

import "testing"

// TestPrecisionBounds checks which values of --replication, --until and
// --max-replications are accepted: exactly those in their ranges.
func TestPrecisionBounds(t *testing.T) {
	for i, c := range []struct {
		running *Running
		ok      bool
	}{
		{&Running{}, true},
		{&Running{Only: -1}, false},
		{&Running{Only: 1}, true},
		{&Running{Only: 10000}, true},
		{&Running{Only: 10001}, false},
		{&Running{Only: 1, until: "5%", most: 10}, false},
		{&Running{Only: 1, replications: 1}, false},
		{&Running{Only: 1, replications: 0}, true},
		{&Running{replications: 1}, true},
		{&Running{until: "5%", most: 1}, false},
		{&Running{until: "5%", most: 2}, true},
		{&Running{until: "5%", most: 10000}, true},
		{&Running{until: "5%", most: 10001}, false},
		{&Running{until: "0", most: 10}, false},
		{&Running{until: "-5%", most: 10}, false},
		{&Running{until: "five", most: 10}, false},
	} {
		until, err := c.running.Precision()
		if (err == nil) != c.ok {
			t.Errorf("case %d: %v", i, err)
		}
		if wants := c.ok && c.running.until != ""; (until != nil) != wants {
			t.Errorf("case %d: until %v", i, until)
		} else if wants && (until.Width != 0.05 || until.Most != c.running.most || len(until.Figures) == 0) {
			t.Errorf("case %d: until %+v", i, *until)
		}
	}
}
