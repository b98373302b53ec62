//go:build network && unix

package measured

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/sim/results"
)

const page = "docs/live-systems.md"

// measurements returns all measurements in the order of the page.
func measurements() (list []measurement) {
	list = append(slices.Clone(redisScripts), redisRace)
	for _, f := range sqlFunctions {
		list = append(list, f.measurement)
	}
	for _, p := range slices.Concat(nginx, haproxy) {
		list = append(list, p.measurement)
	}
	list = append(append(list, ratelimit...), ratelimitFrozen)
	return append(list, goOne, goThree, goLossy, goFrozen)
}

// pair is a row of a real limiter and the one that should predict it.
type pair struct{ measured, predicted results.Result }

// kept has what was measured, by scenario.
var kept struct {
	sync.Mutex
	pairs map[string]pair
}

// keep keeps the rows of a measurement for the page.
func keep(m measurement, rows []results.Result) {
	kept.Lock()
	defer kept.Unlock()
	if kept.pairs == nil {
		kept.pairs = map[string]pair{}
	}
	var p pair
	for _, r := range rows {
		if r.Live != nil {
			p.measured = r
		}
	}
	for _, r := range rows {
		if !r.Reference && r.Live == nil && r.Algorithm == p.measured.Live.Predict {
			p.predicted = r
		}
	}
	kept.pairs[m.scenario] = p
}

// part is a generated part of the page: the table, which is called all, or the outputs of
// scenarios, with commas between their names.
var part = regexp.MustCompile(`(?ms)^<!-- live: ([^\n]+) -->$\n(.*?)^<!-- end -->$`)

// writePage writes what was measured to the page. It returns an error if a measurement
// is missing, or differs from its prediction without a reason.
func writePage() error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	rows := "| system | predicted by | metric | certified to possible | predicted | difference in points |\n| --- | --- | --- | --- | --- | --- |\n"
	parts := map[string]string{}
	var why string
	for _, m := range measurements() {
		p, measured := kept.pairs[m.scenario]
		if !measured {
			return fmt.Errorf("%s was not measured: the page stays as it was", m.scenario)
		}
		parts[m.scenario] = m.block(p)
		row, off, none := m.row(p)
		rows += row
		if math.Abs(off) > 2 {
			if m.why == "" {
				err = errors.Join(err, fmt.Errorf("%s differs from its prediction by %v points, and no reason is stated", m.scenario, off))
			}
			why += fmt.Sprintf("- %s: %s\n", m.scenario, m.why)
		}
		err = errors.Join(err, none)
	}
	if err != nil {
		return err
	}
	if why != "" {
		rows += "\nWhere the difference exceeds 2 points:\n\n" + why
	}
	parts["all"] = rows
	written := part.ReplaceAllStringFunc(string(text), func(old string) string {
		names := part.FindStringSubmatch(old)[1]
		text := parts[names]
		if names != "all" {
			text = "```console\n"
			for name := range strings.SplitSeq(names, ", ") {
				text += parts[name]
			}
			text += "```\n"
		}
		return fmt.Sprintf("<!-- live: %s -->\n%s<!-- end -->", names, text)
	})
	return os.WriteFile(page, []byte(written), 0o666)
}

// row returns the row of a measurement in the table of the page, and the difference to
// the prediction in points.
func (m measurement) row(p pair) (row string, off float64, err error) {
	measured, predicted := p.measured.Summary(m.figure), p.predicted.Summary(m.figure)
	if measured.Lo == nil || predicted.Mean == nil {
		return "", 0, fmt.Errorf("%s has no %s: %s%s", m.scenario, m.figure, measured.Reason, predicted.Reason)
	}
	off = table.Off(measured, predicted)
	return fmt.Sprintf("| %s | `%s` | `%s` | %s to %s | %s | %s |\n", m.scenario, p.predicted.Algorithm, m.figure,
		format.Number(*measured.Lo), format.Number(*measured.Hi), interval(predicted), format.Signed(off)), off, nil
}

// interval writes the mean of a figure and half of its interval.
func interval(s results.Summary) string {
	if s.Spread() == 0 {
		return format.Number(*s.Mean)
	}
	return format.Number(*s.Mean) + " ±" + format.Number(s.Spread())
}

// block returns the command of a measurement and its verdicts.
func (m measurement) block(p pair) string {
	l := p.measured.Live
	return fmt.Sprintf("%s%s: %s\n%[2]s: what it refuses: %[4]s\n", m.command(), m.target, l.Over.Text, l.Under.Text)
}

// command returns the command line of a measurement as the page shows it.
func (m measurement) command() string {
	line, text := "$ limitgauge", ""
	for i, word := range m.arguments(filepath.Base(scenarioFile), m.address) {
		if i > 0 && strings.ContainsAny(word, " {}?$()") {
			word = "'" + word + "'"
		}
		if len(line)+len(word) > 90 && strings.HasPrefix(word, "--") {
			line, text = "   ", text+line+" \\\n"
		}
		line += " " + word
	}
	return text + line + "\n"
}

// TestPage checks that the page has each measurement, with the command that makes it.
func TestPage(t *testing.T) {
	if *update {
		t.Skip("only without -update: the page is about to be written")
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	table, outputs := "", map[string]string{}
	for _, found := range part.FindAllStringSubmatch(string(text), -1) {
		if found[1] == "all" {
			table = found[2]
			continue
		}
		for name := range strings.SplitSeq(found[1], ", ") {
			outputs[name] = found[2]
		}
	}
	for _, m := range measurements() {
		if !strings.Contains(outputs[m.scenario], "\n"+m.command()) {
			t.Errorf("%s: the page has\n%swant the command\n%s", m.scenario, outputs[m.scenario], m.command())
		}
		if !strings.Contains(table, "\n| "+m.scenario+" |") {
			t.Errorf("%s is not in the table", m.scenario)
		}
		delete(outputs, m.scenario)
	}
	for name := range outputs {
		t.Errorf("the page has %s, which is not measured", name)
	}
}
