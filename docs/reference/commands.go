package main

import (
	"fmt"
	"strings"
)

// commandPage returns the reference of commands and help topics, in the order
// in which the program lists them.
func (s *site) commandPage() (string, error) {
	all, err := s.shell.commands()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	commands, topics := table{header: []string{"command", "what it does"}}, table{header: []string{"topic", "what it says"}}
	for _, c := range all[1:] {
		t := &commands
		if c.usage == nil {
			t = &topics
		}
		t.add(fmt.Sprintf("[`%s`](#%s)", c.name, c.name), c.short)
	}
	fmt.Fprintf(&out, "%s\n%s", &commands, &topics)
	for i := range all[1:] {
		out.WriteString("\n" + commandSection(&all[1+i]))
	}
	return out.String(), nil
}

func commandSection(c *command) string {
	var out strings.Builder
	fmt.Fprintf(&out, "## %s\n\n%s\n", c.name, prose(sentence(c.short)))
	if c.usage != nil {
		fmt.Fprintf(&out, "\n```\n%s\n```\n", strings.Join(c.usage, "\n"))
	}
	for _, p := range paragraphs(c.about) {
		text := strings.Join(p.lines, "\n")
		switch {
		case text == c.short: // said above
		case p.fixed:
			fmt.Fprintf(&out, "\n```\n%s\n```\n", unindent(p.lines))
		default:
			fmt.Fprintf(&out, "\n%s\n", prose(text))
		}
	}
	if t := flagTable(c.flags); t != "" {
		out.WriteString("\n" + t)
	}
	if c.examples != "" {
		fmt.Fprintf(&out, "\nFor example:\n\n```\n%s\n```\n", unindent(strings.Split(c.examples, "\n")))
	}
	return out.String()
}

// flagTable lists a command's own flags. It leaves out those of every command.
func flagTable(flags []flag) string {
	t := table{header: []string{"flag", "meaning"}}
	for _, f := range flags {
		if f.long == "--help" {
			continue
		}
		name := "`" + strings.TrimSpace(f.long+" "+f.value) + "`"
		if f.short != "" {
			name = "`" + f.short + "`, " + name
		}
		t.add(name, prose(f.text))
	}
	if len(t.rows) == 0 {
		return ""
	}
	return t.String()
}

// prose escapes characters that Markdown would read as markup.
func prose(text string) string {
	return strings.NewReplacer("<", `\<`, "*", `\*`, "`", "\\`").Replace(text)
}

// unindent removes the indentation that all lines share.
func unindent(lines []string) string {
	shared := len(lines[0])
	for _, l := range lines {
		if l != "" {
			shared = min(shared, len(l)-len(strings.TrimLeft(l, " ")))
		}
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l[min(shared, len(l)):]
	}
	return strings.Join(out, "\n")
}
