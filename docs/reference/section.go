package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// section returns one generated part of a page; what is the text of its comment.
func (s *site) section(page, what string) (string, error) {
	if command, ok := strings.CutPrefix(what, "$ "); ok {
		return s.shell.transcript(command)
	}
	kind, rest, _ := strings.Cut(what, " ")
	switch kind {
	case "algorithm":
		return s.algorithm(rest)
	case "pattern":
		if e := catalog.Find(s.catalog.Patterns, rest); e != nil {
			return describe(e) + fieldTable(e.Fields), nil
		}
	case "list":
		return s.list(rest)
	case "fields":
		if fields, ok := declared[rest]; ok {
			return fieldTable(fields()), nil
		}
	case "kinds":
		if kinds, ok := unions[rest]; ok {
			return kindTable(kinds()), nil
		}
	case "metrics":
		return s.metrics(strings.Fields(rest))
	case "affected":
		return s.affected(), nil
	case "scenario":
		return s.scenario(rest)
	case "commands":
		return s.commandPage()
	case "dependency":
		return s.dependency(rest)
	}
	return "", fmt.Errorf("nothing to generate for %q", what)
}

// scenario returns a file of docs/examples as a YAML block.
func (s *site) scenario(name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(s.root, "docs", "examples", name))
	if err != nil {
		return "", err
	}
	return "```yaml\n" + strings.TrimRight(string(text), "\n") + "\n```\n", nil
}

// algorithm describes everything of that name: a page describes a counter and the
// preset that runs this counter centrally.
func (s *site) algorithm(name string) (string, error) {
	var out strings.Builder
	described := false
	add := func(e *catalog.Entry) {
		if !described {
			out.WriteString(describe(e))
			described = true
		}
	}
	if e := catalog.Find(s.catalog.Enforcements, name); e != nil {
		add(e)
		fmt.Fprintf(&out, "**Enforcement.** %s\n\n%s", over(e), fieldTable(e.Fields))
	}
	if e := catalog.Find(s.catalog.Counters, name); e != nil {
		add(e)
		fmt.Fprintf(&out, "**Counter.**\n\n%s", fieldTable(e.Fields))
	}
	for i := range s.catalog.Presets {
		p := &s.catalog.Presets[i]
		if p.Name != name {
			continue
		}
		add(&p.Entry)
		fmt.Fprintf(&out, "\n**Preset.** Enforcement %s over counter %s", algorithmLink(p.Enforcement, name), algorithmLink(p.Counter, name))
		out.WriteString(s.settings(p))
	}
	if !described {
		return "", fmt.Errorf("no algorithm is called %q", name)
	}
	return out.String(), nil
}

// over lists the counters that an enforcement works with.
func over(e *catalog.Entry) string {
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
func (s *site) settings(p *catalog.Preset) string {
	if len(p.Options) == 0 {
		return ", all options at their defaults.\n"
	}
	out := ", with\n\n```yaml\nalgorithms:\n  " + p.Name + ":\n    enforcement: " + p.Enforcement + "\n    counter: " + p.Counter + "\n"
	for _, entries := range [][]catalog.Entry{s.catalog.Enforcements, s.catalog.Counters} {
		for _, name := range []string{p.Enforcement, p.Counter} {
			e := catalog.Find(entries, name)
			for i := 0; e != nil && i < len(e.Fields); i++ {
				if value, ok := p.Options[e.Fields[i].Name]; ok {
					out += "    " + e.Fields[i].Name + ": " + value + "\n"
				}
			}
		}
	}
	return out + "```\n"
}

// list returns an index of one kind of entries.
func (s *site) list(what string) (string, error) {
	t := table{header: []string{"name", "description"}}
	row := func(e *catalog.Entry, link string) {
		t.add(fmt.Sprintf("[`%s`](%s)", e.Name, link), e.Summary)
	}
	var entries []catalog.Entry
	switch what {
	case "counters":
		entries = s.catalog.Counters
	case "enforcements":
		entries = s.catalog.Enforcements
	case "presets":
		t.header = []string{"name", "enforcement", "counter", "description"}
		for i := range s.catalog.Presets {
			p := &s.catalog.Presets[i]
			t.add(fmt.Sprintf("[`%s`](algorithms/%s.md)", p.Name, p.Name), "`"+p.Enforcement+"`", "`"+p.Counter+"`", p.Summary)
		}
	case "patterns":
		for i := range s.catalog.Patterns {
			row(&s.catalog.Patterns[i], "#"+s.catalog.Patterns[i].Name)
		}
	default:
		return "", fmt.Errorf("no list of %q", what)
	}
	for i := range entries {
		row(&entries[i], path.Join("algorithms", entries[i].Name+".md"))
	}
	return t.String(), nil
}

// metrics returns a table of the metrics whose names match one of the patterns,
// in the order of reports.
func (s *site) metrics(globs []string) (string, error) {
	t := table{header: []string{"metric", "set", "unit", "better", "formula", "meaning"}}
	used := make([]bool, len(globs))
	for i := range s.catalog.Metrics {
		m := &s.catalog.Metrics[i]
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
