package conformance

import (
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/limitgauge/limitgauge/sim/outside"
)

// floats is golang.org/x/time/rate, which counts tokens in floats.
type floats struct {
	policy Policy
	keys   map[string]*rate.Limiter
}

func (l *floats) Decide(calls []Call, answers []outside.Answer) error {
	for i, c := range calls {
		if l.keys[c.Key] == nil {
			perSecond := float64(l.policy.Count) / time.Duration(l.policy.Window).Seconds()
			l.keys[c.Key] = rate.NewLimiter(rate.Limit(perSecond), int(l.policy.Burst))
		}
		answers[i].Admit = l.keys[c.Key].AllowN(time.Unix(0, c.AtNs), int(c.Cost))
	}
	return nil
}

func (l *floats) Close() error { return nil }

func newFloats(p Policy) (outside.Fleet, error) {
	return &floats{p, map[string]*rate.Limiter{}}, nil
}

// x/time/rate decides like the token bucket within 1 us. Without a tolerance, its
// rounding is found, and with one, that it earns time again when the clock is set back.
func TestRateConformsWithinATolerance(t *testing.T) {
	o := Options{Seed: 1, Sessions: DefaultSessions, ToleranceNs: 1000}
	r := expectConforms(t, "token-bucket", newFloats, o)
	if r.Tolerated == 0 {
		t.Error("no verdict differs within the tolerance")
	}
	for _, o := range []Options{{Seed: 1}, {Seed: 1, ToleranceNs: 1000, Backwards: true}} {
		r, err := Check(t.Context(), "token-bucket", newFloats, o)
		if err != nil || r.Difference == nil || len(r.Difference.Calls) > 7 {
			t.Fatalf("%+v: %v, want a difference in at most 7 calls:\n%s", o, err, text(r))
		}
	}
}
