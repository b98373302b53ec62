package scenarios

import (
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Retries describes how callers retry rejected requests.
type Retries struct {
	Attempts int64          // at most, for one request; math.MaxInt64 without a bound
	Backoff  catalog.Choice // as RetriesFields declares
	TimedOut bool           // those refused by a timeout are tried again too
	Refused  bool           // those that the limiter refuses are tried again
	Late     bool           // those without an answer of the backend within Timeout, too
	Failed   bool           // and those that it answers with an error
	Timeout  int64          // ns from the arrival of an attempt; the deadline of the backend unless set
	Values   catalog.Values // of RetriesFields
}

const unlimited = "unlimited"

// Values of the field on.
const onRefused, onLate, onFailed = "refused", "late", "failed"

// OnAnswers reports whether callers also retry for answers of the backend that are late or
// errors, and not for refusals alone.
func (r *Retries) OnAnswers() bool { return r != nil && (r.Late || r.Failed) }

// Patience returns how long callers wait for an answer of the backend before they retry, in
// ns; 0 if they do for ever.
func (s *Scenario) Patience(r *Retries) int64 {
	switch {
	case r == nil || !r.Late:
		return 0
	case r.Timeout == 0 && s.Guard != nil:
		return s.Guard.Deadline
	}
	return r.Timeout
}

// checkAnswers checks retries of answers of the backend against the scenario.
func (l *loader) checkAnswers(s *Scenario, r *Retries, at place) {
	if !r.OnAnswers() {
		return
	}
	here := place{r.Values["on"].Pos, at.field("on").path}
	waits := r.Backoff
	if waits.Name == "retry-after" {
		waits = waits.Values.Choice("otherwise")
	}
	switch {
	case s.Guard == nil:
		l.report(here, "late and failed are answers of a guarded backend, and there is no guard")
	case r.Late && s.Patience(r) == 0:
		l.report(here, "late needs a timeout, or a guard with a deadline")
	case !r.Late && !r.Refused && s.Guard.Queue == math.MaxInt64:
		l.report(here, "failed alone retries nothing: only a guard with a bounded queue answers a call with an error")
	case len(s.Workers()) == len(s.Traffic): // which keep what they need
	case waits.Values.Choice("jitter").Name == "decorrelated":
		l.report(here, "late and failed do not go together with decorrelated, except for workers")
	case len(s.Further) > 0 || slices.ContainsFunc(s.Traffic, func(t Traffic) bool { return t.Cost.Name == costEstimated }):
		l.report(here, "late and failed need one policy and costs that are known on arrival, except for workers")
	}
}

// Unlimited reports whether callers retry without a bound.
func (r *Retries) Unlimited() bool { return r.Attempts == math.MaxInt64 }

// RetriesFields declares how callers retry rejected requests.
func RetriesFields() []catalog.Field {
	return []catalog.Field{
		{Name: "attempts", Kind: catalog.IntOrEnum, Enum: []string{unlimited}, Unit: "retries", Required: true, Min: "0", Max: "1000",
			Doc: "maximum number of retries of a rejected request"},
		{Name: "backoff", Kind: catalog.Union, Default: "immediate", Choices: BackoffKinds(),
			Doc: "how long a caller waits before a retry"},
		{Name: "on", Needs: catalog.Needs{"guard: set"}, Kind: catalog.List, Single: true, Elem: &catalog.Field{Kind: catalog.Enum, Enum: []string{onRefused, onLate, onFailed}, Doc: "what becomes of a call"},
			Doc: "which calls are retried: refused by the limiter (the default), late, without an answer of the backend within timeout, or failed, answered with an error"},
		{Name: "timeout", Needs: catalog.Needs{"guard: set", "on: late"}, Kind: catalog.Duration, Min: "1ns",
			Doc: "how long a caller waits for an answer, from the arrival of its call; by default the deadline of the backend, which works on"},
		{Name: "timed_out", Needs: catalog.Needs{"on_timeout: fail-closed or on_failure: fail-closed"}, Kind: catalog.Bool, Default: "true",
			Doc: "also retry requests that were rejected because a remote call timed out"},
	}
}

// BackoffKinds declares how long callers wait before a retry.
func BackoffKinds() []catalog.Entry { return append(backoffs(), retryAfter()) }

// retryAfter declares the wait for the time that a limiter names. Effective files of
// scenarios that set none of the fields without default are as they were before these.
func retryAfter() catalog.Entry {
	return catalog.Entry{Name: "retry-after", Summary: "callers wait until the time at which the limiter would admit the request, or not at all if the limiter does not know it", Fields: []catalog.Field{
		{Name: "spread", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "maximum of a random time added to the wait, so that callers do not retry at the same instant"},
		{Name: "longest", Kind: catalog.Duration, Min: "1ns", Doc: "longest wait that callers accept, before the spread; by default any"},
		{Name: "beyond", Needs: catalog.Needs{"longest: set"}, Kind: catalog.Enum, Enum: []string{"cut", "give-up"}, Doc: "what callers do with a longer one: wait for longest instead (the default), or give up"},
		{Name: "seconds", Kind: catalog.Enum, Enum: []string{"exact", "up"}, Doc: "exact is the time to the nanosecond (the default); up is whole seconds, rounded up, as in the header Retry-After"},
		{Name: "otherwise", Kind: catalog.Union, Definition: "backoff", Choices: backoffs(), Doc: "wait where the limiter names no time that is still to come; by default exponential without jitter if attempts is unlimited, so that a caller does not ask for ever at one instant"},
	}}
}

// backoffs declares the waits that callers choose by themselves.
func backoffs() []catalog.Entry {
	jitter := catalog.Field{Name: "jitter", Kind: catalog.Union, Definition: "jitter", Words: true, Default: "full", Choices: JitterKinds(),
		Doc: "how the wait is drawn from the computed wait"}
	constant := jitter
	constant.Default = "none"
	return []catalog.Entry{
		{Name: "immediate", Summary: "callers retry without waiting"},
		{Name: "constant", Summary: "callers wait equally long before each retry", Fields: []catalog.Field{
			{Name: "time", Kind: catalog.Duration, Required: true, Min: "0s", Doc: "the wait"}, constant}},
		{Name: "exponential", Summary: "the wait grows with each retry", Fields: []catalog.Field{
			{Name: "base", Kind: catalog.Duration, Default: "100ms", Min: "1ns", Doc: "wait before the first retry"},
			{Name: "max", Kind: catalog.Duration, Default: "10s", Min: "1ns", Doc: "maximum wait, before the jitter"}, jitter,
			{Name: "factor", Needs: catalog.Needs{"jitter: not decorrelated"}, Kind: catalog.Share, Min: "1", Max: "1000", Doc: "factor on the wait with each retry, by default 2"}}},
	}
}

// JitterKinds declares how waits are drawn. Decorrelated waits grow by themselves.
func JitterKinds() []catalog.Entry {
	return []catalog.Entry{
		{Name: "none", Summary: "exactly the computed wait"},
		{Name: "full", Summary: "uniform between 0 and the computed wait"},
		{Name: "equal", Summary: "half of the computed wait, and uniform up to the other half"},
		{Name: "around", Summary: "the computed wait, uniformly less or more by up to a part of it", Fields: []catalog.Field{
			{Name: "part", Kind: catalog.Share, Required: true, Min: "0", Max: "1", Doc: "largest part by which a wait is shorter or longer"}}},
		{Name: "decorrelated", Summary: "uniform between base and three times the last wait, cut at max"},
	}
}

// retries binds how callers retry rejected requests.
func (l *loader) retries(v catalog.Values, at place) *Retries {
	r := &Retries{Values: v, Backoff: v.Choice("backoff"), TimedOut: v.Bool("timed_out")}
	on := func(what string) bool {
		return slices.Contains(v.List("on"), any(what))
	}
	r.Refused, r.Late, r.Failed, r.Timeout = !v.Set("on") || on(onRefused), on(onLate), on(onFailed), v.Duration("timeout")
	n, word := v.IntOr("attempts")
	if r.Attempts = n; word == unlimited {
		r.Attempts = math.MaxInt64
	}
	l.backoff(v, "backoff", word == unlimited, at)
	l.backoff(r.Backoff.Values, "otherwise", word == unlimited, at.field("backoff").field(r.Backoff.Name))
	return r
}

// backoff checks the wait that a field of a mapping at a place has, if any. Retries
// without a bound and without a wait would never leave an instant.
func (l *loader) backoff(v catalog.Values, field string, endless bool, at place) {
	c := v.Choice(field)
	here := at.value(v, field)
	inside := here.field(c.Name)
	switch o := c.Values; {
	case endless && c.Name == "immediate", endless && c.Name == "constant" && o.Set("time") && o.Duration("time") == 0:
		l.report(here, "%s needs a wait above 0 for attempts: unlimited", c.Name)
	case c.Name == "constant" && o.Choice("jitter").Name == "decorrelated":
		l.report(inside.value(o, "jitter"), "decorrelated grows by itself: it needs an exponential wait")
	case c.Name == "exponential" && o.Duration("base") > o.Duration("max"):
		l.report(place{c.Pos, inside.path}, "base is above max")
	case c.Name == "exponential" && o.Set("factor"):
		if f := o.Share("factor"); f.Num > f.Den && f.Num-f.Den < f.Den/100 {
			l.report(inside.value(o, "factor"), "must be 1 or at least 1.01")
		}
	}
}

// DefaultBackoff returns the exponential wait that a file has if it says that there is no jitter.
func DefaultBackoff() catalog.Choice {
	return fallback(&catalog.Field{Name: "otherwise", Kind: catalog.Union, Choices: backoffs()}, "{exponential: {jitter: none}}").(catalog.Choice)
}

// FactorOf returns the factor of an exponential wait.
func FactorOf(exponential catalog.Values) units.Fraction {
	if exponential.Set("factor") {
		return exponential.Share("factor")
	}
	return units.Fraction{Num: 2, Den: 1}
}
