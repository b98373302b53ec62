package verdicts

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report/gate"
)

// MaxAnnotations is the number of error annotations that GitHub shows of one step.
const MaxAnnotations = 10

// writeAnnotations writes an error annotation for each check that keeps the gate
// from passing, failures first, at most MaxAnnotations of them. It then writes
// the number of further ones and the summary as plain lines of the log. An
// annotation points to the line of the scenario file that states the threshold.
func writeAnnotations(w io.Writer, v gate.Verdicts) error {
	var out bytes.Buffer
	open := v.Open()
	for _, one := range open[:min(len(open), MaxAnnotations)] {
		out.WriteString(annotation(one))
	}
	if more := len(open) - MaxAnnotations; more > 0 {
		fmt.Fprintf(&out, "%d more: the job summary and every other format list them\n", more)
	}
	fmt.Fprintf(&out, "gate %s\n", v.Summary())
	_, err := w.Write(out.Bytes())
	return err
}

// annotation returns the verdict as a workflow command.
func annotation(v gate.Verdict) string {
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

// Escapes for the characters that end the message or a property of a workflow
// command.
var (
	commandMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
