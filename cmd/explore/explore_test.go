package explore

import (
	"bytes"
	"context"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/report/html"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

const small = "testdata/small.yaml"

// stampOf stamps documents of tests.
func stampOf(f *scenarios.File, rerun string) results.Stamp {
	s := sim.StampOf(f)
	s.Rerun = rerun
	return s
}

// explorerOf returns an Explorer of a scenario file, whose logs are relative to dir.
func explorerOf(t testing.TB, name, dir string) *Explorer {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return explorerFrom(t, source, dir)
}

func explorerFrom(t testing.TB, source []byte, dir string) *Explorer {
	t.Helper()
	f, problems := scenarios.Load("scenarios.yaml", source, dir, sim.Catalog())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	e, problems, err := New(context.Background(), f, Options{
		Name: "scenarios.yaml", Catalog: sim.Catalog(), Metrics: measure.Metrics(), Again: "limitgauge explore scenarios.yaml", Stamp: stampOf,
	})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	t.Cleanup(e.Close)
	return e
}

// serve serves the page of an Explorer until stop is called, or the test ends.
func serve(t *testing.T, e *Explorer) (url string, s *Server, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if s, err = NewServer(e, l.Addr(), nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	stopped := false
	stop = func() {
		if !stopped {
			stopped = true
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	}
	t.Cleanup(stop)
	return "http://" + l.Addr().String() + "/", s, stop
}

// views are settings of all kinds that the page makes.
var views = []View{
	{Scenario: "fleet at 3x"},
	{Scenario: "fleet at 3x", Sets: [][2]string{{"traffic[0].rate", "600/s"}, {"topology.network.lognormal.p50", "500us"}, {"topology.clients", "9"}}},
	{Scenario: "fleet at 3x", Rows: []string{"batch", "gcra"}, Sets: [][2]string{{"algorithms.gcra.burst", "7"}, {"algorithms.batch.interval", "1s"}}},
	{Scenario: "fleet at 3x", Faults: []string{"{report-loss: {p: 10%, from: 2s}}"}, Sets: [][2]string{{"faults[0].report-loss.p", "50%"}}},
	{Scenario: "fleet at 3x", NoFaults: true, Sets: [][2]string{{"topology.network", "{exponential: {p99: 100ms}}"}, {"topology.network.exponential.p99", "30ms"}, {"seed", "7"}, {"metrics", "full"}}},
	{Scenario: "step", Sets: [][2]string{{"policy.limit", "50/s"}, {"duration", "5s"}}},
}

// TestAnswersAreRuns compares the document behind an answer with that of limitgauge run on
// the file that the page copies: they are the same bytes.
func TestAnswersAreRuns(t *testing.T) {
	e := explorerOf(t, small, ".")
	seen := map[string]bool{}
	for _, v := range views {
		got, err := e.document(context.Background(), v)
		if err != nil {
			t.Fatalf("%v: %v", v, err)
		}
		c, err := e.Copy(context.Background(), CopyQuestion{v})
		if err != nil {
			t.Fatal(err)
		}
		f, problems := scenarios.Load("-", []byte(c.YAML), ".", sim.Catalog())
		if len(problems) > 0 {
			t.Fatalf("%v: the copied file has problems: %v", v, problems)
		}
		want, err := sim.Run(context.Background(), f, sim.Options{WorstKey: true, Workers: 1, Stamp: stampOf(f, rerun)})
		if err != nil {
			t.Fatal(err)
		}
		a, b := encoded(t, got), encoded(t, want)
		if !bytes.Equal(a, b) {
			t.Errorf("%v: the page shows another document than the copied file gives", v)
		}
		if seen[string(a)] {
			t.Errorf("%v: changes nothing", v)
		}
		seen[string(a)] = true
	}
}

// TestCommandSets checks that a copied command is run on the file with the settings that
// differ, and that the scenario is then that of the page.
func TestCommandSets(t *testing.T) {
	e := explorerOf(t, small, ".")
	const fleet = "limitgauge run scenarios.yaml --no-plots --scenario 'fleet at 3x'"
	for _, c := range []struct {
		view View
		want string
	}{
		{views[0], fleet + "\n"},
		{views[1], fleet + " --set 'traffic[0].rate=600/s' --set topology.network.lognormal.p50=500us --set topology.clients=9\n"},
		{views[2], fleet + " --set 'algorithms=[batch, gcra]' --set algorithms.gcra.burst=7 --set algorithms.batch.interval=1s\n"},
		{views[4], fleet + " --set faults= --set 'topology.network={exponential: {p99: 100ms}}' --set topology.network.exponential.p99=30ms --set seed=7 --set metrics=full\n"},
		{View{Scenario: "fleet at 3x", Rows: []string{"gcra"}}, "limitgauge run - --no-plots <<"},         // the file expects something of batch
		{View{Scenario: "fleet at 3x", Sets: [][2]string{{"algorithms.remote.sidecar.none", "1ms"}}}, ""}, // is refused
	} {
		got, err := e.Copy(context.Background(), CopyQuestion{c.view})
		if c.want == "" {
			if err == nil {
				t.Errorf("%v: %s, want an error", c.view, got.Command)
			}
			continue
		}
		if err != nil || !strings.HasPrefix(got.Command, c.want) || strings.HasPrefix(c.want, fleet) && got.Command != c.want {
			t.Errorf("%v: %v, %v, want %s", c.view, got, err, c.want)
		}
	}
	// Where a file sets no burst, its limit moves the burst, and that of the page does not.
	source := "version: 1\nduration: 5s\nscenarios:\n- name: one\n  policy: {limit: 100/s}\n  traffic: [{pattern: constant, rate: 200/s}]\n  algorithms: [token-bucket]\n"
	got, err := explorerFrom(t, []byte(source), ".").Copy(context.Background(), CopyQuestion{View{Scenario: "one", Sets: [][2]string{{"policy.limit", "50/s"}}}})
	if want := "limitgauge run scenarios.yaml --no-plots --scenario one --set policy.limit=50/s --set policy.burst=100\n"; err != nil || got.Command != want {
		t.Errorf("%v, %v, want %s", got, err, want)
	}
}

func encoded(t *testing.T, d *results.Document) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := results.Encode(&out, d); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRefused(t *testing.T) {
	e := explorerOf(t, small, ".")
	at := func(path, value string) View {
		return View{Scenario: "fleet at 3x", Sets: [][2]string{{path, value}}}
	}
	for _, c := range []struct {
		name string
		view View
		want string
	}{
		{"the loader's message", at("traffic[0].rate", "600"), `traffic[0].rate: "600" needs a period, such as 600/s or 600/min`},
		{"out of range", at("topology.clients", "0"), "topology.clients: "},
		{"no such setting", at("algorithms.batch.intervall", "1s"), "unknown field"},
		{"no such limiter", at("algorithms.nobody.interval", "1s"), "no algorithm is called nobody"},
		{"no such scenario", View{Scenario: "nowhere"}, "no scenario is called nowhere"},
		{"no value", at("traffic[0].rate", ""), "needs a value"},
		{"not YAML", at("traffic[0].rate", "{a: ["), "not YAML"},
		{"the name", at("name", "other"), "is the same whatever the settings are"},
		{"an expectation", at("expect", "{batch: {over_limit_pct: '<= 1'}}"), "is the same whatever the settings are"},
		{"a log from the page", at("traffic", "[{pattern: trace, file: /etc/passwd, key_field: a, rebase: true}]"), "/etc/passwd is not a log of the file"},
		{"a log above the folder", at("traffic", "[{pattern: trace, file: ../../go.mod, key_field: a, rebase: true}]"), "is not a log of the file"},
		{"many settings", View{Scenario: "step", Sets: make([][2]string, mostSets+1)}, "settings, want at most"},
		{"a long setting", at("traffic[0].rate", strings.Repeat("1", mostValue+1)), "longer than"},
		{"many clients", at("topology.clients", "1000000"), "0.5 GiB may be used: take fewer of them"},
		{"many that wait", View{Scenario: "fleet at 3x", Sets: [][2]string{{"retries", "{attempts: 1, backoff: {constant: {time: 1h}}}"}, {"traffic[0].rate", "2M/s"}, {"duration", "3s"}, {"replications", "1"}}}, "requests or messages wait in "},
		{"too much work", at("traffic[0].rate", "1000M/s"), "more than a page may"},
	} {
		_, err := e.document(context.Background(), c.view)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestNoProgramIsStarted: a limiter that is another program is refused, whether the file
// has it or the page asks for it.
func TestNoProgramIsStarted(t *testing.T) {
	marker := t.TempDir() + "/started"
	source := []byte("version: 1\nduration: 2s\nalgorithms:\n  mine: {exec: [touch, " + marker + "]}\nscenarios:\n" +
		"  - {name: one, policy: {limit: 10/s}, traffic: [{pattern: constant, rate: 20/s}], algorithms: [mine, token-bucket]}\n")
	e := explorerFrom(t, source, ".")
	_, err := e.document(context.Background(), View{Scenario: "one"})
	if err == nil || !strings.Contains(err.Error(), "mine starts a program, which explore never does") {
		t.Errorf("%v", err)
	}
	if _, err := e.document(context.Background(), View{Scenario: "one", Rows: []string{"token-bucket"}}); err != nil {
		t.Errorf("without the row: %v", err)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("the program was started")
	}
}

// TestPreview: previews say what they leave out, are quicker than the whole, and keep what
// the scenario plans.
func TestPreview(t *testing.T) {
	e := explorerOf(t, small, ".")
	for _, c := range []struct {
		scenario string
		second   float64 // time to simulate a second once, as a part of previewTime
		want     string
	}{
		{"fleet at 3x", 0.02, ""},
		{"fleet at 3x", 0.07, "2 of 4 replications"},
		{"fleet at 3x", 0.21, "1 of 4 replications, 5s of 6s"},
		{"fleet at 3x", 20, "1 of 4 replications, 3s of 6s"},
		{"step", 20, "1 of 4 replications, 4s of 6s"},
	} {
		e.speed[c.scenario] = time.Duration(c.second * float64(previewTime))
		f, _, err := e.bind(View{Scenario: c.scenario})
		if err != nil {
			t.Fatal(err)
		}
		v, said := e.preview(View{Scenario: c.scenario}, &f.Scenarios[0])
		if said != c.want {
			t.Errorf("%s at %v of the time of a preview: %q, want %q", c.scenario, c.second, said, c.want)
		}
		if _, err := e.document(context.Background(), v); err != nil {
			t.Errorf("%s, %s: %v", c.scenario, said, err)
		}
	}
}

func TestControls(t *testing.T) {
	e := explorerOf(t, small, ".")
	a, err := e.Answer(context.Background(), Question{View: View{Scenario: "fleet at 3x", Faults: []string{"{report-loss: {p: 10%}}"}}})
	if err != nil {
		t.Fatal(err)
	}
	byPath := map[string]Knob{}
	for _, k := range a.Controls.Knobs {
		if _, twice := byPath[k.Path]; twice {
			t.Errorf("two knobs of %s", k.Path)
		}
		byPath[k.Path] = k
	}
	for path, want := range map[string]struct{ kind, value string }{
		"traffic[0].rate":                {"slider", "300/s"},
		"policy.limit":                   {"slider", "100/s"},
		"policy.reference":               {"menu", "token-bucket"},
		"topology.clients":               {"slider", "4"},
		"topology.network":               {"menu", "lognormal"},
		"topology.network.lognormal.p50": {"slider", "1ms"},
		"algorithms.batch.interval":      {"slider", "100ms"},
		"algorithms.batch.reject_til":    {"switch", "true"},
		"algorithms.remote.timeout":      {"slider", "20ms"},
		"faults[0].report-loss.p":        {"slider", "10%"},
		"replications":                   {"slider", "4"},
		"seed":                           {"text", "1"},
	} {
		if k := byPath[path]; k.Kind != want.kind || k.Value != want.value || k.Doc == "" {
			t.Errorf("%s: %s %q, want %s %q", path, k.Kind, k.Value, want.kind, want.value)
		}
	}
	rate := byPath["traffic[0].rate"].Notches
	for _, want := range []string{"150/s", "300/s", "600/s"} {
		if !slices.Contains(rate, want) {
			t.Errorf("the demand does not stop at %s: %v", want, rate)
		}
	}
}

// TestEveryNotchIsAccepted: whatever a slider or a menu stops at can run or is refused for a
// reason that depends on other settings.
func TestEveryNotchIsAccepted(t *testing.T) {
	e := explorerOf(t, small, ".")
	for _, v := range []View{{Scenario: "fleet at 3x"}, {Scenario: "step"}} {
		f, _, err := e.bind(v)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range e.controls(v.Scenario, &f.Scenarios[0]).Knobs {
			if k.Kind == "slider" && !slices.Contains(k.Notches, k.Value) {
				t.Errorf("%s: the slider does not stop at the file's %s: %v", k.Path, k.Value, k.Notches)
			}
			if k.Kind == "slider" && len(k.Notches) < 2 {
				t.Errorf("%s: %d notches", k.Path, len(k.Notches))
			}
			var values []string
			for i, n := range k.Notches {
				if i%5 == 0 || i == len(k.Notches)-1 || os.Getenv("EXPLORE") == "all" {
					values = append(values, n)
				}
			}
			for _, o := range k.Options {
				values = append(values, o.Value)
			}
			for _, value := range values {
				_, _, err := e.bind(v.with([2]string{k.Path, value}))
				if err != nil && slices.ContainsFunc([]string{"is not a", "needs a period", "unknown", "must be from", "out of range", "at least 0", "at most"}, func(s string) bool { return strings.Contains(err.Error(), s) }) {
					t.Errorf("%s=%s: %v", k.Path, value, err)
				}
			}
		}
		for _, fault := range faultOptions(&f.Scenarios[0]) {
			_, err := e.document(context.Background(), View{Scenario: v.Scenario, Faults: []string{fault.Value}, Sets: [][2]string{{"replications", "1"}}})
			if err != nil && !strings.Contains(err.Error(), "cannot affect an algorithm of this scenario") {
				t.Errorf("%s: %v", fault.Value, err)
			}
		}
	}
}

func TestDifference(t *testing.T) {
	e := explorerOf(t, small, ".")
	pinned := View{Scenario: "fleet at 3x"}
	a, err := e.Answer(context.Background(), Question{View: pinned.with([2]string{"algorithms.batch.interval", "1s"}), Pinned: &pinned})
	if err != nil {
		t.Fatal(err)
	}
	text := string(a.Difference)
	for _, want := range []string{"From A, the pinned setting, to B", "over-limit %", "server calls/s", "±", "figures are equal in every replication", "compared in pairs"} {
		if !strings.Contains(text, want) {
			t.Errorf("the table of differences has no %q:\n%s", want, text)
		}
	}
	if a, err = e.Answer(context.Background(), Question{View: pinned.with([2]string{"algorithms.batch.interval", "105ms"}), Pinned: &pinned}); err != nil {
		t.Fatal(err)
	}
	sure, chance, _ := strings.Cut(string(a.Difference), "may be chance</summary>")
	if !strings.Contains(sure, "server calls/s") || !strings.Contains(chance, "over-limit %") || strings.Contains(chance, "server calls/s") {
		t.Errorf("not divided into what is sure and what may be chance:\n%s", a.Difference)
	}
	if a, err = e.Answer(context.Background(), Question{View: pinned.with([2]string{"replications", "1"}), Pinned: &pinned}); err != nil {
		t.Fatal(err)
	}
	if text = string(a.Difference); !strings.Contains(text, "different numbers of replications") || strings.Contains(text, "All ") || strings.Contains(text, "Inf") {
		t.Errorf("one replication against several:\n%s", text)
	}
}

// TestPageBegins checks that a page opens on the scenario with the most algorithms, and that
// it does not show all knobs of many traffic entries at first.
func TestPageBegins(t *testing.T) {
	if got := explorerOf(t, "../../scenarios.yaml", "../..").first(); got != "steady 3x on a fleet" {
		t.Errorf("the page opens on %q", got)
	}
	var text strings.Builder
	text.WriteString("version: 1\nduration: 5s\nreplications: 1\nscenarios:\n  - name: many\n    policy: {limit: 10/s}\n    algorithms: [token-bucket]\n    traffic:\n")
	for range 12 {
		text.WriteString("      - {pattern: poisson, rate: 1/s}\n")
	}
	a, err := explorerFrom(t, []byte(text.String()), ".").Answer(context.Background(), Question{View: View{Scenario: "many"}})
	if err != nil {
		t.Fatal(err)
	}
	first := 0
	for _, k := range a.Controls.Knobs {
		if k.Main && !strings.HasPrefix(k.Group, "limiter:") && k.Group != "run" {
			first++
		}
	}
	if first != mostMain {
		t.Errorf("%d knobs are shown at first, want %d", first, mostMain)
	}
}

// TestPinnedFigures checks that the figures of a pinned setting come with the answer, drawn
// on scales that both fit.
func TestPinnedFigures(t *testing.T) {
	e := explorerOf(t, small, ".")
	pinned := View{Scenario: "fleet at 3x"}
	ask := func(q Question) string {
		q.Figures = []string{"accuracy"}
		a, err := e.Answer(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		list := a.Figures
		if q.Pinned != nil {
			list = a.Pinned
		}
		i := slices.IndexFunc(list, func(f html.FigurePart) bool { return f.Name == "accuracy" })
		if i < 0 {
			t.Fatalf("no figure: %v", list)
		}
		return string(list[i].HTML)
	}
	alone, same := ask(Question{View: pinned}), ask(Question{View: pinned, Pinned: &pinned})
	if alone != same {
		t.Error("the same setting beside itself has other scales")
	}
	if ask(Question{View: pinned.with([2]string{"traffic[0].rate", "3000/s"}), Pinned: &pinned}) == alone {
		t.Error("beside ten times the traffic the pinned setting keeps its own scales")
	}
}

// TestPinnedMistake: a pinned setting that cannot run leaves the present one its answer.
func TestPinnedMistake(t *testing.T) {
	e := explorerOf(t, small, ".")
	pinned := View{Scenario: "step", Sets: [][2]string{{"policy.limit", "5"}}}
	a, err := e.Answer(context.Background(), Question{View: View{Scenario: "step"}, Pinned: &pinned})
	if err != nil || len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], `A cannot run: policy.limit: "5" needs a period`) {
		t.Errorf("%v, %+v", err, a)
	}
}

func TestCurve(t *testing.T) {
	e := explorerOf(t, small, ".")
	c, err := e.Curve(context.Background(), CurveQuestion{View: View{Scenario: "fleet at 3x"}, Path: "algorithms.batch.interval", Values: []string{"50ms", "100ms", "5s", "wrong"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Figures) == 0 || !strings.Contains(string(c.Figures[0].HTML), "<svg") || !strings.Contains(string(c.Table), "100ms") {
		t.Errorf("%+v", c)
	}
	if !strings.Contains(c.Said, "3 values, 4 replications each. Without wrong: ") {
		t.Errorf("said %q", c.Said)
	}
	const same = "changes nothing"
	if strings.Contains(string(c.Table), same) {
		t.Errorf("values with other figures are said to change nothing:\n%s", c.Table)
	}
	c, err = e.Curve(context.Background(), CurveQuestion{View: View{Scenario: "fleet at 3x"}, Path: "measure_memory", Values: []string{"64MiB", "128MiB"}})
	if err != nil || !strings.Contains(string(c.Table), same) {
		t.Errorf("an axis that changes nothing is not named (%v)", err)
	}
	if _, err := e.Curve(context.Background(), CurveQuestion{View: View{Scenario: "fleet at 3x"}, Path: "seed", Values: make([]string, mostCurve+1)}); err == nil {
		t.Error("a curve may have any number of values")
	}
}
