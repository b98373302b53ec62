package scenarios

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed suites/*.yaml
var suiteFiles embed.FS

// Suite is a scenario file that ships inside the program.
type Suite struct {
	Name   string
	About  string // the first line of the file's leading comment
	Source []byte
}

// Suites lists the shipped scenario files by name.
func Suites() []Suite {
	files, err := suiteFiles.ReadDir("suites")
	if err != nil {
		panic(err) // the directory is part of the program
	}
	var list []Suite
	for _, f := range files {
		source, err := suiteFiles.ReadFile("suites/" + f.Name())
		if err != nil {
			panic(err)
		}
		first, _, _ := strings.Cut(string(source), "\n")
		list = append(list, Suite{
			Name:   strings.TrimSuffix(f.Name(), ".yaml"),
			About:  strings.TrimSpace(strings.TrimLeft(first, "#")),
			Source: source,
		})
	}
	return list
}

// FindSuite returns the suite called name.
func FindSuite(name string) (Suite, error) {
	var known []string
	for _, s := range Suites() {
		if s.Name == name {
			return s, nil
		}
		known = append(known, s.Name)
	}
	return Suite{}, fmt.Errorf("no suite is called %s%s", clip(name), suggestOrList(name, known))
}
