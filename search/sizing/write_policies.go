package sizing

import (
	"fmt"
	"io"
	"strings"

	"github.com/limitgauge/limitgauge/format"
)

// WritePolicies writes the policies of a document as text, or as Markdown.
func WritePolicies(w io.Writer, d *Document, markdown bool) error {
	var out strings.Builder
	title, indent, item := "\n%s\n", "  ", "  cannot say: %s\n"
	if markdown {
		title, indent, item = "\n### %s\n\n", "", "- cannot say: %s\n"
	}
	for _, p := range d.Policies {
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
	_, err := io.WriteString(w, out.String())
	return err
}
