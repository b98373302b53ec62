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
	tolerance int64
	instants  map[int32]instant // by key
}

// instant begins with a request of a key. Those of the next nanoseconds, fewer than the
// tolerance, belong to it.
type instant struct {
	at   int64
	left int64 // of the level a tolerance before at, after what the instant took
}

// NewFollower returns a Follower of the counter that a function makes, with a tolerance in
// ns, or the error of the function.
func NewFollower(tolerance int64, make func() (Table, error)) (*Follower, error) {
	table, err := make()
	return &Follower{Table: table, tolerance: tolerance, instants: map[int32]instant{}}, err
}

// Follow takes cost tokens from a key at now, as Take does, and compares the result with
// the verdict that another limiter gave. A difference is tolerated if the counter would
// have given the other verdict at some time from now less the tolerance to now and the
// tolerance. After a tolerated difference the counter follows the other limiter, so that
// both go on from one state: it takes the tokens too, or gives them back. After any other
// difference it goes on from its own verdict.
func (f *Follower) Follow(key int32, now, cost int64, admitted bool) Agreement {
	if f.tolerance == 0 {
		if f.Take(key, now, cost).Admitted() == admitted {
			return Same
		}
		return Differs
	}
	soon := f.RetryAt(key, now, cost) <= now+f.tolerance
	in, begun := f.instants[key]
	rejected := in.left < cost // as the counter's own state does not tell any more
	if !begun || now-in.at >= f.tolerance {
		before := max(now-f.tolerance, 0)
		in = instant{now, f.Level(key, before)}
		rejected = f.RetryAt(key, before, cost) > before
	}
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
	if admitted {
		in.left -= cost
	}
	f.instants[key] = in
	return agreement
}

// Force takes cost tokens from a key at now, even if it has not got them, or takes none if
// the request was not admitted. It has no tolerance.
func (f *Follower) Force(key int32, now, cost int64, admitted bool) {
	switch own := f.Take(key, now, cost).Admitted(); {
	case admitted && !own:
		f.Correct(key, now, now, cost, true)
	case own && !admitted:
		f.Correct(key, now, now, -cost, false)
	}
}
