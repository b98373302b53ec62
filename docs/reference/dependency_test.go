package reference

import (
	"encoding/json"
	"fmt"
	"go/build"
	"os/exec"
	"slices"
	"strings"
)

// requirement describes a module that go.mod requires.
type requirement struct {
	Path, Version string
	Indirect      bool
}

// requirements reads the direct requirements of go.mod.
func requirements() ([]requirement, error) {
	out, err := golang("mod", "edit", "-json")
	if err != nil {
		return nil, err
	}
	var mod struct{ Require []requirement }
	err = json.Unmarshal(out, &mod)
	return slices.DeleteFunc(mod.Require, func(r requirement) bool { return r.Indirect }), err
}

// golang runs the go command and returns its output.
func golang(args ...string) ([]byte, error) {
	run := exec.Command("go", args...)
	out, err := run.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}

// dependency states the required version of a module and the packages that
// import it.
func dependency(path string) (string, error) {
	all, err := requirements()
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(all, func(r requirement) bool { return r.Path == path })
	if i < 0 {
		return "", fmt.Errorf("go.mod does not require %q directly", path)
	}
	program, tests, err := importers(path)
	if err != nil {
		return "", err
	}
	out := "`" + all[i].Version + "`"
	if len(program) > 0 {
		out += "; imported by " + strings.Join(program, ", ")
	}
	if len(tests) > 0 {
		out += "; in tests of " + strings.Join(tests, ", ")
	}
	return out + ".\n", nil
}

// importers returns the folders that import a module: those of the program, and
// those of which tests import it. It reads the files with the tag network, too, but
// does not resolve what they import, which would download it.
func importers(module string) (program, tests []string, err error) {
	out, err := golang("list", "-f", "{{.Dir}}\t{{.ImportPath}}", "./...")
	if err != nil {
		return nil, nil, err
	}
	files := build.Default
	files.BuildTags = append(slices.Clone(files.BuildTags), "network")
	inModule := func(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }
	for line := range strings.Lines(string(out)) {
		dir, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		p, err := files.ImportDir(dir, 0)
		if err != nil {
			return nil, nil, err
		}
		folder := "`" + strings.TrimPrefix(path, "github.com/limitgauge/limitgauge/") + "`"
		if slices.ContainsFunc(p.Imports, inModule) {
			program = append(program, folder)
		}
		if slices.ContainsFunc(slices.Concat(p.TestImports, p.XTestImports), inModule) {
			tests = append(tests, folder)
		}
	}
	slices.Sort(program)
	slices.Sort(tests)
	return program, tests, nil
}
