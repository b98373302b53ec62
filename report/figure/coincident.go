package figure

import (
	"math"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// drawnLine is a line of a panel and what it is called.
type drawnLine struct {
	name   string
	points []Point
}

// drawnLines are the lines of a panel.
type drawnLines struct {
	panel string
	lines []drawnLine
}

// coincident names the lines that lie on one another, so that a reader sees only the last
// of them: "a = b" for each set of lines whose points are at most 1 % apart.
func (d drawnLines) coincident() (sets []string) {
	named := map[string]bool{}
	for i, first := range d.lines {
		same := lists.Where(d.lines[i:], func(l drawnLine) bool { return !named[l.name] && onOne(first.points, l.points) })
		if named[first.name] || len(same) < 2 {
			continue
		}
		names := lists.Map(same, func(l drawnLine) string { return l.name })
		for _, name := range names {
			named[name] = true
		}
		sets = append(sets, strings.Join(names, " = "))
	}
	return sets
}

// onOne reports whether two lines lie on one another.
func onOne(a, b []Point) bool {
	near := func(x, y float64) bool { return math.Abs(x-y) <= 0.01*max(math.Abs(x), math.Abs(y)) }
	return len(a) > 1 && slices.EqualFunc(a, b, func(p, q Point) bool { return near(p.X, q.X) && near(p.Y, q.Y) })
}

// longestSets is the most letters of a subtitle that coincident lines may take.
const longestSets = 120

// onOneLine ends a subtitle with the lines that lie on one another, and in which panels, if
// not in all.
func onOneLine(panels []drawnLines) string {
	var in groups.Groups[string, string]
	for _, p := range panels {
		for _, set := range p.coincident() {
			in.Add(set, p.panel)
		}
	}
	texts := lists.Map(in.Keys, func(set string) string {
		if len(in.Of[set]) == len(panels) {
			return set
		}
		return set + " in " + strings.Join(in.Of[set], ", ")
	})
	switch text := strings.Join(texts, "; "); {
	case text == "":
		return ""
	case len(text) > longestSets:
		return " · some lines lie on one another: the table has the figures"
	default:
		return " · on one line: " + text
	}
}

// allOnOneLine ends the title of a panel whose lines all lie on one another.
func (d drawnLines) allOnOneLine() string {
	if len(d.lines) < 2 || slices.ContainsFunc(d.lines, func(l drawnLine) bool { return !onOne(d.lines[0].points, l.points) }) {
		return ""
	}
	return "; all on one line"
}
