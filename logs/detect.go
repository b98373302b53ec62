package logs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/logs/text"
)

// fewLines is the number of lines below which a file whose format cannot be told
// is read in the format of the file before it.
const fewLines = 3

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
		if l.firm() {
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

// undecided returns the error for a file that no format fits. It names the
// nearest format: the one that fits most lines, or has the shape of most lines,
// or whose sample resembles the first line.
func (in *input) undecided() error {
	e := &text.Error{Reason: text.BadInput, File: in.file}
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
		if s.f.shapes(in.sample) {
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
