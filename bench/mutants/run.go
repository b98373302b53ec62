package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// verdict is what became of a mutant.
type verdict string

const (
	killed     verdict = "killed"
	timedOut   verdict = "timed out" // counts as killed: the edit made something endless
	survived   verdict = "survived"
	equivalent verdict = "equivalent"
)

// result is a mutant and what became of it.
type result struct {
	mutant
	pkg     string
	verdict verdict
	by      string // the package and the test that failed; of a survivor, whose tests passed
	took    time.Duration
}

// runner runs tests of one module.
type runner struct {
	dir, tags string
	work      string // a temporary folder
	baselines sync.Map
}

// run runs the jobs and returns the results in the order of the jobs. The error
// names the packages whose tests fail without a mutant; they have no results.
func run(ctx context.Context, errs io.Writer, dir string, o options, known equivalents, jobs []job) ([]result, error) {
	limitMemory()
	work, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	if err := os.Chmod(work, 0o755); err != nil { // for servers that tests start as other users
		return nil, err
	}
	r := &runner{dir: dir, tags: o.tags, work: work}
	results := make([][]result, len(jobs))
	next := make(chan int)
	var workers sync.WaitGroup
	var mutex sync.Mutex
	var failures []error
	for w := range max(o.parallel, 1) {
		workers.Go(func() {
			for i := range next {
				for x, err := range r.job(ctx, w, known, jobs[i]) {
					mutex.Lock()
					if err != nil {
						failures = append(failures, fmt.Errorf("%s: %w", jobs[i].pkg.path, err))
					} else {
						fmt.Fprintf(errs, "%-10s %6.1f s  %s  (%s)\n", x.verdict, x.took.Seconds(), x.mutant, x.by)
						results[i] = append(results[i], x)
					}
					mutex.Unlock()
				}
			}
		})
	}
	for i := range jobs {
		if ctx.Err() == nil {
			next <- i
		}
	}
	close(next)
	workers.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var all []result
	for _, some := range results {
		all = append(all, some...)
	}
	return all, errors.Join(failures...)
}

// job yields the results of one job: mutants that do not compile are none.
func (r *runner) job(ctx context.Context, worker int, known equivalents, j job) func(yield func(result, error) bool) {
	return func(yield func(result, error) bool) {
		left := j.wanted
		for _, m := range j.mutants {
			if left == 0 {
				return
			}
			start := time.Now()
			x, compiles, err := r.mutant(ctx, worker, known, j.pkg, m)
			if !compiles && err == nil {
				continue
			}
			x.took = time.Since(start)
			left--
			if !yield(x, err) || err != nil {
				return
			}
		}
	}
}

// mutant runs the tests that judge the mutant until one fails.
func (r *runner) mutant(ctx context.Context, worker int, known equivalents, p pkg, m mutant) (x result, compiles bool, err error) {
	x = result{mutant: m, pkg: p.path, verdict: survived}
	if reason := known[m.String()]; reason != "" {
		x.verdict, x.by = equivalent, reason
		return x, true, nil
	}
	folder := filepath.Join(r.work, fmt.Sprint(worker))
	overlay, err := writeOverlay(folder, m)
	if err != nil {
		return x, false, err
	}
	if _, err := r.run(ctx, folder, overlay, time.Hour, "build", "-p", "1", "-o", os.DevNull, p.path); err != nil {
		return x, false, ctx.Err()
	}
	var passed []string
	for _, tests := range p.tests {
		took, err := r.baseline(ctx, folder, tests)
		if err != nil {
			return x, false, err
		}
		limit := 5*took + time.Minute
		text, err := r.run(ctx, folder, overlay, limit+time.Minute, "test", "-p", "1", "-vet", "off", "-count", "1", "-failfast", "-timeout", limit.String(), tests)
		if ctx.Err() != nil {
			return x, false, ctx.Err()
		}
		if err == nil {
			passed = append(passed, tests)
			continue
		}
		if x.verdict, x.by = judge(text, tests); errors.Is(err, context.DeadlineExceeded) {
			x.verdict = timedOut
		}
		return x, true, nil
	}
	x.by = strings.Join(passed, ", ")
	return x, true, nil
}

// writeOverlay writes the mutant's file and the list of replaced files that
// the go command takes.
func writeOverlay(folder string, m mutant) (string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	file, overlay := filepath.Join(folder, "mutant.go"), filepath.Join(folder, "overlay.json")
	text, err := m.text()
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return "", err
	}
	replaced, err := json.Marshal(map[string]any{"Replace": map[string]string{m.path: file}})
	if err != nil {
		return "", err
	}
	return overlay, os.WriteFile(overlay, replaced, 0o600)
}

// baseline returns how long the tests of a package take without a mutant. A
// result that the go command has kept will do. It fails if the tests fail.
func (r *runner) baseline(ctx context.Context, folder, tests string) (time.Duration, error) {
	measure := sync.OnceValues(func() (time.Duration, error) {
		text, err := r.run(ctx, folder, "", time.Hour, "test", "-p", "1", "-vet", "off", "-timeout", "1h", "-json", tests)
		took, output := read(text)
		if err != nil {
			return 0, fmt.Errorf("the tests of %s fail without a mutant: %w\n%s", tests, err, output)
		}
		return took, nil
	})
	once, _ := r.baselines.LoadOrStore(tests, measure)
	return once.(func() (time.Duration, error))()
}

// read returns what go test -json says: the sum of the times of the tests, and
// the output. The time of the package itself is missing from a kept result.
func read(text []byte) (took time.Duration, output string) {
	var all strings.Builder
	for line := range bytes.Lines(text) {
		var event struct {
			Action, Test, Output string
			Elapsed              float64
		}
		if json.Unmarshal(line, &event) != nil {
			all.Write(line)
			continue
		}
		all.WriteString(event.Output)
		if event.Action == "pass" && event.Test != "" && !strings.Contains(event.Test, "/") {
			took += time.Duration(event.Elapsed * float64(time.Second))
		}
	}
	return took, all.String()
}

// run runs the go command with some time, after which it and all that it
// started end. Commands that tests start see the mutant too.
func (r *runner) run(ctx context.Context, folder, overlay string, limit time.Duration, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	temporary := filepath.Join(folder, "tmp")
	if err := os.MkdirAll(temporary, 0o755); err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = r.dir
	flags := os.Getenv("GOFLAGS") + " -tags=" + r.tags
	if overlay != "" {
		flags += " -overlay=" + overlay
	}
	cmd.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(flags), "TMPDIR="+temporary, "RAPID_NOFAILFILE=true", "RAPID_SHRINKTIME=0s")
	cmd.WaitDelay = 10 * time.Second
	together(cmd)
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	err := cmd.Run()
	endTogether(cmd)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return text.Bytes(), err
}

var (
	failedTest = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)
	endless    = regexp.MustCompile(`(?m)^panic: test timed out`)
)

// judge says what killed a mutant, by the output of the tests.
func judge(text []byte, tests string) (verdict, string) {
	if endless.Match(text) {
		return timedOut, tests
	}
	if m := failedTest.FindSubmatch(text); m != nil {
		return killed, tests + " " + string(m[1])
	}
	return killed, tests
}
