package logs

import (
	"context"

	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/text"
)

// Explanation says why a file is read in a format, or why it is refused.
type Explanation struct {
	File    string
	Sampled int             // lines of the sample
	Peeled  []string        // wrappers that were taken off before the scores
	Scores  []formats.Score // of all candidates
	Choice  Choice          // the decision; its counts are 0
	Err     error           // why the file is refused, or nil
}

// Explain samples each file as Read does, and returns the decisions. The error
// is that of a file that cannot be read.
func Explain(ctx context.Context, o Options) ([]Explanation, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.WithGroups()
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

func (b *builder) explain(in *formats.Input) Explanation {
	e := Explanation{File: in.File, Sampled: len(in.Sample.Lines)}
	if in.Empty() {
		e.Err = &text.Error{Reason: text.BadInput, File: in.File, Message: "no requests"}
		return e
	}
	e.Err = decide(b.o, in)
	if in.Scores == nil {
		in.Scores = formats.ScoresOf(in, formats.Level{Around: in.Around, Sample: in.Sample})
	}
	e.Scores, e.Peeled = in.Scores, formats.WrapperNames(in.Around)
	if e.Err != nil {
		return e
	}
	b.format = in.Format
	b.timer.Clock = b.o.clock()
	if e.Err = in.Settle(&b.timer.Clock); e.Err != nil {
		return e
	}
	split, err := in.OverSample(&b.timer, func(split formats.Splitter, fields [][]byte, bad text.Flaw, _ int64) {
		if !bad.Bad() {
			b.timer.Arrival(split.Layout(), fields)
		}
	})
	if e.Err = err; err != nil || split == nil {
		return e
	}
	e.Choice = b.choice(in, split.Layout())
	return e
}
