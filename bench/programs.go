package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/outside/process"
)

// limiterFlag makes this program a limiter that reads requests and writes answers.
const limiterFlag = "-limiter"

// programs returns a token bucket inside the engine, and token buckets in other
// processes. Their times include that of starting the process.
func programs(f *foreign) []group {
	const workload = "duration: 100s\nalgorithms:\n  mine: %s\nscenarios:\n  - name: one\n    policy: {limit: 5000/s, burst: 500}\n" +
		"    traffic: [{pattern: poisson, rate: 10000/s, key: k}]\n    algorithms: [mine]\n"
	text := func(definition string) string { return fmt.Sprintf(workload, definition) }
	own, err := os.Executable()
	g := group{
		name: "programs", unit: "decision",
		what: "10,000/s offered to one token bucket of 5,000/s for 100 s",
		contestants: []contestant{
			engine("limitgauge, token-bucket", text("{preset: token-bucket}")),
			outsideEngine("a Go process that parses by itself", text(fmt.Sprintf("{exec: [%q, %q]}", own, limiterFlag))),
		},
	}
	if err != nil {
		g.contestants[1].skip = err.Error()
	}
	for _, c := range []struct{ language, runner, name string }{
		{"go", "", "the template in Go"},
		{"python", "python3", "the template in Python"},
		{"javascript", "node", "the template in JavaScript"},
	} {
		g.contestants = append(g.contestants, f.template(c.language, c.runner, c.name, text))
	}
	return []group{g}
}

// outsideEngine is engine for a scenario whose limiter is a program.
func outsideEngine(name, text string) contestant {
	return contestant{name: name, run: func(ctx context.Context) (int, error) {
		return simulate(ctx, "version: 1\nreplications: 1\n"+text, sim.Options{Workers: 1, Programs: process.Make, AllowExec: true})
	}}
}

// template returns a contestant that runs a limiter that ships with limitgauge.
// runner is the interpreter; "" compiles the limiter.
func (f *foreign) template(language, runner, name string, text func(definition string) string) contestant {
	skipped := func(why string) contestant { return contestant{name: name, skip: why} }
	_, limiter, err := scenarios.FindExec(language)
	if err != nil {
		return skipped(err.Error())
	}
	file := filepath.Join(f.dir, limiter.File)
	if f.dir == "" {
		return skipped("not built")
	}
	if err := os.WriteFile(file, limiter.Source, 0o600); err != nil {
		return skipped(err.Error())
	}
	if runner == "" {
		built := filepath.Join(f.dir, "limiter")
		if out, err := exec.Command("go", "build", "-o", built, file).CombinedOutput(); err != nil {
			return skipped(fmt.Sprintf("%v: %s", err, out))
		}
		return outsideEngine(name, text(fmt.Sprintf("{exec: [%q]}", built)))
	}
	if _, err := exec.LookPath(runner); err != nil {
		return skipped("no " + runner + " here")
	}
	return outsideEngine(name, text(fmt.Sprintf("{exec: [%s, %q]}", runner, file)))
}

// serveAsLimiter is a token bucket of one key: it answers the requests of in on out,
// and flushes when it would have to wait for more.
func serveAsLimiter(in io.Reader, out io.Writer) error {
	r, w := bufio.NewReaderSize(in, 1<<16), bufio.NewWriterSize(out, 1<<16)
	first, err := r.ReadSlice('\n')
	if err != nil {
		return err
	}
	first = bytes.Clone(first)
	rate, token := field(first, "limit"), field(first, "window_ns")
	full := field(first, "burst") * token
	level, last := full, int64(0)
	for i := int64(0); ; i++ {
		line, err := r.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			return w.Flush()
		}
		if err != nil {
			return err
		}
		at, charge := field(line, "at_ns"), field(line, "cost")*token
		level, last = min(full, level+(at-last)*rate), at
		verdict := "false"
		if level >= charge {
			level -= charge
			verdict = "true"
		}
		w.WriteString(`{"i":`)
		w.Write(strconv.AppendInt(w.AvailableBuffer(), i, 10))
		w.WriteString(`,"admit":`)
		w.WriteString(verdict)
		w.WriteString("}\n")
		if r.Buffered() == 0 {
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
}

// field returns the whole number of a member in a line that limitgauge wrote.
func field(line []byte, name string) (n int64) {
	_, rest, _ := bytes.Cut(line, []byte(`"`+name+`":`))
	for _, c := range rest {
		if c < '0' || c > '9' {
			break
		}
		n = 10*n + int64(c-'0')
	}
	return n
}
