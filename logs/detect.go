package logs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/text"
)

// fewLines is the number of lines below which a file whose format cannot be told
// is read in the format of the file before it.
const fewLines = 3

// decide chooses the format of a file and the wrappers around its lines: the
// format that an option names, or the one that fits most of the sample. Where
// two fit equally, the one that registry lists first is taken. More wrappers win
// over fewer.
func decide(o *Options, in *formats.Input) error {
	all := formats.Levels(in.Sample)
	switch {
	case in.Sample.Document && followed(in.Lines):
		return several(in.File)
	case o.format() != "auto":
		take(in, formats.Called(o.Format), all)
		return nil
	case o.Pattern != "":
		take(in, &formats.Regex, all)
		return nil
	case o.Records != "" && len(in.Sample.Lines) == 0:
		in.Format = &formats.JSON // reading says that there is no array
		return nil
	}
	var near formats.Level
	for _, l := range slices.Backward(all) {
		in.Sample, in.Around = l.Sample, l.Around
		scores := formats.ScoresOf(in, l)
		if best := formats.Highest(scores); best.Format != nil {
			in.Format, in.Scores = best.Format, scores
			return nil
		}
		if in.Scores == nil || formats.Nearest(in.Scores).Format == nil && formats.Nearest(scores).Format != nil {
			near, in.Scores = l, scores
		}
		if l.Firm() {
			break // the lines inside are all that counts
		}
	}
	if in.Before != nil && len(all[0].Sample.Lines) < fewLines {
		in.Sample, in.Around = all[0].Sample, nil
		in.Format, in.Inherited = in.Before, true
		return nil
	}
	in.Sample, in.Around = near.Sample, near.Around
	return undecided(in, all[0].Sample.Line(1).Text)
}

// take sets a format that an option names, inside as many wrappers as let it fit
// half of the sample. A pattern may be written for lines with their wrappers.
func take(in *formats.Input, f *formats.Format, all []formats.Level) {
	in.Format = f
	order := slices.Clone(all)
	if f != &formats.Regex {
		slices.Reverse(order)
	}
	for _, l := range order {
		in.Sample, in.Around = l.Sample, l.Around
		if s := f.Score(in); l.Allows(f) && s.Lines > 0 && s.Half() {
			return
		}
	}
	in.Sample, in.Around = all[0].Sample, nil
}

// undecided returns the error for a file that no format fits. It names the
// nearest format: the one that fits most lines, or has the shape of most lines,
// or whose sample resembles the first line, which whole is with its wrappers.
func undecided(in *formats.Input, whole []byte) error {
	e := &text.Error{Reason: text.BadInput, File: in.File}
	inside := ""
	if len(in.Around) > 0 {
		inside = " inside " + strings.Join(formats.WrapperNames(in.Around), " in ")
	}
	if near := formats.Nearest(in.Scores); near.Format != nil {
		e.Line = near.Line
		e.Message = fmt.Sprintf("cannot tell the format%s: it looks like %s (%d %% of the sampled lines) but here: %s; --log-format %s reads it as that and counts such lines as malformed",
			inside, near.Format.Name, near.Percent(), near.Why, near.Format.Name)
		return e
	}
	first := in.Sample.First()
	for _, s := range in.Scores {
		if s.Format.Shapes(in.Sample) {
			e.Line, e.Message = s.Line, fmt.Sprintf("looks like %s%s, but %s", s.Format.Name, inside, s.Why)
			if strings.HasPrefix(s.Why, "time is ") {
				e.Message += "; --time-layout says how it is written, such as '%d.%m.%Y %H:%M:%S'"
			} else if pattern, client := formats.Guess(first); client && s.Format.Named() && !in.Asked.Hide {
				e.Message += "; or read the lines with a pattern:\n  --regex '" + pattern + "'"
			}
			return e
		}
	}
	e.Line = in.Sample.Line(1).Number
	if in.Sample.Document && len(first) > 0 && first[0] != '{' {
		e.Message = "no array of records in the JSON document"
		return e
	}
	if near, percent := formats.Resemblance(in.Scores, first); percent >= 90 {
		e.Line = near.Line
		e.Message = fmt.Sprintf("cannot tell the format%s: it looks like %s (%d %% of the fields) but %s", inside, near.Format.Name, percent, near.Why)
	} else {
		e.Message = "cannot tell the format" + inside + " by a sample of the lines"
	}
	e.Message += "; limitgauge formats lists the formats, replay --explain-format shows what each of them expects, and --regex reads any other lines"
	pattern, client := formats.Guess(first)
	if outer, has := formats.Guess(whole); pattern == "" || !client && outer != "" {
		pattern, client = outer, has
	}
	switch {
	case pattern == "":
		e.Message += " that have a time; none is found in the first one"
	case in.Asked.Hide:
	case !client:
		e.Message += ", such as the first one, in which no client's address is found:\n  --shared --regex '" + pattern + "'"
	default:
		e.Message += ", such as the first one:\n  --regex '" + pattern + "'"
	}
	return e
}
