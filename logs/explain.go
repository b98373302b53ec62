package logs

import (
	"context"

	"github.com/limitgauge/limitgauge/logs/text"
)

// Explanation says why a file is read in a format, or why it is refused.
type Explanation struct {
	File    string
	Sampled int           // lines of the sample
	Peeled  []string      // wrappers that were taken off before the scores
	Scores  []FormatScore // of all candidates
	Choice  Choice        // the decision; its counts are 0
	Err     error         // why the file is refused, or nil
}

// FormatScore says how well a format fits a sample.
type FormatScore struct {
	Format  string
	Percent int    // of the sampled records that fit
	Line    int64  // of the first one that does not; 0 if it is not known
	Why     string // what it lacks, "" if all fit
}

// Explain samples each file as Read does, and returns the decisions. The error
// is that of a file that cannot be read.
func Explain(ctx context.Context, o Options) ([]Explanation, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Pattern != "" {
		o.withGroups()
	}
	b := &builder{ctx: ctx, o: &o, sources: newSources(&o)}
	var list []Explanation
	for i, name := range o.Files {
		r, done, err := b.sources.open(name)
		if err != nil {
			return nil, text.NotOpened(name, err)
		}
		b.file = i
		lines := text.NewLines(r)
		in := b.input(lines)
		list = append(list, b.explain(in))
		done()
		if lines.Err != nil {
			return nil, r.Broken(name, lines.Err)
		}
	}
	return list, nil
}

func (b *builder) explain(in *input) Explanation {
	e := Explanation{File: in.file, Sampled: len(in.sample.lines)}
	if in.empty() {
		e.Err = &text.Error{Reason: text.BadInput, File: in.file, Message: "no requests"}
		return e
	}
	e.Err = decide(b.o, in)
	if in.scores == nil {
		in.scores = scoresOf(in, level{in.around, in.sample})
	}
	for _, s := range in.scores {
		e.Scores = append(e.Scores, FormatScore{s.f.name, s.percent(), s.line, s.why})
	}
	e.Peeled = wrapperNames(in.around)
	if e.Err != nil {
		return e
	}
	b.format = in.f
	b.timer.clock = b.o.clock()
	if e.Err = b.settle(in); e.Err != nil {
		return e
	}
	lines := in.sample.reader()
	split, err := in.f.start(&input{o: in.o, f: in.f, file: in.file, lines: lines, sample: in.sample, around: in.around})
	if e.Err = err; err != nil || split == nil {
		return e
	}
	for line, _, ok := lines.Next(); ok; line, _, ok = lines.Next() {
		if fields, bad := split.split(line); fields != nil && !bad.Bad() {
			b.timer.wrapper = in.sample.line(lines.Line).stamp
			b.timer.arrival(split.layout(), fields)
		}
	}
	e.Choice = b.choice(in, split.layout())
	return e
}
