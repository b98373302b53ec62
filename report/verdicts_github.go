package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/limitgauge/limitgauge/report/format"
)

// MaxAnnotations is how many error annotations GitHub shows of one step.
const MaxAnnotations = 10

// verdictAnnotations writes an error annotation for each check that keeps the
// gate from passing, failures first, at most MaxAnnotations of them; then, as
// plain lines of the log, how many there are beside and the summary. They point
// at the line of the scenario file that states the threshold.
func verdictAnnotations(w io.Writer, v Verdicts) error {
	var out bytes.Buffer
	open := v.open()
	for _, one := range open[:min(len(open), MaxAnnotations)] {
		out.WriteString(one.annotation())
	}
	if more := len(open) - MaxAnnotations; more > 0 {
		fmt.Fprintf(&out, "%d more: the job summary and every other format list them\n", more)
	}
	fmt.Fprintf(&out, "gate %s\n", v.Summary())
	_, err := w.Write(out.Bytes())
	return err
}

// open are the verdicts that keep the gate from passing, failures first.
func (v Verdicts) open() []Verdict {
	var failed, unevaluated []Verdict
	for _, one := range v.all() {
		switch {
		case one.Status == Failed:
			failed = append(failed, one)
		case !one.Status.Holds() && !one.excused():
			unevaluated = append(unevaluated, one)
		}
	}
	return append(failed, unevaluated...)
}

// annotation is the verdict as a workflow command.
func (v Verdict) annotation() string {
	var properties []string
	property := func(name, value string) {
		properties = append(properties, name+"="+commandProperty.Replace(format.Clean(value)))
	}
	if v.File != "" {
		property("file", v.File)
		if v.Line > 0 {
			property("line", fmt.Sprint(v.Line))
			if v.Col > 0 {
				property("col", fmt.Sprint(v.Col))
			}
		}
	}
	property("title", fmt.Sprintf("gate %s: %s", v.Status, v.Scenario))
	return fmt.Sprintf("::error %s::%s\n", strings.Join(properties, ","), commandMessage.Replace(format.Clean(v.String())))
}

// The characters that end a workflow command's message or one of its
// properties, and what the runner reads as them.
var (
	commandMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
