// Package concurrency implements limits on the requests that a client has in flight, by a
// number or by a [Law] that looks for the number. The package has no clock, no I/O and no
// random numbers: times are arguments, in nanoseconds from 0. A law is not safe for
// concurrent use. New checks its options; the functions that make one law check nothing.
//
// The package makes no promise: it can change at any time.
package concurrency

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// kind is a value of the option law.
type kind struct {
	name, doc string
	usual     Range // of its source; zero for a limit that does not move
	probes    bool  // it has the options of probes
	new       func(b beginning) Law
}

// beginning is what a law begins with.
type beginning struct {
	catalog.Values
	Range
	start  int64 // ns
	random Random
}

// kinds lists the laws. To add one, add its line, and to Entry the options that it has
// alone.
var kinds = []kind{
	{"fixed", "not at all", Range{}, false, func(b beginning) Law { return Fixed(b.Int("limit")) }},
	{"aimd", "one more after an answer, a tenth less after a drop or a timeout", Range{20, 20, 200}, false,
		func(b beginning) Law { return NewAIMD(b.Range, b.Duration("timeout")) }},
	{"aimd-dialogue", "one more after as many answers as the limit, a tenth less after a drop", Range{20, 1, 1_000_000}, false,
		func(b beginning) Law { return NewDialogueAIMD(b.Range, b.Bool("ramp")) }},
	{"vegas", "by the requests that wait in the backend, estimated from the least time of an answer", Range{20, 1, 1000}, false,
		func(b beginning) Law { return NewVegas(b.Range, b.random) }},
	{"gradient2", "by the time of an answer relative to a long average", Range{20, 20, 200}, false,
		func(b beginning) Law { return NewGradient2(b.Range) }},
	{"envoy", "by the median time of answers relative to a probe, in which the limit is low", Range{3, 3, 1000}, true, newEnvoy},
}

func newEnvoy(b beginning) Law {
	return NewEnvoy(Gradient{
		Range: b.Range, Probe: b.Int("probe"), Requests: b.Int("requests"), Update: b.Duration("update"), Interval: b.Duration("interval"),
		Jitter: float64(b.Share("jitter").Num) / float64(b.Share("jitter").Den), Buffer: float64(b.Share("buffer").Num) / float64(b.Share("buffer").Den),
	}, b.start, b.random)
}

// New returns the law that the options of an algorithm state, at start, in ns.
func New(v catalog.Values, start int64, random Random) (Law, error) {
	k := kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.name == v.String("law") })]
	b := beginning{v, k.usual, start, random}
	if err := b.options(k); err != nil {
		return nil, err
	}
	l := k.new(b)
	if w := v.Group("window"); w != nil && !k.probes {
		l = NewWindow(l, w.Duration("time"), w.Int("samples"))
	}
	return l, nil
}

// options replaces the range of the law by what the options state.
func (b *beginning) options(k kind) error {
	switch {
	case k.usual.Max == 0 && !b.Set("limit"):
		return errors.New("a fixed limit on concurrency needs a limit: the requests that a client may have in flight")
	case k.usual.Max == 0:
		return nil
	}
	probe := b.Int("probe")
	if k.probes {
		b.Initial, b.Min = probe, probe
	}
	for name, bound := range map[string]*int64{"min": &b.Min, "max": &b.Max} {
		if b.Set(name) {
			*bound = b.Int(name)
		}
	}
	b.Initial = max(b.Min, min(b.Max, b.Initial))
	if b.Set("initial") {
		b.Initial = b.Int("initial")
	}
	return cmp.Or(
		catalog.ErrorIf(k.probes && probe > b.Max, "probe of %d is above max of %d", probe, b.Max),
		catalog.ErrorIf(b.Min > b.Max && b.Set("min") == b.Set("max"), "min of %d is above max of %d", b.Min, b.Max),
		catalog.ErrorIf(b.Min > b.Max && !b.Set("min"), "min of %d, which is that of the law, is above max of %d: set min, too", b.Min, b.Max),
		catalog.ErrorIf(b.Min > b.Max, "min of %d is above max of %d, which is that of the law: set max, too", b.Min, b.Max),
		catalog.ErrorIf(b.Initial < b.Min || b.Initial > b.Max, "initial of %d is outside of min and max, %d to %d", b.Initial, b.Min, b.Max),
		catalog.ErrorIf(k.probes && b.Duration("interval") < b.Duration("update"), "interval is shorter than update: the limit would hardly move"),
	)
}

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	var names, docs []string
	for _, k := range kinds {
		names, docs = append(names, k.name), append(docs, k.name+", "+k.doc)
	}
	return catalog.Entry{
		Name:    "concurrency-limit",
		Summary: "each client limits its requests in flight, not their rate",
		Idea: "Each client admits a request if the guarded backend owes it fewer answers than its limit. Others are refused at once, or wait for an answer, first in, first out. " +
			"A law can move the limit after each answer; a limit that falls cancels nothing. An answer is dropped if it is late or an error.",
		Bound:       "at most `limit` requests of each client in the backend, or `max`; nothing bounds their rate, so the policy is what one would set instead",
		Source:      "Netflix/concurrency-limits, README; Little's law",
		Counterless: true,
		Fields: slices.Concat([]catalog.Field{
			{Name: "law", Kind: catalog.Enum, Enum: names, Default: "fixed", Doc: "how the limit moves: " + strings.Join(docs, "; ")},
			{Name: "limit", Kind: catalog.Int, Unit: "requests", Min: "1", Max: "1000000", Needs: catalog.Needs{"law: fixed"}, Doc: "requests that a client may have in flight; required"},
			{Name: "when_full", Kind: catalog.Enum, Enum: []string{"refuse", "wait"}, Default: "refuse", Doc: "what happens to a request that finds no room: refuse it, or let it wait for max_wait at most"},
			{Name: "max_wait", Kind: catalog.Duration, Default: "1s", Min: "1ns", Needs: catalog.Needs{"when_full: wait"}, Doc: "longest wait, after which a request is refused"},
		}, rangeFields(), lawFields()),
	}
}

// rangeFields declares the options of all laws that move the limit.
func rangeFields() []catalog.Field {
	field := func(name, doc string) catalog.Field {
		return catalog.Field{Name: name, Kind: catalog.Int, Unit: "requests", Min: "1", Max: "1000000", Needs: catalog.Needs{"law: not fixed"}, Doc: doc}
	}
	return []catalog.Field{
		field("initial", "limit at first; unless set, 20 or `probe`, or the nearest within min and max"),
		field("min", "least limit; unless set, that of the law's source: aimd 20, aimd-dialogue 1, vegas 1, gradient2 20, envoy `probe`"),
		field("max", "largest limit; unless set, that of the law's source: aimd 200, aimd-dialogue 1000000, vegas 1000, gradient2 200, envoy 1000"),
	}
}

// lawFields declares the options of single laws.
func lawFields() []catalog.Field {
	envoy := catalog.Needs{"law: envoy"}
	return []catalog.Field{
		{Name: "timeout", Kind: catalog.Duration, Default: "5s", Min: "1ns", Needs: catalog.Needs{"law: aimd"}, Doc: "a slower answer counts as dropped"},
		{Name: "ramp", Kind: catalog.Bool, Default: "false", Needs: catalog.Needs{"law: aimd-dialogue"}, Doc: "until the first drop each answer adds one"},
		{Name: "window", Kind: catalog.Group, Needs: catalog.Needs{"law: aimd | aimd-dialogue | vegas | gradient2"},
			Doc: "gives the law one sample for all answers of a span of time: their mean time, the most in flight, whether any was dropped",
			Fields: []catalog.Field{
				{Name: "time", Kind: catalog.Duration, Default: "1s", Min: "1us", Doc: "length of the span"},
				{Name: "samples", Kind: catalog.Int, Unit: "answers", Default: "10", Min: "1", Max: "1000000", Doc: "answers without which a span counts for nothing"},
			}},
		{Name: "probe", Kind: catalog.Int, Unit: "requests", Default: "3", Min: "1", Max: "1000000", Needs: envoy, Doc: "largest limit while the time of an answer without load is measured"},
		{Name: "requests", Kind: catalog.Int, Unit: "answers", Default: "50", Min: "1", Max: "1000000", Needs: envoy, Doc: "answers after which a probe ends"},
		{Name: "update", Kind: catalog.Duration, Default: "100ms", Min: "1ms", Needs: envoy, Doc: "time between two moves of the limit"},
		{Name: "interval", Kind: catalog.Duration, Default: "60s", Min: "1ms", Needs: envoy, Doc: "time from the end of a probe to the next, before its jitter"},
		{Name: "jitter", Kind: catalog.Share, Default: "15%", Min: "0%", Max: "100%", Needs: envoy, Doc: "part of the interval by which it is longer at most, at random"},
		{Name: "buffer", Kind: catalog.Share, Default: "25%", Min: "0%", Max: "1000%", Needs: envoy, Doc: "part by which answers may be slower than in the probe before the limit falls"},
	}
}

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	preset := func(name, law, system, summary, idea, bound, source string) catalog.Preset {
		return catalog.Preset{Name: name, Summary: summary, Idea: idea, Bound: bound, Source: source, System: system, Options: map[string]string{"law": law}}
	}
	return []catalog.Preset{
		preset("fixed-concurrency", "fixed", "", "a fixed number of requests in flight at each client",
			"The limit that people set by hand: a semaphore, a connection pool, a bulkhead. With Poisson arrivals and exponential services a single client is the queue M/M/c/K.",
			"at most `limit` requests of each client in the backend, so an answer waits for `limit` - servers services at most",
			"Erlang (1917); Envoy's circuit breakers (max_requests), resilience4j's Bulkhead"),
		preset("aimd", "aimd", "Netflix concurrency-limits", "one more in flight after each good answer, a tenth less after a late one or an error",
			"The limit grows by one after an answer that was sent while at least half of the limit was in flight, and falls to nine tenths after one that was dropped or took longer than `timeout`.",
			"between 20 and 200; in overload the limit hangs on which answers are late, because nothing else makes it fall",
			"Netflix/concurrency-limits, AIMDLimit"),
		preset("aimd-dialogue", "aimd-dialogue", "Palantir dialogue", "one more in flight after as many good answers as the limit, a tenth less after a late one or an error",
			"As in TCP, a limit with a fraction grows by one for each round of answers, and falls to nine tenths after a drop. With `ramp` it grows by one for each answer until the first drop.",
			"1 at least; each drop of a burst takes a tenth, so a burst of late answers takes the limit far down",
			"palantir/dialogue, CautiousIncreaseAggressiveDecreaseConcurrencyLimiter and ExponentialRampConcurrencyLimiter (PR 3052)"),
		preset("vegas", "vegas", "Netflix concurrency-limits", "keeps the requests that wait in the backend few, as TCP Vegas does",
			"From the least time of an answer and the present one the client estimates how many of its requests wait. Below the decimal logarithm of the limit it grows fast, below three times slowly, above six times it falls. Now and then the present time becomes the least one.",
			"between 1 and 1000; where services vary, the least time is that of one short service, and the limit falls to almost nothing",
			"Netflix/concurrency-limits, VegasLimit; Brakmo and Peterson (1995)"),
		preset("gradient2", "gradient2", "Netflix concurrency-limits", "compares the time of each answer with its long average",
			"The gradient 1.5 times the average over the present time, between 0.5 and 1, scales the limit, which also grows by four, smoothed by a fifth.",
			"between 20 and 200; under lasting overload the average follows the delay: with a `window` the limit climbs to its maximum, without one it swings far above what the backend needs",
			"Netflix/concurrency-limits, Gradient2Limit"),
		preset("envoy-adaptive", "envoy", "Envoy", "Envoy's adaptive concurrency filter: a gradient against the time of an answer without load, which probes measure",
			"Every `update` the limit is scaled by 1.25 times the median of the last probe over the median since, between 0.5 and 2, plus its square root. A probe holds the limit at `probe` until `requests` answers, at first, every `interval`, and after five updates at the minimum.",
			"between `probe` and 1000; while idle the limit grows to its maximum, because answers without load are as fast as in the probe",
			"envoyproxy/envoy, gradient_controller.cc, PR 46602"),
	}
}
