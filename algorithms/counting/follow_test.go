package counting

import "testing"

// TestFollow checks a bucket of one token per microsecond, burst 1, beside a limiter
// that decides up to 10 ns early or late.
func TestFollow(t *testing.T) {
	type step struct {
		at       int64
		admitted bool
		want     Agreement
	}
	for name, steps := range map[string][]step{
		"the same":               {{0, true, Same}, {999, false, Same}, {1000, true, Same}},
		"early":                  {{0, true, Same}, {990, true, Tolerated}},
		"too early":              {{0, true, Same}, {989, true, Differs}},
		"late":                   {{0, true, Same}, {1009, false, Tolerated}, {1010, true, Same}},
		"too late":               {{0, true, Same}, {1010, false, Differs}},
		"early without end":      {{0, true, Same}, {990, true, Tolerated}, {1980, true, Differs}}, // the errors add up
		"goes on after an early": {{0, true, Same}, {990, true, Tolerated}, {1999, false, Same}, {2000, true, Same}},
		"goes on after a late":   {{0, true, Same}, {1005, false, Tolerated}, {1006, true, Same}, {1999, false, Same}},
		"late several times":     {{0, true, Same}, {1000, false, Tolerated}, {1000, false, Tolerated}, {1009, false, Tolerated}, {1010, false, Differs}},
	} {
		for _, begins := range []int64{0, 1_700_000_000_000_000_000} {
			f, err := NewFollower(10, func() (Table, error) {
				return New("token-bucket", Limit{Count: 1, Window: 1000, Burst: 1}, nil, 1)
			})
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range steps {
				if got := f.Follow(0, begins+s.at, 1, s.admitted); got != s.want {
					t.Errorf("%s from %d: step %d, at %d: %v, want %v", name, begins, i, s.at, got, s.want)
				}
			}
		}
	}
}
