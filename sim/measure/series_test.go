package measure

import (
	"testing"

	"pgregory.net/rapid"
)

// TestBinWidth checks that a series has at most maxBins bins and not far fewer, and that
// no bin crosses the end of a second, a minute, an hour or a day.
func TestBinWidth(t *testing.T) {
	const second, day = int64(1e9), int64(86_400e9)
	rapid.Check(t, func(t *rapid.T) {
		span := int64(1) << rapid.IntRange(0, 62).Draw(t, "bits")
		span += rapid.Int64Range(0, span-1).Draw(t, "rest")
		width := binWidth(span)
		bins := (span-1)/width + 1
		if bins > maxBins || width > 1 && bins < 240 {
			t.Errorf("%d ns have %d bins of %d ns", span, bins, width)
		}
		whole := second
		for _, unit := range []int64{60 * second, 3600 * second, day} {
			if width >= whole {
				whole = unit
			}
		}
		if width < day && whole%width != 0 || width > day && width%day != 0 {
			t.Errorf("%d ns have bins of %d ns", span, width)
		}
	})
	for span, want := range map[int64]int64{1: 1, 600: 1, 601: 2, 60e9: 100e6, 600e9: 1e9, 3600e9: 10e9, day: 180e9, 7 * day: 1200e9, 30 * day: 7200e9, 365 * day: day} {
		if got := binWidth(span); got != want {
			t.Errorf("%d ns have bins of %d ns, want %d", span, got, want)
		}
	}
}
