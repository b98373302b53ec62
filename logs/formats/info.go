package formats

import (
	"embed"
	"strings"
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
	var list []Info
	for _, f := range registry {
		list = append(list, Info{f.Name, f.by, f.shows, f.time, f.key, f.source, f.sample()})
	}
	return list
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
