package main

import (
	"fmt"
	"regexp"
	"strings"
)

// command holds the help of one of the program's commands, or of a help topic,
// which has no usage.
type command struct {
	name     string // "" for the program itself
	short    string // one line, from the list of commands
	about    string
	usage    []string
	flags    []flag
	examples string // indented
}

// flag holds one line of a command's flags.
type flag struct {
	short, long string // with their dashes; short may be ""
	value       string // what it takes; "" for a switch
	text        string
}

// full returns the name as a user types it.
func (c *command) full() string {
	return strings.TrimSpace("limitgauge " + c.name)
}

var (
	named  = regexp.MustCompile(`^  (?:limitgauge )?([a-z-]+) +(\S.*)$`)
	option = regexp.MustCompile(`^  (?:(-\w), |    )(--[\w-]+)(?: (\S+))? {3,}(\S.*)$`)
	part   = regexp.MustCompile(`^([A-Z][A-Za-z ]*):$`)
)

// commands runs the program for its help, and for the help of every command and
// topic in it. So the pages show exactly what users read.
func (s *shell) commands() ([]command, error) {
	text, err := s.help()
	if err != nil {
		return nil, err
	}
	root, names, err := parseHelp("", text)
	if err != nil {
		return nil, err
	}
	list := []command{root}
	for _, n := range names {
		text, err := s.help(n[0])
		if err != nil {
			return nil, err
		}
		c, inside, err := parseHelp(n[0], text)
		if err != nil {
			return nil, err
		}
		if len(inside) > 0 {
			return nil, fmt.Errorf("help %s names commands of its own, which no page has a place for", n[0])
		}
		c.short = n[1]
		list = append(list, c)
	}
	return list, nil
}

// help returns the help that the program prints for a command.
func (s *shell) help(command ...string) (string, error) {
	out, _, err := s.run(append([]string{"help"}, command...)...)
	return out, err
}

// parseHelp parses the help of a command. It also returns the commands and topics
// that the help lists, each with its line. A line that belongs to no part is an
// error, so that no line is missing on the pages.
func parseHelp(name, text string) (c command, names [][2]string, err error) {
	c.name = name
	about, rest, _ := strings.Cut("\n"+text, "\nUsage:\n")
	c.about = strings.Trim(about, "\n")
	if rest == "" {
		return c, nil, nil
	}
	in := "Usage"
	for _, line := range strings.Split(strings.TrimRight(rest, "\n"), "\n") {
		if m := part.FindStringSubmatch(line); m != nil {
			in = m[1]
			continue
		}
		if strings.HasPrefix(line, `Use "`) {
			break
		}
		switch m := option.FindStringSubmatch(line); {
		case line == "" && in != "Examples":
		case in == "Usage":
			c.usage = append(c.usage, strings.TrimSpace(line))
		case in == "Examples":
			c.examples += line + "\n"
		case in == "Flags" && m != nil:
			c.flags = append(c.flags, flag{m[1], m[2], m[3], m[4]})
		default:
			m := named.FindStringSubmatch(line)
			if m == nil || in == "Flags" {
				return c, nil, fmt.Errorf("help %s: under %s: %q is not understood", name, in, line)
			}
			names = append(names, [2]string{m[1], m[2]})
		}
	}
	c.examples = strings.Trim(c.examples, "\n")
	return c, names, nil
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
