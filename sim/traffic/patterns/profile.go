package patterns

import (
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// spacing states how arrivals are placed at a given rate.
type spacing int

const (
	evenly      spacing = iota // each as soon as the integral of the rate reaches it
	inSlots                    // each at random in its own slot
	atRandom                   // a Poisson process
	spacedName  = "spaced"
	poissonName = "poisson"
)

// arrivalsField declares how arrivals follow a changing rate.
var arrivalsField = catalog.Field{
	Name: "arrivals", Kind: catalog.Enum, Enum: []string{spacedName, poissonName}, Default: spacedName,
	Doc: "spaced places each arrival at the time when the integral of the rate reaches it; poisson draws arrivals at random at that rate.",
}

func spacingOf(v *options) spacing {
	if v.String("arrivals") == poissonName {
		return atRandom
	}
	return evenly
}

// segment is a time span with a constant or linearly changing rate.
type segment struct {
	length   int64 // ns, above 0
	from, to exactRate
	slope    slope // set if from and to differ
}

// newSegment returns a segment whose rate changes from one rate to another.
func newSegment(length int64, from, to exactRate) (segment, error) {
	s := segment{length: length, from: from, to: to}
	if from == to {
		return s, nil
	}
	var err error
	s.slope, err = newSlope(length, from, to)
	return s, err
}

// profile is a rate over time, as a sequence of segments. Each segment starts
// anew: spaced arrivals place the first one at its start, and a Poisson
// process, which has no memory, draws its next gap from there.
type profile struct {
	span     Span
	segments []segment
	repeat   bool // repeat the segments after the last one
	spacing  spacing
	offset   offset // of segments that repeat, or of the gaps of a single one
	steps    []Step
}

// steady returns a profile of one rate.
func steady(span Span, r exactRate, p spacing, o offset) *profile {
	return &profile{span: span, segments: []segment{{length: never, from: r, to: r}}, spacing: p, offset: o}
}

// hold appends a segment of constant rate, unless its length is 0.
func (p *profile) hold(length int64, r exactRate) {
	if length > 0 {
		p.segments = append(p.segments, segment{length: length, from: r, to: r})
	}
}

// jump declares a step to a rate at the end of the present segments.
func (p *profile) jump(after units.Rate) {
	at := p.span.From
	for _, s := range p.segments {
		if s.length > p.span.To-at {
			return
		}
		at += s.length
	}
	p.steps = append(p.steps, Step{At: at, After: after})
}

func (p *profile) Random() bool { return p.spacing != evenly || p.offset.random }

// Steps returns the declared steps inside the span.
func (p *profile) Steps() []Step {
	return lists.Where(p.steps, func(s Step) bool { return s.At > p.span.From && s.At < p.span.To })
}

func (p *profile) Open(draws random.Stream) Clock {
	c := &profileClock{profile: p, draws: draws, end: p.span.From}
	if p.offset.set {
		c.shift()
	}
	return c
}

// profileClock computes the arrivals of a profile, segment by segment.
type profileClock struct {
	*profile
	draws random.Stream
	next  int   // index of the next segment
	begin int64 // of the current segment; before the span with an offset
	end   int64 // of the current segment or of the span, whichever is first
	rest  int64 // of a nanosecond, in the unit of the rate, by which the only segment begins later

	arrivals        arrivals // one of the following, which no segment allocates anew
	spaced          spaced
	jittered        jittered
	poissonArrivals poissonArrivals
	rampArrivals    rampArrivals
	thinned         thinnedSlope
}

// shift begins before the span, where the gap or the segment begins in which the
// span does.
func (c *profileClock) shift() {
	if !c.repeat {
		r := c.segments[0].from
		if _, into := c.offset.of(r.p, r.n, c.draws); into > 0 {
			c.end -= (into-1)/r.n + 1
			c.rest = r.n - 1 - (into-1)%r.n
		}
		return
	}
	period := int64(0)
	for _, s := range c.segments {
		period += s.length
	}
	_, into := c.offset.of(period, 1, c.draws)
	for into >= c.segments[c.next].length {
		into -= c.segments[c.next].length
		c.next++
	}
	c.end -= into
}

// arrivals writes arrivals before end.
type arrivals interface {
	fill(draws *random.Stream, times []int64, end int64) int
}

func (c *profileClock) Fill(times []int64) int {
	n := 0
	for {
		if c.arrivals != nil {
			n += c.arrivals.fill(&c.draws, times[n:], c.end)
		}
		if n == len(times) || !c.advance() {
			return n
		}
	}
}

// advance goes to the next segment, if there is one before the end of the span.
func (c *profileClock) advance() bool {
	if c.next == len(c.segments) && c.repeat {
		c.next = 0
	}
	if c.next == len(c.segments) || c.end >= c.span.To {
		return false
	}
	s := &c.segments[c.next]
	c.next++
	c.begin = c.end
	c.end = c.span.To
	if s.length < c.span.To-c.begin {
		c.end = c.begin + s.length
	}
	sloping := s.from != s.to
	switch {
	case sloping && c.spacing == evenly:
		c.rampArrivals = newRampArrivals(c.begin, s.slope, 0)
		c.arrivals = &c.rampArrivals
	case sloping:
		larger := s.from
		if s.slope.a1 > s.slope.a0 {
			larger = s.to
		}
		c.thinned = newThinnedSlope(&c.draws, c.begin, s.slope, larger)
		c.arrivals = &c.thinned
	case c.spacing == evenly:
		c.spaced = spaced{c.begin, c.rest, s.from}
		c.spaced.skip(c.span.From)
		c.arrivals = &c.spaced
	case c.spacing == inSlots:
		c.jittered = newJittered(&c.draws, spaced{c.begin, c.rest, s.from}, c.span.From)
		c.arrivals = &c.jittered
	default:
		c.poissonArrivals = newPoissonArrivals(&c.draws, max(c.begin, c.span.From), s.from)
		c.arrivals = &c.poissonArrivals
	}
	return true
}
