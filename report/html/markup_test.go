package html

import (
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// element is one start tag of a page, in order.
type element struct {
	name  string
	depth int
	attrs map[string]string
	text  string // the text directly in it, up to its first child
	inSVG bool
}

var raw = regexp.MustCompile(`(?s)<(style|script)>.*?</(?:style|script)>`)

// elements parses a page strictly: every attribute is quoted, every element
// that is not void has its own end tag, and all text is escaped. Styles and
// scripts become empty elements.
func elements(t testing.TB, page string) []element {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(raw.ReplaceAllString(page, "<$1></$1>")))
	d.Strict = false // attributes without a value, as in <details open>
	d.Entity = xml.HTMLEntity
	void := []string{"meta", "link", "br"}
	var all []element
	var open []string
	fresh := false // the last token was a start tag
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not well formed: %v", err)
		}
		switch one := token.(type) {
		case xml.StartElement:
			e := element{name: one.Name.Local, depth: len(open), attrs: map[string]string{}, inSVG: slices.Contains(open, "svg")}
			for _, a := range one.Attr {
				if _, twice := e.attrs[a.Name.Local]; twice {
					t.Errorf("<%s>: attribute %s is there twice", e.name, a.Name.Local)
				}
				e.attrs[a.Name.Local] = a.Value
			}
			all = append(all, e)
			if !slices.Contains(void, e.name) {
				open = append(open, e.name)
			}
			fresh = true
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1] != one.Name.Local {
				t.Fatalf("</%s> closes %v", one.Name.Local, open)
			}
			open = open[:len(open)-1]
			fresh = false
		case xml.CharData:
			if fresh {
				all[len(all)-1].text = strings.Join(strings.Fields(string(one)), " ")
			}
			fresh = false
		}
	}
	if len(open) > 0 {
		t.Fatalf("never closed: %v", open)
	}
	return all
}

// outline returns a page's structure as lines of text, without the contents of
// SVGs.
func outline(all []element) string {
	var out strings.Builder
	for _, e := range all {
		if e.inSVG || e.name == "span" || e.name == "td" {
			continue
		}
		out.WriteString(strings.Repeat(" ", e.depth) + e.name)
		for _, name := range []string{"id", "class", "href", "scope", "role", "tabindex", "data-first", "open", "aria-label"} {
			if v, ok := e.attrs[name]; ok {
				out.WriteString(" " + name + "=" + v)
			}
		}
		if e.text != "" {
			out.WriteString(": " + e.text)
		}
		out.WriteString("\n")
	}
	return out.String()
}
