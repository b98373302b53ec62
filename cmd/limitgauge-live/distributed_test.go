//go:build network && unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/wait"
)

// same runs a command on this machine, and with a queue, and compares the files that both
// write. It returns the second process.
func (f *fleet) same(on string, args ...string) *process {
	f.Helper()
	for _, name := range []string{"want.json", "got.json"} {
		os.Remove(filepath.Join(f.dir, name))
	}
	if p := f.start(append(args, "-o", "want.json")...); f.end(p) != 0 {
		f.Fatalf("%v:\n%s", args, p.errs)
	}
	p := f.start(append(args, "-o", "got.json", "--on", on)...)
	if f.end(p) != 0 {
		f.Fatalf("%v --on %s:\n%s", args, on, p.errs)
	}
	if got, want := f.read("got.json"), f.read("want.json"); !bytes.Equal(got, want) {
		f.Fatalf("%v: %d bytes with a queue, and %d on one machine, differ\n%s", args, len(got), len(want), p.errs)
	}
	return p
}

// Two terminals are enough: one has the server inside of it.
func TestDistributedEmbedded(t *testing.T) {
	f := newFleet(t)
	port := f.port()
	f.write("s.yaml", grid(1, 6, 1))
	worker := f.start("worker", "--on", "nats://127.0.0.1:"+port)
	f.says(worker, "the server is away")
	p := f.same("embedded:"+port, "sweep", "s.yaml", "--no-plots", "--no-cache")
	for _, want := range []string{"a server listens on 127.0.0.1:" + port, "6 cells: 0 from the cache, 6 run"} {
		if !strings.Contains(p.errs.String(), want) {
			t.Errorf("stderr lacks %q:\n%s", want, p.errs)
		}
	}
	// All cells in the cache need no server.
	f.write("s.yaml", grid(2, 4, 1))
	f.same("embedded:"+port, "sweep", "s.yaml", "--no-plots", "--cache", "cells")
	worker.Process.Signal(os.Interrupt)
	if code := f.end(worker); code != 130 {
		t.Errorf("an interrupted worker: exit code %d\n%s", code, worker.errs)
	}
}

// Logs travel to workers that do not have them, under names of their own. A worker that
// cannot write them leaves the cells to another one.
func TestDistributedLogs(t *testing.T) {
	f := newFleet(t)
	s := f.server()
	log := "time,key\n"
	for i := range 2000 {
		log += []string{"2026-01-01T00:00:0", "2026-01-01T00:00:1"}[i/1000] + string(rune('0'+i/100%10)) + "Z,k" + string(rune('0'+i%7)) + "\n"
	}
	f.write("a-1.csv", log)
	f.write("a-2.csv", strings.ReplaceAll(log, "Z,k", "Z,m"))
	f.write("s.yaml", `version: 1
replications: 1
scenarios:
  - name: one
    duration: 20s
    policy: {limit: 50/s}
    traffic: [{pattern: trace, files: ["a-*.csv"], rebase: true}]
    algorithms: [token-bucket]
    vary:
      limit: {of: policy.limit, values: [50/s, 100/s, 150/s]}
`)
	worker := f.start("worker", "--on", s.url())
	worker.kill()
	p := f.start("sweep", "s.yaml", "--no-plots", "--no-cache", "--on", s.url())
	full := f.startProgram("env", "TMPDIR=missing", f.program, "worker", "--on", s.url())
	f.says(full, ": given back, because this machine cannot write; taking no job for a minute: copy of ")
	f.says(p, " gives its jobs back, because its machine cannot write: copy of ")
	other := newFleet(t) // another folder, as on another machine
	other.start("worker", "--on", s.url())
	if code := f.end(p); code != 0 || full.over() {
		t.Fatalf("exit code %d\n%s\n%s", code, p.errs, full.errs)
	}
	f.same(s.url(), "sweep", "s.yaml", "--no-plots", "--no-cache")
}

// A job that fails is reported with its cell, and does not stay in the queue.
func TestDistributedFailure(t *testing.T) {
	f := newFleet(t)
	s := f.server()
	f.write("s.yaml", `version: 1
replications: 1
algorithms:
  mine: {exec: [sh, -c, "exit 3"]}
scenarios:
  - name: one
    duration: 2s
    policy: {limit: 50/s}
    traffic: [{pattern: constant, rate: 60/s}]
    algorithms: [mine]
    vary:
      limit: {of: policy.limit, values: [50/s, 100/s]}
`)
	args := []string{"sweep", "s.yaml", "--no-plots", "--allow-exec", "--on", s.url()}
	careful := f.start("worker", "--on", s.url())
	p := f.start(args...)
	f.says(p, "gets no job: it starts no programs without --allow-exec")
	if p.over() {
		t.Fatalf("it has ended without a worker:\n%s", p.errs)
	}
	worker := f.start("worker", "--on", s.url(), "--allow-exec")
	if code := f.end(p); code != 4 || !strings.Contains(p.errs.String(), "cell limit=") {
		t.Errorf("exit code %d\n%s", code, p.errs)
	}
	if worker.over() || careful.over() {
		t.Errorf("a worker has ended:\n%s\n%s", worker.errs, careful.errs)
	}
	f.write("good.yaml", grid(1, 3, 1))
	f.same(s.url(), "sweep", "good.yaml", "--no-plots", "--no-cache")
}

// A worker of another executable, and one of another version, end with both named. The
// command names them, too, and goes on.
func TestDistributedOtherProgram(t *testing.T) {
	f := newFleet(t)
	s := f.server()
	self, err := os.ReadFile(f.program)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(f.dir, "other")
	if err := os.WriteFile(other, append(self, 0), 0o755); err != nil {
		t.Fatal(err)
	}
	newer := filepath.Join(f.dir, "newer")
	if text, err := exec.Command("go", "build", "-tags", "network", "-ldflags", "-X main.version=v9.9.9", "-o", newer, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, text)
	}
	f.write("s.yaml", grid(1, 3, 1))
	p := f.start("sweep", "s.yaml", "--no-plots", "--no-cache", "--on", s.url())
	f.says(p, "no worker is there")
	for _, program := range []string{other, newer} {
		worker := f.startProgram(program, "worker", "--on", s.url())
		if code := f.end(worker); code != 2 || !strings.Contains(worker.errs.String(), "but the jobs are for limitgauge ") {
			t.Errorf("%s: exit code %d\n%s", filepath.Base(program), code, worker.errs)
		}
		if program == newer && !strings.Contains(worker.errs.String(), "limitgauge v9.9.9 for ") {
			t.Errorf("it does not name its version:\n%s", worker.errs)
		}
	}
	if got := strings.Count(p.errs.String(), " is refused: it is limitgauge "); got != 2 {
		t.Errorf("the command names %d other workers:\n%s", got, p.errs)
	}
	f.start("worker", "--on", s.url())
	if code := f.end(p); code != 0 {
		t.Errorf("exit code %d\n%s", code, p.errs)
	}
}

// A worker that hangs with its job does not stop a sweep. What it writes when it wakes
// up changes nothing.
func TestDistributedHungWorker(t *testing.T) {
	f := newFleet(t)
	s := f.server()
	f.write("s.yaml", grid(1, 4, 40))
	first := f.start("worker", "--on", s.url(), "--workers", "4")
	want := f.start("sweep", "s.yaml", "--no-plots", "--no-cache", "-o", "want.json")
	f.end(want)
	p := f.start("sweep", "s.yaml", "--no-plots", "--no-cache", "-o", "got.json", "--on", s.url(), "--silence", "1s")
	s.taken(p)
	first.stopped(time.Hour)
	second := f.start("worker", "--on", s.url(), "--workers", "2")
	if code := f.end(p); code != 0 || !bytes.Equal(f.read("got.json"), f.read("want.json")) {
		t.Fatalf("exit code %d\n%s", code, p.errs)
	}
	first.stopped(0)
	f.write("s.yaml", grid(2, 4, 1))
	f.same(s.url(), "sweep", "s.yaml", "--no-plots", "--no-cache")
	if first.over() || second.over() {
		t.Errorf("a worker has ended:\n%s\n%s", first.errs, second.errs)
	}
}

// Ctrl-C ends a sweep with what is finished, which the next one does not run again.
func TestDistributedInterrupted(t *testing.T) {
	f := newFleet(t)
	s := f.server()
	f.write("s.yaml", grid(1, 10, 10))
	f.start("worker", "--on", s.url(), "--workers", "1")
	args := []string{"sweep", "s.yaml", "--no-plots", "--cache", "cells", "-o", "got.json", "--on", s.url()}
	p := f.start(args...)
	wait.Until(t, "three cells are finished", func() bool {
		found, _ := filepath.Glob(filepath.Join(f.dir, "cells", "*", "*.cell"))
		return len(found) > 2
	})
	p.Process.Signal(os.Interrupt)
	if code := f.end(p); code != 130 || !bytes.Contains(f.read("got.json"), []byte(`"partial": true`)) {
		t.Fatalf("exit code %d\n%s", code, p.errs)
	}
	p = f.start(args...)
	if code := f.end(p); code != 0 || strings.Contains(p.errs.String(), ": 0 from the cache") {
		t.Fatalf("exit code %d\n%s", code, p.errs)
	}
	want := f.start("sweep", "s.yaml", "--no-plots", "--no-cache", "-o", "want.json")
	if f.end(want); !bytes.Equal(f.read("got.json"), f.read("want.json")) {
		t.Error("the document differs from that of one machine")
	}
}

// The searches of tune and attack find the same with workers.
func TestDistributedSearches(t *testing.T) {
	f := newFleet(t)
	s := f.server()
	f.write("s.yaml", `version: 1
replications: 3
scenarios:
  - name: one
    duration: 60s
    policy: {limit: 500/s, burst: 100}
    topology: {clients: 8, network: {exponential: {p99: 5ms}}}
    traffic: [{pattern: poisson, rate: 2000/s}]
    algorithms: [batch-reported]
    vary:
      interval: {of: algorithms.batch-reported.interval, values: [20ms, 50ms, 500ms]}
`)
	worker := f.start("worker", "--on", s.url(), "--workers", "2")
	f.same(s.url(), "tune", "s.yaml", "--promise", "over_limit_pct <= 20", "--least", "server_calls_per_s", "--no-plots", "--format", "json")
	f.same(s.url(), "attack", "s.yaml", "--budget", "20k", "--requests", "300", "--may-choose", "times,faults")
	if worker.over() {
		t.Errorf("the worker has ended:\n%s", worker.errs)
	}
}

// A server that asks for credentials gets them from the environment. Other machines are
// refused unless they are allowed.
func TestDistributedCredentials(t *testing.T) {
	f := newFleet(t)
	s := f.server("--user", "me", "--pass", "secret")
	f.write("s.yaml", grid(1, 3, 1))
	p := f.start("worker", "--on", s.url())
	if code := f.end(p); code != 2 || !strings.Contains(p.errs.String(), "Authorization") {
		t.Errorf("without credentials: exit code %d\n%s", code, p.errs)
	}
	p = f.start("worker", "--on", "nats://192.0.2.1:4222")
	if code := f.end(p); code != 2 || !strings.Contains(p.errs.String(), "allow it with --allow 192.0.2.1") {
		t.Errorf("another machine: exit code %d\n%s", code, p.errs)
	}
	p = f.start("sweep", "s.yaml", "--on", "embedded:"+f.port(), "--listen", "0.0.0.0")
	if code := f.end(p); code != 2 || !strings.Contains(p.errs.String(), "needs credentials") {
		t.Errorf("listens everywhere: exit code %d\n%s", code, p.errs)
	}
	t.Setenv("NATS_USER", "me")
	t.Setenv("NATS_PASSWORD", "secret")
	f.start("worker", "--on", s.url())
	if p := f.same(s.url(), "sweep", "s.yaml", "--no-plots", "--no-cache"); strings.Contains(p.errs.String(), "secret") || bytes.Contains(f.read("got.json"), []byte("secret")) {
		t.Errorf("the password is shown:\n%s", p.errs)
	}
}

// A command that cannot reach its server says so, waits, and ends.
func TestDistributedAway(t *testing.T) {
	f := newFleet(t)
	f.write("s.yaml", grid(1, 3, 1))
	on := "nats://127.0.0.1:" + f.port()
	for _, args := range [][]string{{"worker"}, {"sweep", "s.yaml", "--no-plots", "--no-cache"}} {
		p := f.start(append(args, "--on", on, "--away", "2s")...)
		if code := f.end(p); code != 1 || !strings.Contains(p.errs.String(), "connection refused") {
			t.Errorf("%s: exit code %d\n%s", args[0], code, p.errs)
		}
	}
}
