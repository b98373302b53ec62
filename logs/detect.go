package logs

import (
	"fmt"
	"slices"
	"strings"
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

// level is a sample without some of the wrappers around its lines.
type level struct {
	around []*wrapper
	sample *sample
}

// maxWrappers limits how many wrappers are taken off a line.
const maxWrappers = 4

// levels returns the sample as it is, and without one wrapper after the other.
func levels(whole *sample) []level {
	list := []level{{nil, whole}}
	for depth := 0; depth < maxWrappers && !whole.document; depth++ {
		last := list[len(list)-1]
		for _, w := range wrappers {
			if inner, ok := w.sample(last.sample); ok {
				list = append(list, level{append(last.around[:depth:depth], w), inner})
				break
			}
		}
		if len(list) == depth+1 {
			break
		}
	}
	return list
}

// allows reports whether a format may stand inside the wrappers of a level.
func (l level) allows(f *format) bool {
	n := len(l.around)
	return n == 0 || !f.bare && (l.around[n-1].only == nil || slices.Contains(l.around[n-1].only, f))
}

// decide chooses the format of a file and the wrappers around its lines: the
// format that an option names, or the one that fits most of the sample. Where
// two fit equally, the one that registry lists first is taken. More wrappers win
// over fewer.
func decide(o *Options, in *input) error {
	all := levels(in.sample)
	switch {
	case o.format() != "auto":
		in.name(formatCalled(o.Format), all)
		return nil
	case o.Pattern != "":
		in.name(&regexFormat, all)
		return nil
	case o.Records != "" && len(in.sample.lines) == 0:
		in.f = &jsonFormat // reading says that there is no array
		return nil
	}
	var near level
	for _, l := range slices.Backward(all) {
		in.sample, in.around = l.sample, l.around
		scores := scoresOf(in, l)
		if best := highest(scores); best.f != nil {
			in.f, in.scores = best.f, scores
			return nil
		}
		if in.scores == nil || nearest(in.scores).f == nil && nearest(scores).f != nil {
			near, in.scores = l, scores
		}
		if n := len(in.around); n > 0 && in.around[n-1].firm {
			break // the lines inside are all that counts
		}
	}
	if in.before != nil && len(all[0].sample.lines) < fewLines {
		in.sample, in.around = all[0].sample, nil
		in.f, in.inherited = in.before, true
		return nil
	}
	in.sample, in.around = near.sample, near.around
	return in.undecided()
}

// name sets a format that an option names, inside as many wrappers as let it fit
// half of the sample. A pattern may be written for lines with their wrappers.
func (in *input) name(f *format, all []level) {
	in.f = f
	order := slices.Clone(all)
	if f != &regexFormat {
		slices.Reverse(order)
	}
	for _, l := range order {
		in.sample, in.around = l.sample, l.around
		if s := f.score(in); l.allows(f) && s.lines > 0 && s.half() {
			return
		}
	}
	in.sample, in.around = all[0].sample, nil
}

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
		if e, ok := err.(*Error); ok {
			s.why, s.line = e.Message, in.sample.line(e.Line).number
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
			t.wrapper = in.sample.line(lines.line).stamp
			_, bad = t.arrival(split.layout(), fields)
		}
		s.lines++
		if bad.bad() {
			if s.why == "" {
				s.why, s.line = in.o.shown(bad).String(), in.sample.line(lines.line).number
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
// nearest format: the one that fits most lines, or has the shape of most lines,
// or whose sample resembles the first line.
func (in *input) undecided() error {
	e := &Error{Reason: BadInput, File: in.file}
	inside := ""
	if len(in.around) > 0 {
		inside = " inside " + strings.Join(wrapperNames(in.around), " in ")
	}
	if near := nearest(in.scores); near.f != nil {
		e.Line = near.line
		e.Message = fmt.Sprintf("cannot tell the format%s: it looks like %s (%d %% of the sampled lines) but here: %s; --log-format %s reads it as that and counts such lines as malformed",
			inside, near.f.name, near.percent(), near.why, near.f.name)
		return e
	}
	for _, s := range in.scores {
		if s.f.shaped != nil && 2*s.f.shaped(in.sample) >= len(in.sample.lines) {
			e.Line, e.Message = s.line, fmt.Sprintf("looks like %s%s, but %s", s.f.name, inside, s.why)
			return e
		}
	}
	e.Line = in.sample.line(1).number
	if near, percent := resemblance(in.scores, in.sample.line(1).text); percent >= 60 {
		e.Line = near.line
		e.Message = fmt.Sprintf("cannot tell the format%s: it looks like %s (%d %% of the fields) but %s", inside, near.f.name, percent, near.why)
	} else {
		e.Message = "cannot tell the format" + inside + " by a sample of the lines"
	}
	e.Message += "; limitgauge formats lists the formats, replay --explain-format shows what each of them expects, and --regex reads any other lines"
	return e
}
