package table

import (
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// Answers with a status that is no verdict name the option that makes it one.
func TestStatusText(t *testing.T) {
	for _, c := range []struct {
		failures []results.LiveFailure
		want     string
	}{
		{nil, ""},
		{[]results.LiveFailure{{Class: "timeout", Count: 9}}, ""},
		{
			[]results.LiveFailure{{Class: "status 302", Count: 1}, {Class: "status 403", Count: 317}, {Class: "timeout", Count: 900}},
			"317 answers had status 403, which is no verdict; if it rejects a request, add --option rejected=403, which replaces 429 and 503",
		},
	} {
		if got := statusText(c.failures); got != c.want {
			t.Errorf("%v: %q, want %q", c.failures, got, c.want)
		}
	}
}
