package callers

import "math/bits"

// Deposits allows retries in proportion to the first calls of the last ttl: a retry needs
// share * first calls + min * ttl - retries >= 1, with the calls and retries of the last
// ttl. Source: RetryBudget of Finagle, whose defaults are 10 s, 10 a second and 20 %;
// linkerd and tower have the same rule. There ttl has ten slices; here it is exact: what
// happened at t counts until just before t + ttl. It keeps the times of these calls.
type Deposits struct {
	idle
	num, den       int64
	ttl            int64 // ns
	reserve, rest  int64 // retries that are always there: whole ones, and billionths
	first, retries recent
}

// NewDeposits returns a budget for the share num/den, at most 1000, with a den of up to
// 4e9. perSecond retries a second are always allowed, from 0 to 1e6; ttl is from 1 ns to
// an hour.
func NewDeposits(num, den, perSecond, ttl int64) *Deposits {
	if checkShare(num, den); perSecond < 0 || perSecond > 1e6 || ttl < 1 || ttl > 3600*second {
		panic("callers: a field of deposits is outside its range")
	}
	always := perSecond * ttl // at most 3.6e18
	return &Deposits{num: num, den: den, ttl: ttl, reserve: always / second, rest: always % second}
}

// First implements Budget.
func (d *Deposits) First(now int64) {
	d.first.forget(now - d.ttl)
	d.first.add(now)
}

// Retry implements Budget.
func (d *Deposits) Retry(now, _ int64) bool {
	d.first.forget(now - d.ttl)
	d.retries.forget(now - d.ttl)
	hi, lo := bits.Mul64(uint64(d.num), uint64(d.first.count))
	whole, rest := bits.Div64(hi, lo, uint64(d.den)) // at most 1000 times the calls
	allowed := int64(whole) + d.reserve
	if int64(rest)*second+d.rest*d.den >= d.den*second {
		allowed++
	}
	if d.retries.count >= allowed {
		return false
	}
	d.retries.add(now)
	return true
}

// recent counts what has happened, and forgets it later. Times do not decrease.
type recent struct {
	events []event // from the oldest; those before begin are forgotten
	begin  int
	count  int64
}

// event is a number of things that happened at one time.
type event struct{ at, count int64 }

func (r *recent) add(now int64) {
	r.count++
	if n := len(r.events); n > r.begin && r.events[n-1].at == now {
		r.events[n-1].count++
		return
	}
	r.events = append(r.events, event{now, 1})
}

// forget removes what happened at a time or before.
func (r *recent) forget(until int64) {
	for ; r.begin < len(r.events) && r.events[r.begin].at <= until; r.begin++ {
		r.count -= r.events[r.begin].count
	}
	if 2*r.begin > len(r.events) {
		r.events = r.events[:copy(r.events, r.events[r.begin:])]
		r.begin = 0
	}
}
