package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/outside"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Times are written as in scenario files and in --away.
func TestAwayIsInItsUnit(t *testing.T) {
	if got, want := (&Away{10 * time.Minute, io.EOF}).Error(), "the server was away for 10min: EOF"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// text is a scenario file that runs for some milliseconds.
const text = `version: 1
replications: 2
scenarios:
  - name: one
    duration: 2s
    policy: {limit: 10/s}
    traffic: [{pattern: poisson, rate: 20/s}]
    algorithms: [token-bucket]
`

// TestKey changes each member of a job. Each but the name must change the key.
func TestKey(t *testing.T) {
	p := Program{"v1", "linux/amd64", "0123456789abcdef0123"}
	j := Job{Scenario: []byte(text)}
	first := j.Key(p)
	seen := map[Key]string{first: "the job"}
	value := reflect.ValueOf(&j).Elem()
	for i := range value.NumField() {
		other := j
		field, name := reflect.ValueOf(&other).Elem().Field(i), value.Type().Field(i).Name
		switch field.Interface().(type) {
		case string:
			field.SetString("x")
		case int:
			field.SetInt(1)
		case bool:
			field.SetBool(true)
		case []byte:
			field.SetBytes([]byte(text + "\n"))
		case []string:
			field.Set(reflect.ValueOf([]string{"wait_p99_ms"}))
		case []Log:
			field.Set(reflect.ValueOf([]Log{{"a*", []string{"a1"}, []string{"00"}}}))
		default:
			t.Fatalf("%s: a type that this test does not know", name)
		}
		key := other.Key(p)
		if (key == first) != (name == "Name") || seen[key] != "" && name != "Name" {
			t.Errorf("%s: the key is that of %s", name, seen[key])
		}
		seen[key] = name
	}
	p.Hash = "1" + p.Hash
	if j.Key(p) == first {
		t.Error("two programs have the same key")
	}
	if back, err := ParseKey(first.String()); err != nil || back != first {
		t.Errorf("%v, %v", back, err)
	}
	for _, bad := range []string{"", "00", first.String() + "0", "g" + first.String()[1:]} {
		if _, err := ParseKey(bad); err == nil {
			t.Errorf("%q is read as a key", bad)
		}
	}
}

func TestEncode(t *testing.T) {
	j := &Job{Name: "cell a=1", Scenario: []byte(text), Dir: "x", Logs: []Log{{"a*", []string{"a1"}, []string{"00"}}}, Only: 3, Metrics: []string{"m"}}
	packed, err := j.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if back, err := Decode(packed); err != nil || !reflect.DeepEqual(back, j) {
		t.Errorf("%+v, %v", back, err)
	}
	if _, err := Decode(packed[:len(packed)-5]); err == nil {
		t.Error("a part of a job is read as a whole one")
	}
}

// TestAnswer changes each byte of answers that travel whole and in two places. What was
// written comes back, or ErrDamaged.
func TestAnswer(t *testing.T) {
	for _, a := range []Answer{{Document: []byte(text)}, {Failure: &Failure{Job: "a", Worker: "b", Text: "c", Code: 4, Problems: []scenarios.Problem{{Message: "m"}}}}} {
		for _, most := range []int{0, 1 << 20} {
			kept := map[string][]byte{}
			entry, err := a.Encode(most, func(packed []byte) (string, error) { kept["x"] = packed; return "x", nil })
			if err != nil {
				t.Fatal(err)
			}
			get := func(where string) ([]byte, error) {
				if kept[where] == nil {
					return nil, ErrDamaged
				}
				return kept[where], nil
			}
			if back, err := DecodeAnswer(entry, get); err != nil || !reflect.DeepEqual(back, a) {
				t.Errorf("%+v, %v", back, err)
			}
			for i := range entry {
				damaged := bytes.Clone(entry)
				damaged[i] ^= 1
				if back, err := DecodeAnswer(damaged, get); err == nil && !reflect.DeepEqual(back, a) {
					t.Errorf("byte %d of %.200q is damaged: read as a failure: %t", i, damaged, back.Failure != nil)
				}
			}
			if _, err := DecodeAnswer(entry[:len(entry)/2], get); !errors.Is(err, ErrDamaged) {
				t.Errorf("half an answer: %v", err)
			}
		}
	}
}

// runner returns a runner, and counts its runs.
func runner(slots int, o sim.Options) (r *Runner, runs *int) {
	runs = new(int)
	return &Runner{Catalog: sim.Catalog(), Run: o, Slots: slots, Code: func(error) int { return 1 }, Stamp: func(f *scenarios.File, rerun string) results.Stamp {
		*runs++
		s := sim.StampOf(f)
		s.Rerun = rerun
		return s
	}}, runs
}

// TestRunner compares answers with runs: all of a document, and some metrics of a
// replication.
func TestRunner(t *testing.T) {
	r, _ := runner(2, sim.Options{})
	f, problems := scenarios.Load("-", []byte(text), ".", sim.Catalog())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	d, err := sim.Run(context.Background(), f, sim.Options{Stamp: r.Stamp(f, "again"), WorstKey: true})
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	results.Encode(&want, d)
	got, err := r.Do(context.Background(), &Job{Scenario: []byte(text), Dir: ".", Rerun: "again", WorstKey: true}, nil)
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("the document differs from that of a run (%v)", err)
	}
	got, err = r.Do(context.Background(), &Job{Scenario: []byte(text), Dir: ".", Only: 2, Metrics: []string{"over_limit_pct"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	thin, err := results.Decode(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	d, err = sim.Run(context.Background(), f, sim.Options{Only: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range thin.Results {
		if a, b := row.Summary("over_limit_pct"), d.Results[i].Summary("over_limit_pct"); a.Mean == nil || *a.Mean != *b.Mean || len(row.Metrics) != 1 {
			t.Errorf("%s: %+v, want %+v", row.Algorithm, a, b)
		}
	}
}

// A panic of a trial is the failure of its job.
func TestRunnerPanics(t *testing.T) {
	r, _ := runner(1, sim.Options{AllowExec: true, Programs: func(context.Context, outside.Program) (outside.Fleet, error) { panic("broken") }})
	j := &Job{Name: "cell a=1", Dir: ".", Scenario: []byte(strings.Replace(text, "scenarios:", "algorithms: {mine: {exec: [x]}}\nscenarios:", 1))}
	j.Scenario = bytes.ReplaceAll(j.Scenario, []byte("[token-bucket]"), []byte("[mine]"))
	_, err := r.Do(context.Background(), j, nil)
	if p := (*sim.Panic)(nil); !errors.As(err, &p) {
		t.Fatalf("%v", err)
	}
	if f := r.Failure(j, "me", err); !strings.HasPrefix(f.Error(), "cell a=1, on worker me: panic: broken") {
		t.Error(f)
	}
}

// A job that does not fit into its share of the memory gets all of it.
func TestRunnerMemory(t *testing.T) {
	j := &Job{Scenario: []byte(text), Dir: "."}
	least := int64(1)
	for ; ; least *= 2 { // what the job needs
		r, _ := runner(1, sim.Options{Memory: least})
		if _, err := r.Do(context.Background(), j, nil); err == nil {
			break
		}
	}
	r, runs := runner(4, sim.Options{Memory: least})
	if _, err := r.Do(context.Background(), j, nil); err != nil || *runs != 2 {
		t.Errorf("%d runs, %v", *runs, err)
	}
}

// TestLibrary opens logs of jobs. A copy that differs from its SHA-256 is refused, and no
// copy stays.
func TestLibrary(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	gets := 0
	l := &Library{Get: func(_ context.Context, sum string, to io.Writer) error {
		gets++
		_, err := fmt.Fprint(to, "abc")
		return err
	}}
	const sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	job := func(name, sum string) *Job {
		return &Job{Logs: []Log{{Name: name, Files: []string{name}, Sums: []string{sum}}}}
	}
	one, done, err := l.Open(context.Background(), job("a", sum))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(one.Places.Paths["a"]); err != nil || string(text) != "abc" {
		t.Errorf("%q, %v", text, err)
	}
	if again, end, err := l.Open(context.Background(), job("a", sum)); err != nil || again != one || gets != 1 {
		t.Errorf("the same logs: %v, fetched %d times", err, gets)
	} else {
		end()
	}
	if _, _, err := l.Open(context.Background(), job("b", strings.Repeat("0", 64))); !errors.Is(err, ErrDamaged) {
		t.Errorf("another content: %v", err)
	}
	_, end, err := l.Open(context.Background(), job("c", sum))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(one.Places.Paths["a"]); err != nil {
		t.Errorf("a log in use is gone: %v", err)
	}
	done()
	end()
	l.Close()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
