package logs

import (
	"fmt"
	"strings"

	words "github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/text"
)

// MalformedRules lists the values of Options.Malformed.
var MalformedRules = []string{"warn", "allow"}

// Problem describes one malformed record.
type Problem struct {
	File    string
	Line    int64 // from 1
	Message string
}

func (p Problem) String() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Message) }

// maxProblems is the number of malformed records that are kept with their
// position, of a file and of all files together.
const maxProblems = 5

// bad counts a malformed record.
func (b *builder) bad(line int64, f text.Flaw) {
	b.noted.Malformed++
	b.fileBad++
	f = b.o.Shown(f)
	if len(b.fileProblems) < maxProblems {
		b.fileProblems = append(b.fileProblems, Problem{b.o.Files[b.file], line, f.String()})
	}
}

// tooMalformed returns an error if more than half of the current file is
// malformed and the options do not allow it.
func (b *builder) tooMalformed() error {
	total := b.fileRows + b.fileBad
	if 2*b.fileBad <= total || b.o.Malformed == "allow" {
		return nil
	}
	e := &text.Error{Reason: text.BadInput, File: b.o.Files[b.file]}
	if b.fileRows == 0 {
		e.Message = fmt.Sprintf("all %s are malformed; the first ones:", words.Count(total, "line"))
		if total == 1 {
			e.Message = "its one line is malformed:"
		}
		if len(b.o.Files) > 1 {
			e.Message = "nothing of this file can be read (--malformed allow leaves it out): " + e.Message
		}
	} else {
		e.Message = fmt.Sprintf("%d of %s are malformed, more than half, read as %s: --log-format names another format, --malformed allow reads the other %d; the first malformed ones:",
			b.fileBad, words.Count(total, "line"), b.noted.Choices[len(b.noted.Choices)-1].Format, b.fileRows)
	}
	e.Message += problemLines(b.fileProblems)
	return e
}

// problemLines lists problems below a message.
func problemLines(problems []Problem) string {
	return strings.Join(lists.Map(problems, func(p Problem) string { return "\n  " + p.String() }), "")
}

// shownReasons is the number of malformed lines in a warning.
const shownReasons = 3

// warnMalformed returns a warning if more than 1 % of the current file is
// malformed.
func (b *builder) warnMalformed() []string {
	total := b.fileRows + b.fileBad
	if 100*b.fileBad <= total {
		return nil
	}
	shown := b.fileProblems[:min(shownReasons, len(b.fileProblems))]
	reasons := lists.Map(shown, func(p Problem) string { return fmt.Sprintf("line %d: %s", p.Line, p.Message) })
	return []string{fmt.Sprintf("%s: %d of %s malformed (%.1f %%) and left out: %s",
		b.o.Files[b.file], b.fileBad, words.Count(total, "line"), 100*float64(b.fileBad)/float64(total), strings.Join(reasons, "; "))}
}
