package patterns

import (
	"fmt"
	"math/bits"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

var sine = kind{
	Entry: catalog.Entry{
		Name:    "sine",
		Summary: "a rate that oscillates about its mean, as between day and night",
		Idea: "The rate at t is rate*(1 + amplitude*sin(2*pi*t/period)), approximated by 1024 linear pieces per period, which are within 5 millionths of the amplitude. " +
			"Spaced arrivals come exactly when its integral, from 0 at t = 0, reaches whole numbers; Poisson arrivals are thinned from the highest rate.",
		Bound:  "a whole period brings rate*period arrivals",
		Period: []string{"period"},
		Fields: []catalog.Field{
			{Name: "rate", Kind: catalog.Rate, Required: true, Doc: "Mean arrivals per time."},
			{Name: "amplitude", Kind: catalog.Share, Default: "50%", Min: "0%", Max: "100%", Doc: "Largest deviation of the rate from the mean, as a share of the mean."},
			{Name: "period", Needs: catalog.Needs{"amplitude: above 0"}, Kind: catalog.Duration, Required: true, Min: "10us", Doc: "Length of one oscillation; it begins at the mean and rises."},
			arrivalsField, catalog.Offset(),
		},
	},
	build: buildSine,
}

// wave is a rate that follows the sine table.
type wave struct {
	span     Span
	period   int64
	spacing  spacing
	offset   offset
	swing    units.Fraction
	peak     exactRate // the highest rate
	scale    uint64    // rates of nodes are in 1/scale arrivals per ns
	nodeRate [sineNodes + 1]uint64
}

func buildSine(v *options, span Span) (Pattern, error) {
	mean := v.rate("rate")
	period := v.duration("period")
	swing := v.Share("amplitude")
	if swing.Den == 0 {
		swing.Den = 1
	}
	w := &wave{span: span, period: period, spacing: spacingOf(v), offset: offsetOf(v), swing: swing}
	if w.spacing == atRandom {
		n, ok0 := product(mean.n, swing.Den+swing.Num)
		p, ok1 := product(mean.p, swing.Den)
		if !ok0 || !ok1 {
			return nil, errWide
		}
		var err error
		if w.peak, err = newExactRate(n, p); err != nil {
			return nil, fmt.Errorf("rate: at its highest: %w", err)
		}
		return w, nil
	}
	scale, ok := product(mean.p, swing.Den, sineOne)
	if _, okHigh := product(mean.n, 2*swing.Den, sineOne); !ok || !okHigh {
		return nil, errWide
	}
	w.scale = uint64(scale)
	for k := range w.nodeRate {
		w.nodeRate[k] = uint64(mean.n * (swing.Den*sineOne + swing.Num*sineAt(k)))
	}
	for k := range sineNodes {
		if !w.piece(k).fits() {
			return nil, errWide
		}
	}
	return w, nil
}

// node returns the start of piece k of a period.
func (w *wave) node(k int) int64 {
	hi, lo := bits.Mul64(uint64(k), uint64(w.period))
	return int64(hi<<(64-sineNodeBits) | lo>>sineNodeBits)
}

// piece returns piece k of a period.
func (w *wave) piece(k int) slope {
	return slope{length: uint64(w.node(k+1) - w.node(k)), a0: w.nodeRate[k], a1: w.nodeRate[k+1], scale: w.scale}
}

func (w *wave) Random() bool { return w.spacing == atRandom || w.offset.random }

func (w *wave) Open(draws random.Stream) Clock {
	if w.spacing == atRandom {
		return w.openDraws(draws)
	}
	into := w.into(draws)
	k := 0
	for w.node(k+1) <= into {
		k++
	}
	c := &waveClock{wave: w, period: w.span.From - into, k: k}
	c.rampArrivals = newRampArrivals(c.period+w.node(k), w.piece(k), w.ahead(k, into))
	c.rampArrivals.skip(uint64(into - w.node(k)))
	return c
}

// into returns how far into a period the span begins.
func (w *wave) into(draws random.Stream) int64 {
	if !w.offset.set {
		return 0
	}
	_, into := w.offset.of(w.period, 1, draws)
	return into
}

// ahead returns the integral from the start of piece k to the next arrival, in
// 1/(2*scale), for a span that begins in that piece. The integral is 0 at the start
// of the first period that begins in the span.
func (w *wave) ahead(k int, into int64) (next uint64) {
	if into == 0 {
		return 0
	}
	one := 2 * w.scale
	for ; k < sineNodes; k++ {
		p := w.piece(k)
		hi, lo := bits.Mul64(p.length, p.a0+p.a1)
		next = (next + bits.Rem64(hi, lo, one)) % one
	}
	return next
}

// waveClock computes the arrivals of one piece after another. Unlike stages, a
// piece does not start anew: it continues the integral of the piece before.
type waveClock struct {
	*wave
	period       int64 // start of this period
	k            int   // index of the piece
	rampArrivals rampArrivals
}

func (c *waveClock) Fill(times []int64) int {
	n := 0
	for {
		n += c.rampArrivals.fill(nil, times[n:], c.span.To)
		if n == len(times) {
			return n
		}
		k, period := c.k+1, c.period
		if k == sineNodes {
			k, period = 0, period+c.wave.period
		}
		begin := period + c.node(k)
		if begin >= c.span.To {
			return n
		}
		c.k, c.period = k, period
		c.rampArrivals = newRampArrivals(begin, c.piece(k), c.rampArrivals.left())
	}
}
