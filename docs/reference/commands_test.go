package reference

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limitgauge/limitgauge/cmd/cli"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
)

// commands returns the program, then its commands and help topics in the order
// in which its help lists them, each before its own commands. A topic is a command that cannot run.
func commands() []*cobra.Command {
	root := cli.Commands(cli.Host{})
	root.InitDefaultHelpCmd()
	list := []*cobra.Command{root}
	for _, group := range append(root.Groups(), &cobra.Group{}) { // topics are in no group
		for _, c := range root.Commands() {
			if c.GroupID == group.ID && !c.Hidden {
				list = append(append(list, c), c.Commands()...)
			}
		}
	}
	return list
}

// commandPage returns the reference of commands and help topics.
func commandPage() string {
	var sections strings.Builder
	runnable, topics := table{header: []string{"command", "what it does"}}, table{header: []string{"topic", "what it says"}}
	for _, c := range commands()[1:] {
		t := &runnable
		if !c.Runnable() {
			t = &topics
		}
		name := nameOf(c)
		t.add(fmt.Sprintf("[`%s`](#%s)", name, strings.ReplaceAll(name, " ", "-")), c.Short)
		sections.WriteString("\n" + commandSection(c))
	}
	return fmt.Sprintf("%s\n%s%s", &runnable, &topics, &sections)
}

// nameOf returns a command's name after that of the program: "sql check".
func nameOf(c *cobra.Command) string {
	return strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
}

func commandSection(c *cobra.Command) string {
	var out strings.Builder
	fmt.Fprintf(&out, "## %s\n\n%s\n", nameOf(c), prose(sentence(c.Short)))
	if c.Runnable() {
		fmt.Fprintf(&out, "\n```\n%s\n```\n", c.UseLine())
	}
	for _, p := range paragraphs(c.Long) {
		if p.fixed {
			fmt.Fprintf(&out, "\n```\n%s\n```\n", unindent(p.lines))
		} else {
			fmt.Fprintf(&out, "\n%s\n", prose(strings.Join(p.lines, "\n")))
		}
	}
	sections := sectionsOf(c)
	for _, s := range sections {
		t := table{header: []string{"flag", "meaning"}}
		for _, f := range s.flags {
			name := "`" + strings.TrimSpace(f.long+" "+f.value) + "`"
			if f.short != "" {
				name = "`" + f.short + "`, " + name
			}
			t.add(name, prose(f.text))
		}
		if len(sections) > 1 {
			fmt.Fprintf(&out, "\n%s:\n", s.title)
		}
		fmt.Fprintf(&out, "\n%s", &t)
	}
	if c.Example != "" {
		fmt.Fprintf(&out, "\nFor example:\n\n```\n%s\n```\n", unindent(strings.Split(c.Example, "\n")))
	}
	return out.String()
}

// flag holds one line of a command's flags.
type flag struct {
	short, long string // with their dashes; short may be ""
	value       string // what it takes; "" for a switch
	text        string
}

var flagLine = regexp.MustCompile(`(?m)^  (?:(-\w), |    )(--[\w-]+)(?: (\S+))? {3,}(\S.*)$`)

// flagSection holds flags under their heading.
type flagSection struct {
	title string
	flags []flag
}

// sectionsOf returns the flags of a command as its help shows them, with their
// defaults. It leaves out --help, a flag of every command.
func sectionsOf(c *cobra.Command) (list []flagSection) {
	if !c.Runnable() {
		return nil
	}
	for _, s := range usage.Sections(c) {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		set.SortFlags = false
		for _, f := range s.Flags {
			set.AddFlag(f)
		}
		one := flagSection{title: s.Title}
		for _, m := range flagLine.FindAllStringSubmatch(set.FlagUsages(), -1) {
			if m[2] != "--help" {
				one.flags = append(one.flags, flag{m[1], m[2], m[3], m[4]})
			}
		}
		if len(one.flags) > 0 {
			list = append(list, one)
		}
	}
	return list
}

// paragraph holds a part of a help text: lines of prose, or indented lines that
// are kept unchanged.
type paragraph struct {
	lines []string
	fixed bool
}

// paragraphs splits a help text at empty lines and where indentation begins.
func paragraphs(text string) []paragraph {
	var list []paragraph
	empty := true // the line above
	for _, line := range strings.Split(text, "\n") {
		fixed := strings.HasPrefix(line, " ")
		last := len(list) - 1
		switch {
		case line == "":
		case last >= 0 && list[last].fixed == fixed && !empty:
			list[last].lines = append(list[last].lines, line)
		default:
			list = append(list, paragraph{[]string{line}, fixed})
		}
		empty = line == ""
	}
	return list
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
