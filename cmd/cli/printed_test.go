package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/describe"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/search/tune"
	"github.com/limitgauge/limitgauge/sim"
)

// explained returns what explain says of a word.
func explained(t *testing.T, word string) string {
	t.Helper()
	var text strings.Builder
	if err := describe.Explain(&text, sim.Catalog(), word); err != nil {
		t.Errorf("explain %q: %v", word, err)
	}
	return text.String()
}

// firstLines returns the first lines of what explain says, which are the answer; the rest
// is detail.
func firstLines(t *testing.T, word string) string {
	t.Helper()
	lines := strings.SplitAfter(explained(t, word), "\n")
	return strings.Join(lines[:min(15, len(lines))], "")
}

// TestHeadingsOfMetrics checks that explain knows the heading of each metric as tables print
// it, with its unit and without.
func TestHeadingsOfMetrics(t *testing.T) {
	metrics := sim.Catalog().Metrics
	for _, registry := range [][]catalog.Metric{metrics, table.InUnitsOf("requests", nil, metrics)} {
		for _, m := range registry {
			c := table.ColumnOf(m.Name, registry)
			for _, heading := range []string{c.Label(), c.Header} {
				if text := explained(t, heading); !strings.Contains("\n"+text, "\n"+m.Name+" (") {
					t.Errorf("explain %q does not explain %s:\n%s", heading, m.Name, text)
				}
			}
		}
	}
}

// Sweep prints words of tune about other promises.
func TestWordsOfSweep(t *testing.T) {
	for _, word := range []string{"promise", "kept", "broken", "unknown"} {
		if text := explained(t, word); !regexp.MustCompile(`\bsweep\b`).MatchString(text) {
			t.Errorf("explain %q says nothing of sweep:\n%s", word, text)
		}
	}
	for word, command := range map[string]string{"unknown": "Of live: ", "in turn": "Of attack, ", "none": "under closed form", "=": "= says", "~": "~ that"} {
		if text := explained(t, word); !strings.Contains(text, command) {
			t.Errorf("explain %s does not say %q:\n%s", word, command, text)
		}
	}
	if text := explained(t, "±"); !strings.Contains(text, "reaches from it, at most") {
		t.Errorf("explain ± does not say what the notes below tables say:\n%s", text)
	}
}

var (
	headingOf  = regexp.MustCompile(`Header: +"([^"]+)"`)
	numberOf   = regexp.MustCompile(`number\("([^"]+)", "([^"]*)"`)
	rowOf      = regexp.MustCompile(`\{"([^"]+)", "[^"]*", "[a-z_]+", p\.`) // a row of explain
	newTableOf = regexp.MustCompile(`newTable\((.*)\)$`)
	quotedText = regexp.MustCompile(`"([^"]+)"`)
)

// TestWordsOfOutput checks that explain knows the headings in the code of all tables, the
// statuses, the rows and the beginnings of notes.
func TestWordsOfOutput(t *testing.T) {
	var words []string
	for _, folder := range []string{"../../report", "../../search", "../../check", "../../live", "../../gauge", "."} {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, found := range slices.Concat(headingOf.FindAllStringSubmatch(string(text), -1), rowOf.FindAllStringSubmatch(string(text), -1)) {
				words = append(words, found[1])
			}
			for _, found := range numberOf.FindAllStringSubmatch(string(text), -1) {
				words = append(words, found[1], table.Column{Header: found[1], Unit: found[2]}.Label())
			}
			for _, line := range strings.Split(string(text), "\n") {
				if made := newTableOf.FindStringSubmatch(line); made != nil {
					for i, found := range quotedText.FindAllStringSubmatch(made[1], -1) {
						if i > 0 { // the title
							words = append(words, found[1])
						}
					}
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(words) < 60 {
		t.Fatalf("only %d headings were found: %q", len(words), words)
	}
	for status := gate.Unevaluated; status <= gate.Unchanged; status++ {
		words = append(words, status.String())
	}
	words = append(append(words, tune.Kept, tune.Broken, tune.Undecided, "not tried", "not set", scenarios.Recorded), verdictNames[:]...)
	words = append(words, strings.Split("reference|reference-shaper|±|no data|partial|saturated window|exact|left out|certified|possible|what it refuses|touched|"+
		"expectations that hold|saturated windows|halves of the span|no ±|95 % interval|one phase|calendar window|decides in place|first replication|pooled|summary|notes|front|worst instant|headline|worst of all replications|the halves of the span differ|in a rollout|skewed|next cheaper|closest to the reference|within chance|reference-shaper-2|began as|burst needed|count needed|most/min|peak/s|mean/s|keeps the limit|over the limit|possible maximum|"+
		"long-run rate|noise of a window|over-admission, % of what is due|server calls per second|over-limit of the first three windows, %|*|all requests|"+
		"not judged|not limited|findings|old|new|no random draws|no interval|goal|demand|abusers|trials|req|·|unpaired|sign-flip test|absent", "|")...)
	for _, word := range words {
		if strings.Trim(word, ", ") == "" {
			continue // between headings in the code
		}
		first := firstLines(t, word)
		if word == "promise" { // a suite, too, which is described first
			first = explained(t, word)
		}
		if !strings.Contains(first, "(in the output: ") && !strings.Contains(first, " (metric)") {
			t.Errorf("explain %q does not say what is printed:\n%s", word, first)
		}
	}
}

// TestAnswersBegin checks that the first lines of an answer answer: the options that a preset
// sets, the formula of a metric, how to write a fault, and where a word leads.
func TestAnswersBegin(t *testing.T) {
	all := sim.Catalog()
	for _, p := range all.Presets {
		first := strings.Join(strings.Fields(firstLines(t, p.Name)), " ")
		for name, value := range p.Options {
			if !strings.Contains(first, name+": "+strings.Join(strings.Fields(value), " ")) {
				t.Errorf("explain %s does not begin with %s: %s\n%s", p.Name, name, value, first)
			}
		}
	}
	for _, m := range all.Metrics {
		if first := firstLines(t, m.Name); !strings.Contains(first, "\nFormula\n") {
			t.Errorf("explain %s:\n%s", m.Name, first)
		}
	}
	for _, f := range scenarios.FaultKinds() {
		if first := firstLines(t, f.Name); !strings.Contains(first, "\nIn a scenario\n") {
			t.Errorf("explain %s:\n%s", f.Name, first)
		}
	}
	for family, member := range map[string]string{"fairness": "fairness_tenant_run_min", "staleness": "staleness_mean_ms", "latency": "report_latency_p99_ms", "report latency": "report_latency_mean_ms"} {
		if text := explained(t, family); !strings.Contains(text, "\n  "+member+" (") {
			t.Errorf("explain %s does not name %s:\n%s", family, member, text)
		}
	}
}

// TestNearMisses checks that a word with a mistake gets the right one.
func TestNearMisses(t *testing.T) {
	for word, want := range map[string]string{"not tryed": "not tried", "saturated windw": "saturated window", "over-limt": "over-limit", "reference-shapr": "reference-shaper", "server cals/s": "server calls"} {
		if code, _, errs := try("explain", word); code != usage.ExitUsage || !strings.Contains(errs, `did you mean "`+want) {
			t.Errorf("explain %s: %d, %s", word, code, errs)
		}
	}
}
