package formats

import (
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/text"
	"github.com/limitgauge/limitgauge/logs/times"
)

// Score says how well a format fits a sample.
type Score struct {
	Format *Format
	fits   int
	Lines  int  // records of the sample, without comments and headers
	header bool // the sample is this format's header, without a record
	marked bool
	Line   int64 // of the first record that does not fit; 0 if it is not known
	Why    string
}

// Half reports whether the format fits at least half of the sample.
func (s Score) Half() bool { return s.header || s.Lines > 0 && 2*s.fits >= s.Lines }

// better reports whether more of the sample fits than another format.
func (s Score) better(than Score) bool {
	return than.Format == nil || s.fits*max(1, than.Lines) > than.fits*max(1, s.Lines)
}

// Percent returns how much of the sample fits.
func (s Score) Percent() int { return 100 * s.fits / max(1, s.Lines) }

// leastNamed is the percentage of a sample from which on a format that names its JSON
// fields is taken before a general one. Below half of the lines, reading then refuses
// the file.
const leastNamed = 10

// Highest returns the format that fits most of the sample, but at least half of
// it; f is nil if there is none. A general format also reads the lines that a
// server writes between its requests, so any other one is taken before it.
func Highest(scores []Score) (best Score) {
	for _, s := range scores {
		if !s.Half() || s.Format.marked != nil && !s.marked {
			continue
		}
		fits := s.better(best)
		if best.Format != nil && best.Format.general != s.Format.general {
			fits = best.Format.general
		}
		if fits {
			best = s
		}
	}
	if best.Format != nil && best.Format.general { // do not take a server's messages for requests
		if named := Nearest(lists.Where(scores, func(s Score) bool { return s.Format.needs != nil && s.Percent() >= leastNamed })); named.Format != nil {
			return named
		}
	}
	for _, s := range scores {
		if best.Format != nil && s.Format.refines == best.Format.Name && s.Half() && s.marked {
			return s
		}
	}
	return best
}

// Nearest returns the format that fits most of the sample; f is nil if none fits
// a line.
func Nearest(scores []Score) (near Score) {
	for _, s := range scores {
		if s.fits > 0 && (s.Format.marked == nil || s.marked) && s.better(near) {
			near = s
		}
	}
	return near
}

// ScoresOf returns the scores of all formats, in the order of All.
func ScoresOf(in *Input, l Level) []Score {
	scored := lists.Where(All, func(f *Format) bool { return !f.unscored && l.Allows(f) })
	return lists.Map(scored, func(f *Format) Score { return f.Score(in) })
}

// Score reads the sample as a file of this format.
func (f *Format) Score(in *Input) Score {
	s := Score{Format: f}
	o := *in.Asked
	o.Key, o.Keys, o.Client, o.Fields, o.Optional, o.Cost, o.Estimate, o.Answer, o.Where, o.PerFile = "", nil, "", nil, nil, nil, nil, "", nil, true
	if f.open == nil && f.needs == nil {
		o.Time, o.End, o.Duration = "", "", ""
	}
	t := Timer{Clock: times.NewClock(o.TimeFormat, o.TimeLayout)}
	sampled := &Input{Asked: &o, Format: f, File: in.File, Sample: in.Sample, Around: in.Around}
	_, err := sampled.OverSample(&t, func(split Splitter, fields [][]byte, bad text.Flaw, line int64) {
		if !bad.Bad() {
			_, bad = t.Arrival(split.Layout(), fields)
		}
		if s.Lines++; bad.Bad() {
			if s.Why == "" {
				s.Why, s.Line = in.Asked.Shown(bad).String(), line
			}
			return
		}
		s.fits++
		if text, ok := split.(*textSplitter); ok && f.marked != nil && !s.marked {
			s.marked = f.marked(text.columns)
		}
	})
	if err != nil {
		s.Lines = len(in.Sample.Lines)
		s.Why = err.Error()
		if e, ok := err.(*text.Error); ok {
			s.Why, s.Line = e.Message, in.Sample.Line(e.Line).Number
		}
		return s
	}
	s.header = s.Lines == 0
	return s
}
