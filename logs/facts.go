package logs

import (
	"fmt"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/kept"
	"github.com/limitgauge/limitgauge/logs/times"
)

// Facts describes a recording as it was read, between start and end, before
// the options shift it, change its speed, repeat it, copy it or drop a share of
// it.
type Facts struct {
	Files        []string
	Format       string   // the detected formats of the files, separated by commas
	Choices      []Choice // how each file was read
	Rows         int64
	Malformed    int64     // records that could not be read
	Problems     []Problem // the first malformed records
	FirstNs      int64
	LastNs       int64
	Keys         int64
	PeakPerS     int64 // most requests in one calendar second
	MeanPerS     float64
	ResolutionNs int64 // largest of 1 s, 1 ms, 1 us, 100 ns and 1 ns that divides every stamp
	StepNs       int64 // ResolutionNs on the replay's clock: divided by the speed, rounded up
	OutOfOrder   int64 // records stamped earlier than the one before in the same file
	Cost         int64 // sum over rows
	Relative     bool  // times count from the trace's start, not from 1970
}

// overview collects facts that need all rows in time order.
type overview struct {
	peak     int64 // most rows in one calendar second
	second   int64 // rows of the current second
	end      int64 // the end of that second
	firstUse []firstUses
}

func newOverview(b *builder) *overview {
	return &overview{end: -1, firstUse: lists.Map(b.names, func(of interner) firstUses { return newFirstUses(len(of.names)) })}
}

// see updates the facts with the next rows.
func (o *overview) see(rows kept.Columns) {
	for _, t := range rows.Times() {
		if t >= o.end {
			o.second, o.end = 0, t-t%times.Second+times.Second
		}
		o.second++
		o.peak = max(o.peak, o.second)
	}
	for k := range o.firstUse {
		o.firstUse[k].note(rows.Codes[k])
	}
}

func (b *builder) facts(r *Recording, peak int64) Facts {
	f := b.noted
	f.Format, f.FirstNs, f.LastNs, f.PeakPerS = strings.Join(b.formats, ", "), r.run.First, r.run.Last, peak
	f.Keys = int64(len(r.Keys().Of))
	f.MeanPerS = float64(f.Rows) / float64(f.LastNs/times.Second-f.FirstNs/times.Second+1)
	f.ResolutionNs = b.sorter.Resolution()
	switch {
	case strings.HasPrefix(b.o.TimeFormat, "relative-"):
		f.Relative = true
	case b.o.TimeFormat == "" || b.o.TimeFormat == "auto":
		f.Relative = b.dated == 0 && f.LastNs < times.RelativeBelow
	}
	f.StepNs = f.ResolutionNs
	if s := b.o.Speed; s.Num > 0 {
		f.StepNs = max(1, ceilDiv(f.ResolutionNs, s.Num, s.Den))
	}
	return f
}

// WarnCoarse returns a warning if time stamps are too coarse for the window of
// a limit. Requests with equal stamps all arrive at once, and limiters differ
// in how they treat them. It warns if the resolution is a tenth of the window
// or more, and always if stamps are whole seconds.
func WarnCoarse(f Facts, windowNs int64) []string {
	step := time.Duration(f.StepNs)
	window := time.Duration(windowNs)
	switch {
	case f.StepNs >= windowNs:
		return []string{fmt.Sprintf("stamps resolve to %v, not less than the window of %v: a window's requests all seem to arrive at once, so this recording cannot tell algorithms apart", step, window)}
	case f.StepNs > (windowNs-1)/10:
		return []string{fmt.Sprintf("stamps resolve to %v, a tenth or more of the window of %v: how requests are spaced inside a window is lost, and with it most of what tells algorithms apart", step, window)}
	case f.ResolutionNs >= times.Second:
		return []string{fmt.Sprintf("stamps resolve to %v: requests with equal stamps seem to arrive at once, so bursts look steeper than they were and figures finer than that mean nothing", step)}
	}
	return nil
}
