package logs

import (
	"fmt"
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

func (s score) better(than score) bool {
	return than.f == nil || s.fits*max(1, than.lines) > than.fits*max(1, s.lines)
}

func (s score) percent() int { return 100 * s.fits / max(1, s.lines) }

// fewLines is the number of lines below which a file whose format cannot be told
// is read in the format of the file before it.
const fewLines = 3

// decide returns the format of a file: the one that an option names, or the one
// that fits most of the sample. Where two fit equally, the one that registry
// lists first is taken.
func decide(in *input) (*format, error) {
	o := in.o
	switch {
	case o.format() != "auto":
		return formatCalled(o.Format), nil
	case o.Pattern != "":
		return &regexFormat, nil
	case o.Records != "" && len(in.sample.lines) == 0:
		return &jsonFormat, nil // reading says that there is no array
	}
	scores := scoresOf(in)
	var best score
	for _, s := range scores {
		if s.half() && (s.f.marked == nil || s.marked) && s.better(best) {
			best = s
		}
	}
	if best.f == nil {
		if in.before != nil && len(in.sample.lines) < fewLines {
			return in.before, nil
		}
		return nil, in.undecided(scores)
	}
	for _, s := range scores {
		if s.f.refines == best.f.name && s.half() && s.marked {
			best = s
		}
	}
	return best.f, nil
}

// scoresOf returns the scores of all formats, in the order of registry.
func scoresOf(in *input) []score {
	var scores []score
	for _, f := range registry {
		if !f.unscored {
			scores = append(scores, f.score(in))
		}
	}
	return scores
}

// score reads the sample as a file of this format.
func (f *format) score(in *input) score {
	s := score{f: f}
	o := *in.o
	o.Key, o.Client, o.Fields, o.Cost, o.PerFile = "", "", nil, nil, true
	if f.open == nil && f.needs == nil {
		o.Time, o.End, o.Duration = "", "", ""
	}
	lines := in.sample.reader()
	split, err := f.start(&input{o: &o, f: f, file: in.file, lines: lines, sample: in.sample})
	if err != nil {
		s.lines = len(in.sample.lines)
		s.why = err.Error()
		if e, ok := err.(*Error); ok {
			s.why, s.line = e.Message, in.sample.number(e.Line)
		}
		return s
	}
	t := timer{clock: newClock(o.TimeFormat)}
	for {
		line, _, ok := lines.next()
		if !ok {
			s.header = s.lines == 0
			return s
		}
		fields, bad := split.split(line)
		if fields == nil && !bad.bad() {
			continue
		}
		if !bad.bad() {
			_, bad = t.arrival(split.layout(), fields)
		}
		s.lines++
		if bad.bad() {
			if s.why == "" {
				s.why, s.line = bad.String(), in.sample.number(lines.line)
			}
			continue
		}
		s.fits++
		if text, ok := split.(*textSplitter); ok && f.marked != nil && !s.marked {
			s.marked = f.marked(text.columns)
		}
	}
}

// undecided returns the error for a file that no format fits. It names the
// nearest format, if any line fits one.
func (in *input) undecided(scores []score) error {
	var near score
	for _, s := range scores {
		if s.fits > 0 && s.better(near) {
			near = s
		}
	}
	e := &Error{Reason: BadInput, File: in.file, Line: 1}
	if near.f == nil {
		e.Message = "cannot tell the format by a sample of the lines: name it with --log-format (limitgauge formats lists them), " +
			"and the field that holds the time with --time-field; limitgauge replay --explain-format shows what each format expects"
		return e
	}
	e.Line = near.line
	e.Message = fmt.Sprintf("cannot tell the format: it looks like %s (%d %% of the sampled lines) but here: %s; --log-format %s reads it as that all the same",
		near.f.name, near.percent(), near.why, near.f.name)
	return e
}

// stampField returns the field that the options name for the time stamp, or "".
func (o *Options) stampField() string {
	if o.Time != "" {
		return o.Time
	}
	return o.End
}
