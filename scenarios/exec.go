package scenarios

import (
	"embed"
	"strings"
)

//go:embed exec/limiter.yaml exec/python/limiter.py exec/javascript/limiter.js exec/go/limiter.go
var execFiles embed.FS

// ExecName is the name of the template that has a limiter in another language.
const ExecName = "exec"

// execLanguages are the languages of the template, with the file of each and the
// program that runs it.
var execLanguages = []struct{ name, file, exec string }{
	{"python", "limiter.py", "[python3, limiter.py]"},
	{"javascript", "limiter.js", "[node, limiter.js]"},
	{"go", "limiter.go", "[go, run, limiter.go]"},
}

// ExecLanguages returns the languages of the template; the first is the default.
func ExecLanguages() (names []string) {
	for _, l := range execLanguages {
		names = append(names, l.name)
	}
	return names
}

// Limiter is the source of a limiter that ships with a scenario file.
type Limiter struct {
	File   string // its name, without a folder
	Source []byte
}

// FindExec returns the template for a language: a scenario file, and the limiter
// that belongs in the same folder.
func FindExec(language string) (Suite, Limiter, error) {
	for _, l := range execLanguages {
		if l.name != language {
			continue
		}
		suite := execSuite()
		usual := execLanguages[0]
		suite.Source = []byte(strings.NewReplacer(usual.exec, l.exec, usual.file, l.file).Replace(string(suite.Source)))
		return suite, Limiter{l.file, mustRead(execFiles, "exec/"+l.name+"/"+l.file)}, nil
	}
	return Suite{}, Limiter{}, unknownName("language", language, ExecLanguages())
}

func execSuite() Suite { return suiteOf(ExecName, mustRead(execFiles, "exec/limiter.yaml")) }
