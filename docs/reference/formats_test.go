package reference

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/logs"
)

// formats returns the table of the log formats.
func formats() string {
	var out strings.Builder
	out.WriteString("| format | written by | recognised by | time of arrival | key |\n| --- | --- | --- | --- | --- |\n")
	for _, f := range logs.AllFormats {
		name := f.Name
		if f.Source != "" {
			name = fmt.Sprintf("[%s](%s)", f.Name, f.Source)
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s |\n", name, f.By, f.Shows, f.Time, f.Key)
	}
	return out.String()
}
