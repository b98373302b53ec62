package scenarios

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

//go:embed suites/*.yaml templates/*.yaml searches/*.yaml
var suiteFiles embed.FS

// Suite is a scenario file that ships inside the program.
type Suite struct {
	Name   string
	About  string // the first line of the file's leading comment
	Source []byte
}

// Suites returns the shipped scenario files: first the short ones that users
// start from, then those of docs/systems, then Searches.
func Suites() []Suite { return slices.Concat(Starters(), shipped("suites"), Searches()) }

// Templates returns the templates of init: Suites, and the one of FindExec.
func Templates() []Suite {
	return slices.Concat(Starters(), []Suite{execSuite()}, shipped("suites"), Searches())
}

// Starters returns the short shipped files that users start from.
func Starters() []Suite { return shipped("templates") }

// Searches returns the shipped files with axes and a promise, for tune and sweep. They
// are no gates: a run with the values of the file may break the promise.
func Searches() []Suite { return shipped("searches") }

// shipped lists the files of a folder by name.
func shipped(folder string) []Suite {
	files, err := suiteFiles.ReadDir(folder)
	if err != nil {
		panic(err) // the directory is part of the program
	}
	return mapped(files, func(f fs.DirEntry) Suite {
		return suiteOf(strings.TrimSuffix(f.Name(), ".yaml"), mustRead(suiteFiles, folder+"/"+f.Name()))
	})
}

// suiteOf returns the suite of a file's text.
func suiteOf(name string, source []byte) Suite {
	first, _, _ := strings.Cut(string(source), "\n")
	return Suite{Name: name, About: strings.TrimSpace(strings.TrimLeft(first, "#")), Source: source}
}

// mustRead returns a file that is part of the program.
func mustRead(files embed.FS, path string) []byte {
	source, err := files.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return source
}

// FindSuite returns the suite called name.
func FindSuite(name string) (Suite, error) { return findSuite("suite", name, Suites()) }

// FindTemplate returns the template called name.
func FindTemplate(name string) (Suite, error) { return findSuite("template", name, Templates()) }

func findSuite(what, name string, all []Suite) (Suite, error) {
	known := mapped(all, func(s Suite) string { return s.Name })
	if i := slices.Index(known, name); i >= 0 {
		return all[i], nil
	}
	return Suite{}, unknownName(what, name, known)
}
