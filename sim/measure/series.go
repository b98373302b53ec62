package measure

import (
	"slices"

	"github.com/limitgauge/limitgauge/sim/results"
)

// maxBins is the largest number of bins of a series.
const maxBins = 600

// Series returns the trial's series once it is closed, of all keys together. It names no
// row and has no limit.
func (r *Recorder) Series() results.Series {
	s := r.series.s
	if r.load != nil {
		s.Calls = r.load.series.counts
	}
	if r.settlement != nil && r.settlement.used {
		s.Stranded = r.settlement.series.means
	}
	if r.overspend != nil {
		s.Overspend = r.overspend.bins.counts
	}
	if m := r.concurrency; m != nil && m.limits != nil {
		s.Limit = m.series.means
		if m.probes != nil {
			s.Probes = m.begun.counts
		}
	}
	if r.jobs != nil {
		s.Finished, s.Retried = r.jobs.Finished.counts, r.jobs.Retried.counts
	}
	for _, p := range r.policies {
		s.Overspend = added(s.Overspend, p.overspend.bins.counts)
	}
	return s
}

// added returns the sums of two columns. A column may be nil.
func added(a, b []int64) []int64 {
	if a == nil {
		return slices.Clone(b)
	}
	for i := range b {
		a[i] += b[i]
	}
	return a
}

// seriesMeter sums cost by bins of time, at most maxBins, so memory is constant.
type seriesMeter struct {
	s        results.Series
	inflight int64
	filled   int // bins whose end has passed, for inflight
}

func newSeriesMeter(r *Recorder) *seriesMeter {
	m := &seriesMeter{s: newSeries(&r.cfg)}
	if r.cfg.Guarded {
		m.s.Inflight = make([]int64, len(m.s.Offered))
	}
	r.series = m
	return m
}

func newSeries(c *Config) results.Series {
	bin := binWidth(c.End - c.Start)
	n := (c.End - c.Start + bin - 1) / bin
	return results.Series{StartNs: c.Start, BinNs: bin, Offered: make([]int64, n), Admitted: make([]int64, n)}
}

// binned counts by the bins of a series.
type binned struct {
	counts   []int64
	now      int   // the present bin
	end, bin int64 // its end, and the width of a bin
}

func newBinned(c *Config) binned {
	s := newSeries(c)
	return binned{counts: s.Offered, end: s.StartNs + s.BinNs, bin: s.BinNs}
}

// add adds to the bin of a time in the span, which must not go back.
func (b *binned) add(now, n int64) {
	for now >= b.end {
		b.now++
		b.end += b.bin
	}
	b.counts[b.now] += n
}

// binWidth returns the smallest width of which maxBins cover a span, both in ns. So
// that windows consist of whole bins, it divides a second, a minute, an hour or a day,
// or is 1, 2, 5, 10, … days.
func binWidth(span int64) int64 {
	for unit := int64(1); ; unit *= 10 {
		multiples := []int64{1, 2, 5}
		switch unit {
		case 1e9:
			multiples = []int64{1, 2, 5, 10, 20, 30, 60, 120, 180, 300, 600, 900, 1200, 1800, 3600, 7200, 10_800, 21_600, 43_200}
		case 1e10:
			unit = 86_400e9
		}
		for _, k := range multiples {
			if (span-1)/(unit*k) < maxBins {
				return unit * k
			}
		}
	}
}

func (m *seriesMeter) Flow(f *Flow) {
	s := &m.s
	for lo, n := 0, len(f.Time); lo < n && !f.early; {
		bin := (f.Time[lo] - s.StartNs) / s.BinNs
		hi := endBefore(f.Time, lo, s.StartNs+(bin+1)*s.BinNs)
		if hi-lo == n {
			s.Offered[bin] += f.Sum.Offered
			s.Admitted[bin] += f.Sum.Admitted
			return
		}
		offered := f.Offered[lo:hi]
		admitted := f.Admitted[lo:hi][:len(offered)]
		var o, a int64
		for i := range offered {
			o += offered[i]
			a += admitted[i]
		}
		s.Offered[bin] += o
		s.Admitted[bin] += a
		lo = hi
	}
}

// setInflight sets the backend's load from now on.
func (m *seriesMeter) setInflight(now, n int64) {
	if m.s.Inflight == nil {
		return
	}
	for m.filled < len(m.s.Inflight) && m.s.StartNs+int64(m.filled+1)*m.s.BinNs <= now {
		m.s.Inflight[m.filled] = m.inflight
		m.filled++
	}
	m.inflight = n
}

func (m *seriesMeter) close(int64) {
	for ; m.filled < len(m.s.Inflight); m.filled++ {
		m.s.Inflight[m.filled] = m.inflight
	}
}
