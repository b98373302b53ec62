package trace

import (
	"fmt"
	"strings"
	"time"
)

// Facts describe the recording as it was read, between start and until, before
// it was shifted, sped up, repeated or copied.
type Facts struct {
	Files        []string
	Format       string // what the files turned out to be; several are separated by commas
	Rows         int64
	Malformed    int64     // records that could not be read
	Problems     []Problem // the first of them
	Outside      int64     // good records that start and until left out
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

// resolutions are the units that stamps come in, largest first.
var resolutions = []int64{1e9, 1e6, 1e3, 100, 1}

// relativeBelow tells small numbers, counted from a trace's start, from times
// since 1970: no recording that is to be replayed was made before March 1973.
const relativeBelow = int64(1e8) * second

func (b *builder) facts(cost int64) Facts {
	times := b.rec.Time
	first, last := times[0], times[len(times)-1]
	f := Facts{
		Files:        b.o.Files,
		Format:       strings.Join(b.formats, ", "),
		Rows:         int64(len(times)),
		Malformed:    b.malformed,
		Problems:     b.problems,
		Outside:      b.outside,
		FirstNs:      first,
		LastNs:       last,
		Keys:         int64(len(b.rec.KeyNames)),
		PeakPerS:     peakPerSecond(times),
		MeanPerS:     float64(len(times)) / float64(last/second-first/second+1),
		ResolutionNs: resolution(times),
		OutOfOrder:   b.disorder,
		Cost:         cost,
	}
	switch {
	case strings.HasPrefix(b.o.TimeFormat, "relative-"):
		f.Relative = true
	case b.o.TimeFormat == "" || b.o.TimeFormat == "auto":
		f.Relative = b.dated == 0 && last < relativeBelow
	}
	f.StepNs = f.ResolutionNs
	if s := b.o.Speed; s.Num > 0 {
		f.StepNs = max(1, ceilDiv(f.ResolutionNs, s.Num, s.Den))
	}
	return f
}

// peakPerSecond counts the fullest calendar second of sorted times.
func peakPerSecond(times []int64) (peak int64) {
	count, end := int64(0), int64(-1)
	for _, t := range times {
		if t >= end {
			count, end = 0, t-t%second+second
		}
		count++
		peak = max(peak, count)
	}
	return peak
}

// resolution is the largest unit that divides all times.
func resolution(times []int64) int64 {
	unit := 0
	for _, t := range times {
		for t%resolutions[unit] != 0 {
			unit++
		}
	}
	return resolutions[unit]
}

// WarnCoarse says where stamps are too coarse for a limit's window: limiters
// differ in what they do inside it, and requests that share a stamp all arrive
// at once. It warns when a stamp is a tenth of the window or more, and always
// when stamps are whole seconds.
func WarnCoarse(f Facts, windowNs int64) []string {
	step := time.Duration(f.StepNs)
	window := time.Duration(windowNs)
	switch {
	case f.StepNs >= windowNs:
		return []string{fmt.Sprintf("stamps resolve to %v, not less than the window of %v: a window's requests all seem to arrive at once, so this recording cannot tell algorithms apart", step, window)}
	case f.StepNs > (windowNs-1)/10:
		return []string{fmt.Sprintf("stamps resolve to %v, a tenth or more of the window of %v: how requests are spaced inside a window is lost, and with it most of what tells algorithms apart", step, window)}
	case f.ResolutionNs >= second:
		return []string{fmt.Sprintf("stamps resolve to %v: requests of one %v all seem to arrive at once, so bursts look steeper than they were and figures finer than that mean nothing", step, step)}
	}
	return nil
}
