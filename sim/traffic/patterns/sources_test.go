package patterns

import (
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// The sizes of blocks have no effect on several sources, whichever rate is the higher.
func TestSourcesInPieces(t *testing.T) {
	for _, rates := range [][2]int64{{8000, 0}, {8000, 100}, {100, 8000}, {500, 500}, {0, 0}} {
		p := build(t, "bursty", catalog.Values{"rate_on": rate(rates[0], second), "rate_off": rate(rates[1], second),
			"mean_on": value(20 * millisecond), "mean_off": value(40 * millisecond), "sources": value(int64(9))}, Span{3 * second, 4 * second})
		equal(t, "in pieces", instants(p, 1, 1, 7, 100, 3), instants(p, 1))
	}
	if _, err := New("bursty", catalog.Values{"rate_on": rate(1_000_000_007, 999_999_937), "rate_off": rate(999_999_929, 1_000_000_000_039),
		"mean_on": value(second), "mean_off": value(second), "sources": value(int64(2))}, Span{0, second}); err == nil {
		t.Error("a ratio of rates beyond 62 bits is accepted")
	}
}
