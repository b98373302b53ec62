package table

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/results"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
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

// WorstOf returns the largest value of the first headline metric that is above 0
// in some row. It reports false if no row has a replication that is worse than
// another.
func WorstOf(doc *results.Document, s results.Scenario) (w Worst, ok bool) {
	for _, metric := range catalog.Headline() {
		for _, r := range doc.Rows(s.Name) {
			if r.Reference || r.Replications < 2 {
				continue
			}
			figure, at, varies := Largest(r.Metrics[metric])
			if varies && figure > w.Figure {
				w = Worst{Algorithm: r.Algorithm, Metric: metric, Figure: figure, Replication: at + 1}
			}
		}
		if w.Replication > 0 {
			w.Rerun = rerunAlone(doc, s, w.Replication)
			return w, true
		}
	}
	return w, false
}

// Largest returns the largest value of all replications and the first replication
// that has it. For all headline metrics this is the worst. varies is false if all
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

// chosen matches the flags of a command that select scenarios and replications.
// A name may have shell quotes.
var chosen = regexp.MustCompile(` --(seed|replications?|until|max-replications|scenario) ('[^']*'|\\'|[^\s'\\])+`)

// rerunAlone returns the document's command, reduced to one replication of the
// scenario. It draws the same random numbers as in the full run.
func rerunAlone(doc *results.Document, s results.Scenario, replication int) string {
	command := chosen.ReplaceAllString(doc.Stamp.Rerun, "")
	if command == "" {
		return ""
	}
	if strings.HasPrefix(command, "limitgauge run ") {
		command += " --scenario " + format.ShellQuote(s.Name)
	}
	return fmt.Sprintf("%s --seed %d --replication %d", command, s.Seed, replication)
}

// worstNote describes the worst replication.
func worstNote(doc *results.Document, s results.Scenario) []string {
	w, ok := WorstOf(doc, s)
	if !ok {
		return nil
	}
	note := fmt.Sprintf("worst of all replications: %s, %s in replication %d", w.Algorithm,
		withUnit(w.Figure, shortHeads[w.Metric]), w.Replication)
	if w.Rerun != "" {
		note += "; alone: " + w.Rerun
	}
	return []string{note}
}

// withUnit writes a figure with the name and the unit of its column.
func withUnit(x float64, c Column) string {
	return fmt.Sprintf("%s %s %s", c.Header, format.Number(x), c.Unit)
}
