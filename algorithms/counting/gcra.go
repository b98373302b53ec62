package counting

import (
	"cmp"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var gcraKind = kind{
	entry: catalog.Entry{
		Name:    "gcra",
		With:    []string{"with a burst"},
		Summary: "generic cell rate algorithm: makes the decisions of a token bucket from one timestamp per key",
		Idea: "Each key has a theoretical arrival time (TAT): the time at which everything admitted so far would be paid for at the limit's rate. " +
			"A request of cost c moves the TAT by c intervals, starting from the later of TAT and now. It is admitted if the new TAT is " +
			"at most `burst` intervals after now. The decisions are those of a token bucket with the same rate and burst that starts full.",
		Bound:  "admitted cost in any span of t seconds is at most burst + rate*t",
		Source: "ITU-T Recommendation I.371 (GCRA, virtual scheduling algorithm); ATM Forum, Traffic Management Specification 4.1",
		Fields: []catalog.Field{burstField},
		State: []catalog.Member{
			{Name: "tat_ns", Unit: "ns", Doc: "theoretical arrival time, in whole ns"},
			{Name: "tat_fraction", Unit: "1/`fractions_per_ns` ns", Doc: "fraction of the next ns that the theoretical arrival time has"},
			{Name: "fractions_per_ns", Unit: "1/ns", Doc: "fractions in one ns"},
			tokenMember, lastMember,
		},
	},
	keyBytes: 16,
	make: func(limit Limit, v catalog.Values, keys int) (any, error) {
		limit = limit.withBurst(burstOf(limit, v))
		if err := checkGCRA(limit); err != nil {
			return nil, err
		}
		return NewGCRAs(limit, keys), nil
	},
	changing: changingGCRAs,
	refills:  true,
	worst:    worstBucket,
}

func checkGCRA(limit Limit) error {
	return cmp.Or(limit.Check(), catalog.ErrorIf(limit.Burst == 0, "a burst of 0 admits nothing"))
}

// gcraRule is the rule of a token bucket that stores time. Its tokens cost one
// interval (T in I.371) of p/n ns, that is p units of 1/n ns, and its depth is
// T + tau. What is missing from a full bucket is the distance from the latest time
// seen to the theoretical arrival time: TAT = last + missing/n, exactly. A TAT in
// the past is stored as missing = 0.
type gcraRule struct{ bucketRule }

func newGCRARule(limit Limit) gcraRule {
	must(checkGCRA(limit))
	return gcraRule{newBucketRule(limit)}
}

func (r *gcraRule) fields(s *bucketState) []StateField {
	return []StateField{
		{"tat_ns", integers.Add(s.last, s.missing/r.n)},
		{"tat_fraction", s.missing % r.n},
		{"fractions_per_ns", r.n},
		{"units_per_token", r.p},
		{"last_ns", s.last},
	}
}

// GCRAs is a table of theoretical arrival times (TAT). It admits a request of cost c at now
// if max(TAT, now) + c*T <= now + burst*T, where T is the limit's interval between requests;
// that sum is then the new TAT. It always admits cost 0 and never admits a cost above the
// burst. Times are nanoseconds, 0 or later. It takes 16 bytes per key.
type GCRAs struct {
	correctable[bucketState, gcraRule, *gcraRule]
}

var _ Table = (*GCRAs)(nil)

// NewGCRAs returns a table with full bursts for keys 0 to keys-1. It panics if
// limit.Check fails or limit.Burst is 0.
func NewGCRAs(limit Limit, keys int) *GCRAs {
	return &GCRAs{newCorrectable[bucketState](newGCRARule(limit), keys)}
}

// TakeBlock decides the requests of a block in order.
func (t *GCRAs) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	if states := t.state; len(states) > perkey.Many {
		t.touched = perkey.Touch(keys, func(key int32) int64 { return states[key].last })
	}
	t.rule.takeBlock(t.state, keys, times, costs, verdicts)
}

// Take decides one request.
func (t *GCRAs) Take(key int32, now, cost int64) Verdict {
	return t.rule.take(&t.state[key], now, cost)
}
