package table

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/limitgauge/limitgauge/report/format"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Worst is the replication in which a scenario's figures came out worst: the
// most that the seed showed, which is no bound.
type Worst struct {
	Algorithm   string
	Metric      string
	Figure      float64
	Replication int    // from 1
	Rerun       string // the command that runs it alone; "" where the document does not say how it was made
}

// WorstOf looks for the largest value of the first headline figure in which
// anything went wrong. ok is false where no row has a replication that is worse
// than another.
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

// Largest is the largest of a figure's replications, of equal ones the first:
// for all headline figures that is the worst. varies is false where they are
// all the same, or have no figure.
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

// chosen are the flags of a command that say which scenarios and replications
// it runs. A name may be quoted as shells have it.
var chosen = regexp.MustCompile(` --(seed|replications?|until|max-replications|scenario) ('[^']*'|\\'|[^\s'\\])+`)

// rerunAlone is the document's own command, cut down to one replication of the
// scenario: it draws the same numbers alone as among others.
func rerunAlone(doc *results.Document, s results.Scenario, replication int) string {
	command := chosen.ReplaceAllString(doc.Stamp.Rerun, "")
	if command == "" {
		return ""
	}
	if strings.HasPrefix(command, "limitgauge run ") {
		command += " --scenario " + quoted(s.Name)
	}
	return fmt.Sprintf("%s --seed %d --replication %d", command, s.Seed, replication)
}

var plain = regexp.MustCompile(`^[\w./:=,@+%-]+$`)

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// worstNote names the worst replication under a table.
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

// withUnit is a figure with what its column is called.
func withUnit(x float64, c Column) string {
	return fmt.Sprintf("%s %s %s", c.Header, format.Number(x), c.Unit)
}
