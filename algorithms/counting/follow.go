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

// Follower is a counter beside another limiter, whose verdicts may differ within a
// tolerance.
type Follower struct {
	Table
	late      Table // the counter with a clock that is late by the tolerance; nil without one
	tolerance int64
}

// NewFollower returns a Follower of the counters that a function makes, with a tolerance
// in ns, or the error of the function.
func NewFollower(tolerance int64, make func() (Table, error)) (*Follower, error) {
	table, err := make()
	f := &Follower{Table: table, tolerance: tolerance}
	if err == nil && tolerance > 0 {
		f.late, err = make()
	}
	return f, err
}

// Follow takes cost tokens from a key at now, as Take does, and compares the result with
// the verdict that another limiter gave. A difference is tolerated if the counter would
// have given the other verdict at some time from now less the tolerance to now and the
// tolerance. After a tolerated difference the counter follows the other limiter, so that
// both go on from one state: it takes the tokens too, or gives them back. After any other
// difference it goes on from its own verdict.
func (f *Follower) Follow(key int32, now, cost int64, admitted bool) Agreement {
	if f.late == nil {
		if f.Take(key, now, cost).Admitted() == admitted {
			return Same
		}
		return Differs
	}
	before := max(now-f.tolerance, 0)
	soon := f.RetryAt(key, now, cost) <= now+f.tolerance
	rejected := f.late.RetryAt(key, before, cost) > before
	agreement := Same
	switch own := f.Take(key, now, cost).Admitted(); {
	case own == admitted:
	case admitted && soon:
		f.Correct(key, now, now, cost, true)
		agreement = Tolerated
	case own && rejected:
		f.Correct(key, now, now, -cost, false)
		agreement = Tolerated
	default:
		admitted, agreement = own, Differs
	}
	force(f.late, key, before, cost, admitted)
	return agreement
}

// Force takes cost tokens from a key at now, even if it has not got them, or takes none if
// the request was not admitted. It has no tolerance.
func (f *Follower) Force(key int32, now, cost int64, admitted bool) {
	force(f.Table, key, now, cost, admitted)
}

func force(t Table, key int32, now, cost int64, admitted bool) {
	switch own := t.Take(key, now, cost).Admitted(); {
	case admitted && !own:
		t.Correct(key, now, now, cost, true)
	case own && !admitted:
		t.Correct(key, now, now, -cost, false)
	}
}
