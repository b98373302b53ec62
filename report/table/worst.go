package table

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Worst is the replication with the largest value of a metric. The value is the
// worst observed for the seed, not an upper bound.
type Worst struct {
	Algorithm   string
	Metric      string
	Figure      float64
	Replication int    // from 1
	Rerun       string // the command that runs it alone; "" if the document has no command
}

// WorstOf returns the largest value of the first of WorstFigures that is above 0 in some row
// of a part with one scenario. It reports false if no row has a replication that is worse
// than another.
func WorstOf(part *results.Document) (w Worst, ok bool) {
	s := part.Scenarios[0]
	for _, metric := range WorstFigures(s) {
		for _, r := range part.Rows(s.Name) {
			if r.Reference || r.Replications < 2 {
				continue
			}
			figure, at, varies := Largest(r.Metrics[metric])
			if varies && figure > w.Figure {
				w = Worst{Algorithm: r.Algorithm, Metric: metric, Figure: figure, Replication: at + 1}
			}
		}
		if w.Replication > 0 {
			w.Rerun = rerunAlone(part.Stamp.Rerun, s, w.Replication)
			return w, true
		}
	}
	return w, false
}

// WorstFigures names the figures of a scenario whose largest values are the worst, the most
// important first.
func WorstFigures(s results.Scenario) []string {
	if s.BestFixed != nil {
		return []string{"goodput_lost_pct", "refused_excess_pct", "late_excess_pct", "answer_p99_ms"}
	}
	return catalog.Headline()
}

// Largest returns the largest value of all replications and the first replication
// that has it. For all WorstFigures this is the worst. varies is false if all
// values are equal or one is missing.
func Largest(s results.Summary) (x float64, at int, varies bool) {
	for i, v := range s.Values {
		if v == nil {
			return 0, 0, false
		}
		if i == 0 || *v > x {
			x, at = *v, i
		}
		varies = varies || *v != *s.Values[0]
	}
	return x, at, varies
}

// chosen matches the flags of a command that select scenarios, replications and keys.
// A name may have shell quotes.
var chosen = regexp.MustCompile(` --(seed|replications?|until|max-replications|scenario|key) ('[^']*'|\\'|[^\s'\\])+`)

// rerunAlone returns the command rerun, reduced to one replication of the
// scenario. It draws the same random numbers as in the full run.
func rerunAlone(rerun string, s results.Scenario, replication int) string {
	if !strings.HasPrefix(rerun, "limitgauge ") {
		return "" // the command of a test or another program has other flags
	}
	command := chosen.ReplaceAllString(rerun, "")
	if strings.HasPrefix(command, "limitgauge run ") {
		command += " --scenario " + format.ShellQuote(s.Name)
	}
	return fmt.Sprintf("%s --seed %d --replication %d", command, s.Seed, replication)
}

// worstNote describes the worst replication.
func worstNote(part *results.Document, registry []catalog.Metric) []string {
	w, ok := WorstOf(part)
	if !ok {
		return nil
	}
	c := ColumnOf(w.Metric, registry)
	note := fmt.Sprintf("worst of all replications: %s, %s %s %s in replication %d", w.Algorithm,
		c.Header, format.Number(w.Figure), c.Unit, w.Replication)
	if w.Rerun != "" {
		note += "; alone: " + w.Rerun
	}
	return []string{note}
}
