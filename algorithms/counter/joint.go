package counter

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// JointFields are the options of a limiter that puts one request under several
// limits. Enforcements that can do so declare them.
func JointFields() []catalog.Field {
	return []catalog.Field{
		{Name: "charge", Kind: catalog.Enum, Enum: []string{"all", "none"}, Default: "all",
			Doc: "who is charged for a request that one of several limits refuses: all limits that would have let it through, or none"},
		{Name: "refusal", Kind: catalog.Enum, Enum: []string{"keeps", "drains"}, Default: "keeps",
			Doc: "what a limit that refuses a request has afterwards: what it had, or no whole token, because the request took all that were left (what is refilled of the next one stays)"},
	}
}

// Joint decides requests that fall under any number of keys, each with a
// counter of its own: one is let through when all its keys let it through.
//
// What a counter does with cost it refuses is up to that counter and to
// Drains: a window with CountRejected counts it in full, a bucket keeps its
// level. Only the counters that would have let a refused request through
// depend on ChargeNone.
type Joint struct {
	ChargeNone bool // counters that would have let a refused request through keep its cost
	Drains     bool // counters that refuse it lose the whole tokens they have left
}

// JointOf reads a Joint from bound fields.
func JointOf(v catalog.Values) Joint {
	return Joint{ChargeNone: v.String("charge") == "none", Drains: v.String("refusal") == "drains"}
}

// Taker is the part of a Table that decides.
type Taker interface {
	Take(key int32, now, cost int64) Verdict
	Level(key int32, now int64) int64
	RetryAt(key int32, now, cost int64) int64
}

// Take decides one request under all its keys, which are different. Without a
// key it is let through.
func (j Joint) Take(t Taker, keys []int32, now, cost int64) Verdict {
	if j.ChargeNone && len(keys) > 1 && refuses(t, keys, now, cost) {
		for _, key := range keys {
			if t.RetryAt(key, now, cost) > now {
				j.TakeOne(t, key, now, cost)
			}
		}
		return Rejected
	}
	verdict := Admitted
	for _, key := range keys {
		verdict &= j.TakeOne(t, key, now, cost)
	}
	return verdict
}

// refuses reports whether some key would refuse the request.
func refuses(t Taker, keys []int32, now, cost int64) bool {
	for _, key := range keys {
		if t.RetryAt(key, now, cost) > now {
			return true
		}
	}
	return false
}

// TakeOne decides for one key. What drains is whole tokens, as an increment in
// Redis takes; the refilled part of the next token stays, else callers who keep
// asking for one token would keep a bucket empty for ever.
func (j Joint) TakeOne(t Taker, key int32, now, cost int64) Verdict {
	v := t.Take(key, now, cost)
	if j.Drains && !v.Admitted() {
		if left := t.Level(key, now); left > 0 {
			t.Take(key, now, left)
		}
	}
	return v
}
