package table

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// WorstNote describes the worst replication of a part with one scenario: the largest value
// of the first of worstFigures that is above 0 in some row, and the command that runs it
// alone. It is the worst observed for the seed, not an upper bound. The note is nil if no
// row has a replication that is worse than another.
func WorstNote(part *results.Document, registry []catalog.Metric) []string {
	s := part.Scenarios[0]
	for _, metric := range worstFigures(s) {
		algorithm, most, replication := "", 0.0, 0
		for _, r := range part.Rows(s.Name) {
			if r.Reference || r.Replications < 2 {
				continue
			}
			if figure, at, varies := largestValue(r.Metrics[metric]); varies && figure > most {
				algorithm, most, replication = r.Algorithm, figure, at+1
			}
		}
		if replication == 0 {
			continue
		}
		c := ColumnOf(metric, registry)
		note := fmt.Sprintf("worst of all replications: %s, %s %s %s in replication %d", algorithm,
			c.Header, format.Number(most), c.Unit, replication)
		if alone := rerunAlone(part.Stamp.Rerun, s, replication); alone != "" {
			note += "; alone: " + alone
		}
		return []string{note}
	}
	return nil
}

// worstFigures names the figures of a scenario whose largest values are the worst, the most
// important first.
func worstFigures(s results.Scenario) []string {
	if s.BestFixed != nil {
		return []string{"goodput_lost_pct", "refused_excess_pct", "late_excess_pct", "answer_p99_ms"}
	}
	return catalog.Headline()
}

// largestValue returns the largest value of all replications and the first replication
// that has it. For all worstFigures this is the worst. varies is false if all
// values are equal or one is missing.
func largestValue(s results.Summary) (x float64, at int, varies bool) {
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
