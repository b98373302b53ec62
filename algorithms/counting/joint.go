package counting

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// JointFields returns the options of a limiter that puts one request under
// several limits. Enforcements that support this declare them.
func JointFields() []catalog.Field {
	return []catalog.Field{
		ChargeField(),
		{Name: "refusal", Needs: catalog.Needs{"counter: not sampled-average", "counter: not sql-token-bucket", "counter: not token-bucket or debt: false"}, Kind: catalog.Enum, Enum: []string{"keeps", "drains"}, Default: "keeps",
			Doc: "what happens to a limit that rejects a request: keeps leaves its tokens, drains removes all whole tokens it has left (the refilled fraction of the next token stays)"},
	}
}

// ChargeField returns the first of JointFields, for limiters whose clients do not
// know how much of a limit is left to drain.
func ChargeField(needs ...string) catalog.Field {
	return catalog.Field{Name: "charge", Needs: append(catalog.Needs{"policies: above 1"}, needs...), Kind: catalog.Enum, Enum: []string{"all", "none"}, Default: "all",
		Doc: "what a request that one of several limits rejects costs the limits that would have admitted it: all charges each of them, none charges none"}
}

// Joint decides requests that are subject to several keys, each with a counter
// of its own. It admits a request if all of its keys admit it.
//
// Each counter handles the cost that it rejects as its options and Drains say: a
// window with CountRejected counts it in full, a bucket keeps its level.
// ChargeNone concerns only the counters that would have admitted a request that
// another one rejects.
type Joint struct {
	ChargeNone bool // counters that would have admitted a rejected request are not charged
	Drains     bool // counters that reject a request lose the whole tokens they have left
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

// Take decides one request under all its keys, which must be distinct. It admits
// a request without keys.
func (j Joint) Take(t Taker, keys []int32, now, cost int64) Verdict {
	if j.ChargeNone && len(keys) > 1 && anyRejects(t, keys, now, cost) {
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

// anyRejects reports whether at least one key would reject the request.
func anyRejects(t Taker, keys []int32, now, cost int64) bool {
	for _, key := range keys {
		if t.RetryAt(key, now, cost) > now {
			return true
		}
	}
	return false
}

// TakeOne decides the request for one key. Drains removes whole tokens, as an
// increment in Redis does. The refilled fraction of the next token stays;
// otherwise callers that retry for one token would keep a bucket empty for ever.
func (j Joint) TakeOne(t Taker, key int32, now, cost int64) Verdict {
	v := t.Take(key, now, cost)
	if j.Drains && !v.Admitted() {
		if left := t.Level(key, now); left > 0 {
			t.Take(key, now, left)
		}
	}
	return v
}
