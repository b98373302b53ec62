package formats

import (
	"embed"
	"strings"
)

//go:embed testdata/*.txtar
var formatFiles embed.FS

// Sample returns documented lines, those that begin the format's test data, or "" if there
// are none.
func (f *Format) Sample() string {
	text, err := formatFiles.ReadFile("testdata/" + f.Name + ".txtar")
	if err != nil {
		return ""
	}
	_, after, _ := strings.Cut("\n"+string(text), "\n-- sample --\n")
	sample, _, _ := strings.Cut(after, "\n-- ")
	return strings.TrimSuffix(sample, "\n") + "\n"
}
