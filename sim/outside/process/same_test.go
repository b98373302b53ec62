package process

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
	"github.com/limitgauge/limitgauge/sim/simtest/draw"
)

// serveCounter is a limiter that decides as the counter that its argument names.
func serveCounter(in *bufio.Reader, out *os.File) {
	var first struct {
		Policy struct {
			Limit, Burst int64
			Window       int64 `json:"window_ns"`
		}
	}
	line, err := in.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &first)
	}
	if err != nil {
		panic(err)
	}
	limit := counting.Limit{Count: first.Policy.Limit, Window: first.Policy.Window, Burst: first.Policy.Burst}
	table, err := counting.New(os.Args[1], limit, nil, simtest.MaxKeys)
	if err != nil {
		panic(err)
	}
	keys := map[string]int32{}
	w := bufio.NewWriter(out)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			panic(err)
		}
		if _, known := keys[r.Key]; !known {
			keys[r.Key] = int32(len(keys))
		}
		w.WriteString(answer(r.I, table.Take(keys[r.Key], r.AtNs, r.Cost).Admitted(), 0))
		if in.Buffered() == 0 {
			w.Flush()
		}
	}
}

// TestSameDocument checks that a program that decides as a counter does gives the
// document of that counter, on every pattern of traffic.
func TestSameDocument(t *testing.T) {
	t.Setenv("TEST_LIMITER", "counter")
	dir := t.TempDir()
	log, err := os.ReadFile("../../../sim/testdata/golden/access.log")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "access.log"), log, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	run := func(r simtest.T, text, mine string) *results.Document {
		text = strings.Replace(text, "algorithms:\n", "algorithms:\n  mine: "+mine+"\n", 1)
		f, problems := scenarios.Load("file.yaml", []byte(text), dir, sim.Catalog())
		if len(problems) > 0 {
			r.Fatalf("%v\n%s", problems, text)
		}
		d, err := sim.Run(t.Context(), f, sim.Options{Programs: Make, AllowExec: true})
		if err != nil {
			r.Fatalf("%v\n%s", err, text)
		}
		return d
	}
	type limiter struct{ counter, builtIn, instances string }
	all := []limiter{
		{"token-bucket", "{enforcement: central, counter: token-bucket}", "shared"},
		{"gcra", "{enforcement: central, counter: gcra}", "shared"},
		{"fixed-window", "{enforcement: central, counter: fixed-window}", "shared"},
		{"fixed-window", "{enforcement: local, counter: fixed-window, share: full}", "per-client"},
	}
	check := func(r simtest.T, l limiter, text string) {
		want := simtest.EncodeResults(r, run(r, text, l.builtIn))
		got := simtest.EncodeResults(r, run(r, text, fmt.Sprintf("{exec: [%q, %s], instances: %s}", os.Args[0], l.counter, l.instances)))
		if !bytes.Equal(got, want) {
			r.Fatalf("%s: documents differ\n%s\n%s", l.builtIn, text, simtest.FirstDifference(want, got))
		}
	}
	for _, l := range all {
		check(t, l, draw.OtherPatterns)
	}
	rapid.Check(t, func(r *rapid.T) {
		text := draw.Retries(r, draw.Scenario(r, 2, "", "mine"))
		text = strings.Replace(text, ", backoff: retry-after", "", 1) // which a program does not name
		check(r, rapid.SampledFrom(all).Draw(r, "limiter"), text)
	})
}
