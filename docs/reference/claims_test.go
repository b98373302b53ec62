package reference

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// A table of figures that a page does not generate names the suite whose
// expectations hold them, in a comment above it:
//
//	<!-- held by seastar -->             columns scenario, algorithm, column, result
//	<!-- held by yugabyte: METRIC -->    column scenario, and one for each algorithm
//
// An empty cell repeats the one above it. A figure may have its own ±.
var heldTable = regexp.MustCompile(`(?m)^<!-- held by ([a-z]+)(?:: ([a-z0-9_]+))? -->\n((?:\|.*\n)+)`)

// claim is a figure on a page and where it comes from.
type claim struct {
	suite, scenario, algorithm, metric string
	figure                             string
}

func (c claim) String() string {
	return fmt.Sprintf("%s of %s, %s in %s: %s", c.metric, c.algorithm, c.suite, c.scenario, c.figure)
}

// claims returns the figures of the held tables of a page.
func claims(page string) (list []claim, err error) {
	for _, m := range heldTable.FindAllStringSubmatch(page, -1) {
		rows := tableRows(m[3])
		at := func(name string) int { return slices.Index(rows[0], name) }
		scenario, above := at("scenario"), make([]string, len(rows[0]))
		if scenario < 0 || m[2] == "" && (at("algorithm") < 0 || at("column") < 0 || at("result") < 0) {
			return nil, fmt.Errorf("the table held by %s has the columns %q: want scenario, and algorithm, column and result or a metric in the comment", m[1], rows[0])
		}
		for _, row := range rows[1:] {
			if len(row) != len(above) {
				return nil, fmt.Errorf("the table held by %s has the row %q with %d cells, not %d", m[1], row, len(row), len(above))
			}
			for i := range row {
				if row[i] == "" && i <= scenario {
					row[i] = above[i]
				}
			}
			above = row
			if m[2] == "" {
				list = append(list, claim{m[1], row[scenario], row[at("algorithm")], row[at("column")], row[at("result")]})
				continue
			}
			for i, algorithm := range rows[0] {
				if i != scenario {
					list = append(list, claim{m[1], row[scenario], algorithm, m[2], row[i]})
				}
			}
		}
	}
	return list, nil
}

// tableRows returns the cells of a Markdown table without its second line.
func tableRows(text string) (rows [][]string) {
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if i == 1 {
			continue
		}
		var row []string
		for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
			row = append(row, strings.Trim(strings.TrimSpace(cell), "`"))
		}
		rows = append(rows, row)
	}
	return rows
}

// widest is the largest width of the bounds around a figure, as a share of it.
const widest = 0.15

// check returns an error unless the expectations of a suite hold a claim: they
// equal the figure, or bound it on both sides, closely. A figure that is written
// as zero needs no lower bound.
func (c claim) check(f *scenarios.File) error {
	i := slices.IndexFunc(f.Scenarios, func(s scenarios.Scenario) bool { return s.Name == c.scenario })
	if i < 0 {
		return fmt.Errorf("%v: the suite has no such scenario", c)
	}
	s := &f.Scenarios[i]
	if !slices.Contains(append(catalog.Headline(), s.Columns...), c.metric) {
		return fmt.Errorf("%v: the scenario's columns do not name it, so its table need not show it", c)
	}
	text, spread, _ := strings.Cut(c.figure, " ±")
	figure, digit, err := number(text)
	if err != nil {
		return fmt.Errorf("%v: %w", c, err)
	}
	wide := max(widest*math.Abs(figure), 2*digit)
	if spread != "" {
		half, _, err := number(spread)
		if err != nil {
			return fmt.Errorf("%v: %w", c, err)
		}
		wide = max(wide, 2.6*half)
	}
	low, high := math.Inf(-1), math.Inf(1)
	for _, e := range s.Expect {
		if e.Algorithm != c.algorithm || e.Metric != c.metric {
			continue
		}
		if strings.HasPrefix(e.Op, ">") || e.Op == "==" {
			low = max(low, e.Threshold)
		}
		if strings.HasPrefix(e.Op, "<") || e.Op == "==" {
			high = min(high, e.Threshold)
		}
	}
	if figure == 0 && high <= digit {
		low = max(low, 0)
	}
	if half := digit / 2 * 1.001; figure < low-half || figure > high+half || high-low > wide {
		return fmt.Errorf("%v: held by expectations from %v to %v, want at most %.3g apart, around the figure", c, low, high, wide)
	}
	return nil
}

// number reads a figure such as "1,028" or "0.89" and returns the value of its
// last digit, too.
func number(text string) (value, digit float64, err error) {
	text = strings.ReplaceAll(text, ",", "")
	_, decimals, _ := strings.Cut(text, ".")
	value, err = strconv.ParseFloat(text, 64)
	return value, math.Pow(10, -float64(len(decimals))), err
}
