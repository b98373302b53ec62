package formats

import (
	"embed"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// Info describes a format that Read knows.
type Info struct {
	Name   string
	By     string // who writes it
	Shows  string // what it is recognised by
	Time   string // how the time of arrival is computed
	Key    string // the client's address
	Source string // URL of the documentation, "" if there is none
	Sample string // documented lines, "" if there are none
}

//go:embed testdata/*.txtar
var formatFiles embed.FS

// Infos describes all formats, in the order of Names.
func Infos() []Info {
	return lists.Map(registry, func(f *Format) Info { return Info{f.Name, f.by, f.shows, f.time, f.key, f.source, f.sample()} })
}

// sample returns the first sample of the format's test data.
func (f *Format) sample() string {
	text, err := formatFiles.ReadFile("testdata/" + f.Name + ".txtar")
	if err != nil {
		return ""
	}
	_, after, _ := strings.Cut("\n"+string(text), "\n-- sample --\n")
	sample, _, _ := strings.Cut(after, "\n-- ")
	return strings.TrimSuffix(sample, "\n") + "\n"
}
