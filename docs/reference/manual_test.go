package reference

import (
	"cmp"
	stdflag "flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var manualDir = stdflag.String("man", "", "write the manual pages to `DIR`, as .ci/release does")

// TestManual writes the manual pages, which only the archives of a release hold.
func TestManual(t *testing.T) {
	dir := cmp.Or(*manualDir, t.TempDir())
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, page := range manual() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// manual returns the manual pages by their file names: section 1 for the program
// and its commands, section 7 for help topics.
func manual() map[string]string {
	all, pages := commands(), map[string]string{}
	for _, c := range all {
		name, section := manualName(c)
		pages[fmt.Sprintf("%s.%d", name, section)] = manualPage(c, all)
	}
	return pages
}

func manualName(c *cobra.Command) (name string, section int) {
	name, section = strings.ReplaceAll(c.CommandPath(), " ", "-"), 1
	if !c.Runnable() {
		section = 7
	}
	return name, section
}

func manualPage(c *cobra.Command, all []*cobra.Command) string {
	var out strings.Builder
	name, section := manualName(c)
	fmt.Fprintf(&out, ".\\\" Made by .ci/release from the help of the program.\n")
	fmt.Fprintf(&out, ".TH %q %d \"\" \"limitgauge\" \"limitgauge manual\"\n", strings.ToUpper(name), section)
	fmt.Fprintf(&out, ".SH NAME\n%s \\- %s\n", roff(name), roff(c.Short))
	if c.Runnable() {
		arguments := strings.TrimPrefix(c.UseLine(), c.CommandPath())
		fmt.Fprintf(&out, ".SH SYNOPSIS\n\\fB%s\\fR%s\n", roff(c.CommandPath()), roff(arguments))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&out, ".br\n\\fB%s\\fR [command]\n", roff(c.CommandPath()))
	}
	out.WriteString(".SH DESCRIPTION\n")
	for _, p := range paragraphs(cmp.Or(c.Long, c.Short)) {
		if p.fixed {
			out.WriteString(verbatim(unindent(p.lines)))
		} else {
			fmt.Fprintf(&out, ".PP\n%s\n", roffLines(p.lines))
		}
	}
	sections := sectionsOf(c)
	for i, s := range sections {
		if i == 0 {
			out.WriteString(".SH OPTIONS\n")
		}
		if len(sections) > 1 {
			out.WriteString(".SS " + roff(s.title) + "\n")
		}
		for _, f := range s.flags {
			head := `\fB` + roff(f.long) + `\fR`
			if f.short != "" {
				head = `\fB` + roff(f.short) + `\fR, ` + head
			}
			if f.value != "" {
				head += ` \fI` + roff(f.value) + `\fR`
			}
			fmt.Fprintf(&out, ".TP\n%s\n%s\n", head, roff(f.text))
		}
	}
	if c.Example != "" {
		out.WriteString(".SH EXAMPLES\n" + verbatim(unindent(strings.Split(c.Example, "\n"))))
	}
	// The program's page refers to all others, and they refer to it.
	var also []string
	for _, other := range all {
		if c.HasParent() != other.HasParent() {
			name, section := manualName(other)
			also = append(also, fmt.Sprintf(`\fB%s\fR(%d)`, roff(name), section))
		}
	}
	fmt.Fprintf(&out, ".SH SEE ALSO\n%s\n", strings.Join(also, ",\n"))
	return out.String()
}

func verbatim(text string) string {
	return ".PP\n.RS 4\n.nf\n" + roffLines(strings.Split(text, "\n")) + "\n.fi\n.RE\n"
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
