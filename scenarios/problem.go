package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// String returns "file:line:col: field: message", the form that editors can
// jump to.
func (p Problem) String() string {
	if p.Pos.Line == 0 { // of a command line
		return p.Text()
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.Path, p.Pos.Line, p.Pos.Col, p.Text())
}

// Text returns the problem without its position.
func (p Problem) Text() string {
	if p.Field == "" {
		return p.Message
	}
	return p.Field + ": " + p.Message
}

// path is the position of a value in the document, as a list from the leaf up,
// so that walking a large file builds no strings. nil is the document.
type path struct {
	up    *path
	name  string
	index int // of an item, where name is ""
}

// place is where something stands in the file: its position, and the path of the
// value there.
type place struct {
	pos  catalog.Position
	path *path
}

// field returns the place of a field that is missing from the mapping at p.
func (p place) field(name string) place { return place{p.pos, &path{up: p.path, name: name}} }

// item returns the place of an item of the list at p.
func (p place) item(i int) place { return place{p.pos, &path{up: p.path, index: i}} }

// value returns the place of a field of the mapping at p, which has been bound to
// values.
func (p place) value(values catalog.Values, name string) place {
	p = p.field(name)
	if v := values[name]; v.Given {
		p.pos = v.Pos
	}
	return p
}

// String returns a path such as scenarios[0].traffic[1].rate.
func (p *path) String() string {
	var parts []string
	for ; p != nil; p = p.up {
		switch {
		case p.name == "":
			parts = append(parts, "["+strconv.Itoa(p.index)+"]")
		case p.up == nil:
			parts = append(parts, Clip(p.name))
		default:
			parts = append(parts, "."+Clip(p.name))
		}
	}
	slices.Reverse(parts)
	return strings.Join(parts, "")
}

// Clip shortens a name of the file to fit a message of one line.
func Clip(name string) string {
	const longest = 60
	if len(name) > longest {
		name = strings.ToValidUTF8(name[:longest], "") + "…"
	}
	if quoted := strconv.Quote(name); quoted != `"`+name+`"` {
		return quoted
	}
	return name
}

// reporter receives one problem.
type reporter func(at place, format string, args ...any)

// maxProblems limits the problems reported for one file.
const maxProblems = 1000

// problems collects the problems of a file.
type problems struct {
	path string
	list []Problem
}

func (p *problems) report(at place, format string, args ...any) {
	if len(p.list) == maxProblems {
		return
	}
	p.list = append(p.list, Problem{Path: p.path, Pos: at.pos, Field: at.path.String(), Message: fmt.Sprintf(format, args...)})
}

// sorted returns the problems in the order of the file.
func (p *problems) sorted() []Problem {
	slices.SortStableFunc(p.list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return slices.Compact(p.list) // a block of several scenarios has its problems once
}

// Suggest returns ` (did you mean "rate"?)` if one of known is similar to name
// or begins with it, else "".
func Suggest(name string, known []string) string {
	if instead := catalog.InsteadOf(name); instead != "" {
		return " (" + instead + ")"
	}
	best, distance := "", 1+max(1, len(name)/3)
	for _, k := range known {
		if strings.EqualFold(k, name) {
			best = k
			break
		}
		if d := editDistance(name, k, distance); d < distance {
			best, distance = k, d
		}
	}
	if best == "" && len(name) > 2 {
		if i := slices.IndexFunc(known, func(k string) bool { return strings.HasPrefix(k, name) }); i >= 0 {
			best = known[i]
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// editDistance counts the insertions, deletions, replacements and swaps of
// adjacent characters between a and b. It returns limit if there are as many or
// more.
func editDistance(a, b string, limit int) int {
	if diff := len(a) - len(b); diff >= limit || -diff >= limit {
		return limit
	}
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		row, above, twoAbove := rows[i%3], rows[(i+2)%3], rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := above[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(replace, above[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], twoAbove[j-2]+1)
			}
		}
	}
	return min(rows[len(a)%3][len(b)], limit)
}
