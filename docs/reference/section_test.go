package reference

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/live/targets/exec"
	"github.com/limitgauge/limitgauge/live/targets/http"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/limiters"
)

// realLimiters declares the kinds of real limiters that live measures.
var realLimiters = []catalog.Entry{http.Kind().Entry, exec.Kind().Entry, targets.Redis(), targets.Postgres(), targets.RLS()}

// section returns one generated part of a page; what is the text of its comment. From
// the earlier text of a table of attacks it takes the rows that this has.
func section(what, earlier string) (string, error) {
	if flags, ok := strings.CutPrefix(what, attackEach); ok {
		return attacks(flags, earlier)
	}
	if command, ok := strings.CutPrefix(what, "$ "); ok {
		return transcript(command)
	}
	kind, rest, _ := strings.Cut(what, " ")
	switch kind {
	case "algorithm":
		return algorithm(rest)
	case "pattern":
		if e := catalog.Find(all.Patterns, rest); e != nil {
			return describe(e) + fieldTable(e.Fields), nil
		}
	case "target":
		if e := catalog.Find(realLimiters, rest); e != nil {
			return describe(e) + fieldTable(e.Fields), nil
		}
	case "list":
		return list(rest)
	case "fields":
		if fields, ok := declared[rest]; ok {
			return fieldTable(fields()), nil
		}
	case "states":
		return states(), nil
	case "kinds":
		if kinds, ok := unions[rest]; ok {
			return kindTable(kinds()), nil
		}
	case "metrics":
		return metrics(strings.Fields(rest))
	case "affected":
		return affected(), nil
	case "scenario":
		return example(rest, "yaml")
	case "calls":
		return example(rest, "json")
	case "reports":
		return reports(rest)
	case "limiter":
		_, limiter, err := scenarios.FindExec(rest)
		return fmt.Sprintf("```%s\n%s```\n", rest, limiter.Source), err
	case "commands":
		return commandPage(), nil
	case "formats":
		return formats(), nil
	case "dependency":
		return dependency(rest)
	}
	return "", fmt.Errorf("nothing to generate for %q", what)
}

// example returns a file of docs/examples as a block in a language.
func example(name, language string) (string, error) {
	text, err := os.ReadFile(filepath.Join("docs", "examples", name))
	if err != nil {
		return "", err
	}
	return "```" + language + "\n" + strings.TrimRight(string(text), "\n") + "\n```\n", nil
}

// algorithm describes everything of that name: a page describes a counter and the
// preset that runs this counter centrally.
func algorithm(name string) (string, error) {
	var first *catalog.Entry // describes all of them
	var out strings.Builder
	if e := catalog.Find(all.Enforcements, name); e != nil {
		first = e
		fmt.Fprintf(&out, "**Enforcement.** %s\n\n%s", over(e), fieldTable(e.Fields))
	}
	if e := catalog.Find(all.Counters, name); e != nil {
		first = cmp.Or(first, e)
		fmt.Fprintf(&out, "**Counter.**\n\n%s", fieldTable(e.Fields))
	}
	for i := range all.Presets {
		if p := &all.Presets[i]; p.Name == name {
			first = cmp.Or(first, p.Entry())
			counter := ""
			if p.Counter != "" {
				counter = " over counter " + algorithmLink(p.Counter, name)
			}
			fmt.Fprintf(&out, "\n**Preset.** Enforcement %s%s%s", algorithmLink(p.Enforcement, name), counter, settings(p))
		}
	}
	if first == nil {
		return "", fmt.Errorf("no algorithm is called %q", name)
	}
	return describe(first) + out.String(), nil
}

// over lists the counters that an enforcement works with.
func over(e *catalog.Entry) string {
	if e.Counterless {
		return "It has no counter."
	}
	if e.Over == nil {
		return "Works over every counter."
	}
	var links []string
	for _, name := range e.Over {
		links = append(links, algorithmLink(name, e.Name))
	}
	return "Works over " + strings.Join(links, ", ") + "."
}

// algorithmLink returns a name with a link to its page, unless it is this page.
func algorithmLink(name, here string) string {
	if name == here {
		return "`" + name + "`"
	}
	return fmt.Sprintf("[`%s`](%s.md)", name, name)
}

// settings returns the options that a preset changes, in the order of declaration.
func settings(p *catalog.Preset) string {
	if len(p.Options) == 0 {
		return ", all options at their defaults.\n"
	}
	out := ", with\n\n```yaml\nalgorithms:\n  " + p.Name + ":\n    enforcement: " + p.Enforcement + "\n"
	if p.Counter != "" {
		out += "    counter: " + p.Counter + "\n"
	}
	for _, f := range slices.Concat(catalog.Find(all.Enforcements, p.Enforcement).Fields, all.Counter(p.Counter).Fields) {
		if value, ok := p.Options[f.Name]; ok {
			out += "    " + f.Name + ": " + value + "\n"
		}
	}
	return out + "```\n"
}

// list returns an index of one kind of entries.
func list(what string) (string, error) {
	t := table{header: []string{"name", "description"}}
	var entries []catalog.Entry
	link := func(name string) string { return fmt.Sprintf("[`%s`](algorithms/%s.md)", name, name) }
	switch what {
	case "counters":
		entries = all.Counters
	case "enforcements":
		entries = all.Enforcements
	case "patterns":
		entries, link = all.Patterns, func(name string) string { return fmt.Sprintf("[`%s`](#%s)", name, name) }
	case "presets":
		t.header = []string{"name", "enforcement", "counter", "description"}
		for _, p := range all.Presets {
			t.add(link(p.Name), "`"+p.Enforcement+"`", "`"+p.Counter+"`", p.Summary)
		}
	default:
		return "", fmt.Errorf("no list of %q", what)
	}
	for _, e := range entries {
		t.add(link(e.Name), e.Summary)
	}
	return t.String(), nil
}

// states returns the table of the members of the counters' states. A row names all
// counters with the same member.
func states() string {
	t := table{header: []string{"counter", "member", "unit", "meaning"}}
	rows := map[catalog.Member]int{}
	for _, e := range all.Counters {
		for _, m := range e.State {
			row, known := rows[m]
			if !known {
				rows[m] = len(t.rows)
				t.add("`"+e.Name+"`", "`"+m.Name+"`", m.Unit, m.Doc)
				continue
			}
			t.rows[row][0] += ", `" + e.Name + "`"
		}
	}
	return t.String()
}

// affected returns the table of faults that affect each enforcement.
func affected() string {
	kinds := scenarios.FaultKinds()
	t := table{header: []string{"enforcement"}}
	for _, k := range kinds {
		t.header = append(t.header, "`"+k.Name+"`")
	}
	for _, e := range all.Enforcements {
		row := []string{"[`" + e.Name + "`](../algorithms/" + e.Name + ".md)"}
		for _, k := range kinds {
			mark := ""
			if limiters.Of(&scenarios.Algorithm{Enforcement: e.Name}).IsAffectedBy(k.Name) {
				mark = "yes"
			}
			row = append(row, mark)
		}
		t.add(row...)
	}
	return t.String()
}

// metrics returns a table of the metrics whose names match one of the patterns,
// in the order of reports.
func metrics(globs []string) (string, error) {
	t := table{header: []string{"metric", "set", "unit", "better", "formula", "meaning"}}
	used := make([]bool, len(globs))
	for i := range all.Metrics {
		m := &all.Metrics[i]
		if g := matching(globs, m.Name); g >= 0 {
			used[g] = true
			better := map[int]string{-1: "lower", 0: "-", 1: "higher"}[m.Better]
			t.add("`"+m.Name+"`", catalog.MetricSet(m.Full), m.Unit, better, m.Formula, m.Doc)
		}
	}
	for i, ok := range used {
		if !ok {
			return "", fmt.Errorf("no metric is called %s", globs[i])
		}
	}
	return t.String(), nil
}

// matching returns the index of the first pattern that a name matches, or -1.
func matching(globs []string, name string) int {
	for i, g := range globs {
		if ok, _ := path.Match(g, name); ok {
			return i
		}
	}
	return -1
}
