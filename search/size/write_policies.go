package size

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
)

// Tail returns the command that shows the recommended setting and the policies of a
// document, as text or as Markdown. What is to be pasted is not wrapped.
func (d *Document) Tail(markdown bool) string {
	var out strings.Builder
	title, indent, item := "\n%s\n", "  ", "  cannot say: %s\n"
	if markdown {
		title, indent, item = "\n### %s\n\n", "", "- cannot say: %s\n"
	}
	list := d.Policies
	if d.Replay != "" {
		list = append([]Policy{{System: "see it at work, with the same counts", Text: d.Replay + "\n"}}, list...)
	}
	for _, p := range list {
		fmt.Fprintf(&out, title, p.System)
		if p.Text != "" && markdown {
			fmt.Fprintf(&out, "```\n%s```\n\n", p.Text)
		} else if p.Text != "" {
			for line := range strings.Lines(p.Text) {
				out.WriteString(indent + line)
			}
		}
		if text := strings.Join(p.CannotSay, "; "); text != "" && markdown {
			fmt.Fprintf(&out, item, format.MarkdownLine(text))
		} else if text != "" {
			fmt.Fprintf(&out, item, text)
		}
	}
	return out.String()
}
