package calibrate

import (
	"testing"

	"github.com/limitgauge/limitgauge/live/database/hotrow"
)

// TestTimeOfACall computes the time of calls that keep some processors busy.
func TestTimeOfACall(t *testing.T) {
	for _, c := range []struct {
		calls               int64
		callers, processors int
		want                float64 // us of two seconds
	}{
		{1000, 1, 1, 2000},
		{1000, 1, 4, 2000}, // the others have nothing to do
		{1000, 3, 4, 6000},
		{1000, 16, 4, 8000},
		{1000, 4, 1, 2000},
		{0, 1, 4, 2e6}, // at least, as none has ended
	} {
		if got := each(hotrow.Figures{Calls: c.calls, Seconds: 2}, c.callers, c.processors); got != c.want {
			t.Errorf("%+v: %v us", c, got)
		}
	}
}
