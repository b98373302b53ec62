package exchange

import "testing"

// TestPlain checks that what a limiter did not state is -1, as documents write it.
func TestPlain(t *testing.T) {
	for _, admit := range []bool{false, true} {
		want := Answer{Admit: admit, RetryAfterNs: -1, RetryUnitNs: -1, Remaining: -1, ResetNs: -1, StatedLimit: -1, StatedWindowNs: -1}
		if got := Plain(admit); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}
