package main

import (
	"fmt"
	"strings"
)

// purpose describes the program in one line, with which a manual page begins.
const purpose = "measure how accurate rate limiters are"

// manual returns the manual pages by their paths: section 1 for the program and
// its commands, section 7 for help topics.
func (s *site) manual() (map[string]string, error) {
	all, err := s.shell.commands()
	if err != nil {
		return nil, err
	}
	pages := map[string]string{}
	for i := range all {
		name, section := manualName(&all[i])
		pages[fmt.Sprintf("man/%s.%d", name, section)] = manualPage(&all[i], all)
	}
	return pages, nil
}

func manualName(c *command) (name string, section int) {
	name, section = strings.ReplaceAll(c.full(), " ", "-"), 1
	if c.usage == nil {
		section = 7
	}
	return name, section
}

func manualPage(c *command, all []command) string {
	var out strings.Builder
	name, section := manualName(c)
	short := c.short
	if c.name == "" {
		short = purpose
	}
	fmt.Fprintf(&out, ".\\\" Made by go generate ./docs/reference from the help of the program.\n")
	fmt.Fprintf(&out, ".TH %q %d \"\" \"limitgauge\" \"limitgauge manual\"\n", strings.ToUpper(name), section)
	fmt.Fprintf(&out, ".SH NAME\n%s \\- %s\n", roff(name), roff(short))
	if c.usage != nil {
		out.WriteString(".SH SYNOPSIS\n")
		for i, line := range c.usage {
			if i > 0 {
				out.WriteString(".br\n")
			}
			out.WriteString(synopsis(c, line))
		}
	}
	out.WriteString(".SH DESCRIPTION\n")
	for _, p := range paragraphs(c.about) {
		if p.fixed {
			out.WriteString(verbatim(unindent(p.lines)))
			continue
		}
		fmt.Fprintf(&out, ".PP\n%s\n", roffLines(p.lines))
	}
	if len(c.flags) > 0 {
		out.WriteString(".SH OPTIONS\n")
	}
	for _, f := range c.flags {
		head := `\fB` + roff(f.long) + `\fR`
		if f.short != "" {
			head = `\fB` + roff(f.short) + `\fR, ` + head
		}
		if f.value != "" {
			head += ` \fI` + roff(f.value) + `\fR`
		}
		fmt.Fprintf(&out, ".TP\n%s\n%s\n", head, roff(f.text))
	}
	if c.examples != "" {
		out.WriteString(".SH EXAMPLES\n" + verbatim(unindent(strings.Split(c.examples, "\n"))))
	}
	out.WriteString(".SH SEE ALSO\n" + seeAlso(c, all))
	return out.String()
}

// synopsis returns a usage line in which literal words are bold.
func synopsis(c *command, line string) string {
	rest, ok := strings.CutPrefix(line, c.full())
	if !ok {
		return roff(line) + "\n"
	}
	return `\fB` + roff(c.full()) + `\fR` + roff(rest) + "\n"
}

func verbatim(text string) string {
	return ".PP\n.RS 4\n.nf\n" + roffLines(strings.Split(text, "\n")) + "\n.fi\n.RE\n"
}

// seeAlso refers to the program's page, or on that page to all others.
func seeAlso(c *command, all []command) string {
	var list []string
	for i := range all {
		if (c.name == "") == (all[i].name == "") {
			continue
		}
		name, section := manualName(&all[i])
		list = append(list, fmt.Sprintf(`\fB%s\fR(%d)`, roff(name), section))
	}
	return strings.Join(list, ",\n") + "\n"
}

func roffLines(lines []string) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = roff(l)
	}
	return strings.Join(out, "\n")
}

// roff escapes text so that roff finds no requests in it and keeps hyphens.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
