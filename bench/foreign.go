package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed foreign/queue.cc foreign/shapes.h foreign/processes.py
var foreignSources embed.FS

// foreign runs contestants in other languages. A program reports its number of
// operations. The time is that of the whole process, which adds a few
// milliseconds to a run of a minute.
type foreign struct {
	dir    string
	queue  string // the C++ program; "" if there is no compiler
	python string // an interpreter that has SimPy; "" if there is none
}

func newForeign() (f *foreign, err error) {
	f = &foreign{}
	if f.dir, err = os.MkdirTemp("", "limitgauge-bench"); err != nil {
		return nil, err
	}
	for _, name := range []string{"queue.cc", "shapes.h", "processes.py"} {
		text, err := foreignSources.ReadFile("foreign/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(f.dir, name), text, 0o600)
		}
		if err != nil {
			return nil, errors.Join(err, f.close())
		}
	}
	if compiler, err := exec.LookPath("g++"); err == nil {
		program := filepath.Join(f.dir, "queue")
		if out, err := exec.Command(compiler, "-O2", "-o", program, filepath.Join(f.dir, "queue.cc")).CombinedOutput(); err != nil {
			return nil, errors.Join(fmt.Errorf("g++: %w: %s", err, out), f.close())
		}
		f.queue = program
	}
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, filepath.Join(f.dir, "processes.py"), "1e-6").Run() == nil {
			f.python = python
			break
		}
	}
	return f, nil
}

func (f *foreign) close() error { return os.RemoveAll(f.dir) }

// contestants returns std::priority_queue, compiled with -O2, over Poisson
// sources and over sources of ten patterns, and SimPy. SimPy simulates a
// twentieth of the time span, because it is a few hundred times slower.
func (f *foreign) contestants() []contestant {
	const noCompiler, noSimPy = "no g++ here", "no SimPy here (Debian: python3-simpy)"
	return []contestant{
		rivalProgram("C++ std::priority_queue", noCompiler, f.queue, "60"),
		rivalProgram("C++ std::priority_queue, ten shapes", noCompiler, f.queue, "60", "shapes"),
		rivalProgram("SimPy", noSimPy, f.python, filepath.Join(f.dir, "processes.py"), "3"),
	}
}

// rivalProgram returns a contestant that runs a program, or is skipped if there is
// none.
func rivalProgram(name, missing, path string, args ...string) contestant {
	c := contestant{name: name, run: func(ctx context.Context) (int, error) { return rival(ctx, path, args...) }}
	if path == "" {
		c.skip = missing
	}
	return c
}

// rival runs a program and reads how many attempts it made.
func rival(ctx context.Context, name string, args ...string) (int, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return 0, err
	}
	var n, admitted int
	var seconds float64
	if _, err := fmt.Sscan(string(out), &n, &admitted, &seconds); err != nil {
		return 0, fmt.Errorf("%q: %w", out, err)
	}
	if share := float64(admitted) / float64(n); share < 0.4 || share > 0.7 {
		return 0, fmt.Errorf("admitted %d of %d", admitted, n)
	}
	return n, nil
}
