package counting

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// The arithmetic of this package is exact for quantities within these bounds.
// Check returns an error for anything outside them.
const (
	maxSpan  = int64(1) << 60 // longest window (36 years in ns), largest count
	maxDepth = int64(1) << 62 // deepest bucket, in units
)

// Rate returns the limit as a fraction in lowest terms: n tokens per p
// nanoseconds. Buckets count in units of 1/p of a token. One nanosecond then
// refills n units, and no level is ever rounded.
func (l Limit) Rate() (n, p int64) {
	g := integers.GCD(l.Count, l.Window)
	return l.Count / g, l.Window / g
}

// Check returns an error if the limit cannot be kept exactly: Count and Window
// must be 1 to 2^60, and a bucket of Burst requests at most 2^62 units.
func (l Limit) Check() error {
	switch {
	case l.Count < 1 || l.Count > maxSpan:
		return fmt.Errorf("limit of %d requests is outside 1 to 2^60", l.Count)
	case l.Window < 1 || l.Window > maxSpan:
		return fmt.Errorf("window of %d ns is outside 1 to 2^60", l.Window)
	case l.Burst < 0:
		return fmt.Errorf("burst of %d requests is negative", l.Burst)
	}
	if _, p := l.Rate(); l.Burst > maxDepth/p {
		return fmt.Errorf("burst of %d requests at %d per %d ns needs more than 62 bits; at most %d can be kept exactly",
			l.Burst, l.Count, l.Window, maxDepth/p)
	}
	return nil
}

// withBurst returns the limit with another bucket depth.
func (l Limit) withBurst(burst int64) Limit {
	l.Burst = burst
	return l
}

// must panics if err is not nil. Constructors call it with the error of Check.
func must(err error) {
	if err != nil {
		panic("counting: " + err.Error())
	}
}
