package logs

import (
	"github.com/limitgauge/limitgauge/logs/text"
	"github.com/limitgauge/limitgauge/logs/times"
)

// score says how well a format fits a sample.
type score struct {
	f      *format
	fits   int
	lines  int  // records of the sample, without comments and headers
	header bool // the sample is this format's header, without a record
	marked bool
	line   int64 // of the first record that does not fit; 0 if it is not known
	why    string
}

// half reports whether the format fits at least half of the sample.
func (s score) half() bool { return s.header || s.lines > 0 && 2*s.fits >= s.lines }

// better reports whether more of the sample fits than another format.
func (s score) better(than score) bool {
	return than.f == nil || s.fits*max(1, than.lines) > than.fits*max(1, s.lines)
}

// percent returns how much of the sample fits.
func (s score) percent() int { return 100 * s.fits / max(1, s.lines) }

// highest returns the format that fits most of the sample, but at least half of
// it; f is nil if there is none.
func highest(scores []score) (best score) {
	for _, s := range scores {
		if s.half() && (s.f.marked == nil || s.marked) && s.better(best) {
			best = s
		}
	}
	for _, s := range scores {
		if best.f != nil && s.f.refines == best.f.name && s.half() && s.marked {
			return s
		}
	}
	return best
}

// nearest returns the format that fits most of the sample; f is nil if none fits
// a line.
func nearest(scores []score) (near score) {
	for _, s := range scores {
		if s.fits > 0 && (s.f.marked == nil || s.marked) && s.better(near) {
			near = s
		}
	}
	return near
}

// scoresOf returns the scores of all formats, in the order of registry.
func scoresOf(in *input, l level) []score {
	var scores []score
	for _, f := range registry {
		if !f.unscored && l.allows(f) {
			scores = append(scores, f.score(in))
		}
	}
	return scores
}

// score reads the sample as a file of this format.
func (f *format) score(in *input) score {
	s := score{f: f}
	o := *in.o
	o.Key, o.Keys, o.Client, o.Fields, o.Cost, o.Estimate, o.Answer, o.PerFile = "", nil, "", nil, nil, nil, "", true
	if f.open == nil && f.needs == nil {
		o.Time, o.End, o.Duration = "", "", ""
	}
	lines := in.sample.reader()
	split, err := f.start(&input{o: &o, f: f, file: in.file, lines: lines, sample: in.sample, around: in.around})
	if err != nil {
		s.lines = len(in.sample.lines)
		s.why = err.Error()
		if e, ok := err.(*text.Error); ok {
			s.why, s.line = e.Message, in.sample.line(e.Line).number
		}
		return s
	}
	t := timer{clock: times.NewClock(o.TimeFormat)}
	for {
		line, _, ok := lines.Next()
		if !ok {
			s.header = s.lines == 0
			return s
		}
		fields, bad := split.split(line)
		if fields == nil && !bad.Bad() {
			continue
		}
		if !bad.Bad() {
			t.wrapper = in.sample.line(lines.Line).stamp
			_, bad = t.arrival(split.layout(), fields)
		}
		s.lines++
		if bad.Bad() {
			if s.why == "" {
				s.why, s.line = in.o.shown(bad).String(), in.sample.line(lines.Line).number
			}
			continue
		}
		s.fits++
		if text, ok := split.(*textSplitter); ok && f.marked != nil && !s.marked {
			s.marked = f.marked(text.columns)
		}
	}
}
