package counting

// Agreement states how a verdict of another limiter compares with that of a counter.
type Agreement uint8

// The values of Agreement. A difference is tolerated if the counter's own verdict
// changes close to the time of the request.
const (
	Same Agreement = iota
	Tolerated
	Differs
)

// Follow takes cost tokens from a key at now, as t.Take does, and compares the result
// with the verdict that another limiter gave. A difference is tolerated if t would
// have given the other verdict at some time from now-tolerance to now+tolerance, in
// ns. After a tolerated difference t follows the other limiter, so that both go on
// from one state: it takes the tokens too, or gives them back. After any other
// difference t goes on from its own verdict.
func Follow(t Table, key int32, now, cost int64, admitted bool, tolerance int64) Agreement {
	changes := Never // a time at which t's verdict changes
	if tolerance > 0 {
		changes = t.RetryAt(key, now-tolerance, cost)
	}
	if t.Take(key, now, cost).Admitted() == admitted {
		return Same
	}
	if tolerance == 0 {
		return Differs
	}
	if admitted { // t rejects: it would admit soon
		if changes == Never || changes > now+tolerance {
			return Differs
		}
		t.Correct(key, now, now, cost, true)
		return Tolerated
	}
	if changes <= now-tolerance { // t admits, and would have admitted before
		return Differs
	}
	t.Correct(key, now, now, -cost, false)
	return Tolerated
}
