package check

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// Kind is what is found about a rule.
type Kind string

// The kinds of findings.
const (
	Invalid    Kind = "invalid"
	Undefined  Kind = "undefined"
	Unused     Kind = "unused"
	Replaced   Kind = "replaced"
	Unreached  Kind = "unreached"
	Unkeyed    Kind = "unkeyed"
	NeverBinds Kind = "never-binds"
	CountsOnly Kind = "counts-only"
	RefusesAll Kind = "refuses-all"
	Rounded    Kind = "rounded"
	Forgotten  Kind = "forgotten"
	LooseKey   Kind = "loose-key"
)

// Kinds lists the kinds with their meanings.
var Kinds = []struct {
	Kind    Kind
	Meaning string
}{
	{Invalid, "The server refuses to start with the file."},
	{Undefined, "A rule names a zone, a table or a file that is not given."},
	{Unused, "No rule names it."},
	{Replaced, "A nearer rule stands in for it."},
	{Unreached, "Requests are answered before the rule is looked at."},
	{Unkeyed, "Some requests have no key, so they are not limited."},
	{NeverBinds, "The rule limits no request."},
	{CountsOnly, "The rule refuses and delays nothing."},
	{RefusesAll, "No request passes the rule."},
	{Rounded, "The server counts another rate than the file states."},
	{Forgotten, "Counts are dropped before their period ends."},
	{LooseKey, "The client chooses the key, and so escapes the limit."},
}

// Finding is something to know about a rule.
type Finding struct {
	Position
	Kind Kind   `json:"kind"`
	Rule string `json:"rule"` // its name, or ""
	Text string `json:"text"`
}

// Sort brings rules, findings and parts into the order of the files, and leaves out what
// is found twice. files are in the order in which they were given.
func (c *Config) Sort(files []string) {
	place := func(p Position) int { return slices.Index(files, p.File) }
	byPosition := func(a, b Position) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	}
	slices.SortStableFunc(c.Findings, func(a, b Finding) int { return byPosition(a.Position, b.Position) })
	c.Findings = append(c.Findings[:0], lists.Distinct(c.Findings)...)
	for i := range c.NotJudged {
		slices.SortFunc(c.NotJudged[i].Lines, byPosition)
		c.NotJudged[i].Lines = slices.Compact(c.NotJudged[i].Lines)
	}
	slices.SortStableFunc(c.NotJudged, func(a, b Part) int { return byPosition(a.Lines[0], b.Lines[0]) })
}

// Has reports whether a finding of this kind was made.
func (c *Config) Has(kind Kind) bool {
	return slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.Kind == kind })
}
