package cli

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
)

// gates is a gate that passes if nothing ends it. It writes three reports: the file,
// standard output and the job summary.
var gates = []string{"gate", "s.yaml", "-q", "--format", "github", "-o", "r.xml"}

// times are what two reports of the same run differ in.
var times = regexp.MustCompile(` time="[0-9.]+"`)

func isReport(name string) bool { return slices.Contains([]string{"r.xml", "stdout", "sum.md"}, name) }

// judgeReport returns an error if the report of an interrupted gate is not whole, or
// is green.
func judgeReport(name string, text []byte) error {
	sound := false
	switch name {
	case "r.xml":
		var report struct {
			Errors int `xml:"errors,attr"`
		}
		sound = xml.Unmarshal(text, &report) == nil && report.Errors > 0 && bytes.Contains(text, []byte(`name="interrupted"`))
	case "stdout":
		sound = bytes.HasPrefix(text, []byte("::error ")) && bytes.Contains(text, []byte("\ngate unevaluated: "))
	case "sum.md":
		sound = bytes.HasPrefix(text, []byte("### limitgauge gate: unevaluated\n")) && bytes.Contains(text, []byte("| interrupted |"))
	}
	if !sound {
		return fmt.Errorf("is green or not whole\n%s", text)
	}
	return nil
}
