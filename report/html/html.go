// Package html writes a results document as one self-contained HTML file. The
// file needs no network and no other file, and is readable without scripts. Its
// script adds sorting and shows values under the pointer.
//
// The package makes no promise: it can change at any time.
package html

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"sync"
	"unicode"

	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

var (
	//go:embed page.gohtml
	pageText string
	//go:embed style.css
	styleText string
	//go:embed script.js
	scriptText string
)

// pageTemplate returns the template of a page. It is parsed when it is used first, because
// most commands write none.
var pageTemplate = sync.OnceValue(parsePage)

func parsePage() *template.Template {
	return template.Must(template.New("page").Funcs(drawing).Parse(pageText))
}

// Write writes the document as a page. The registry defines the metrics; an
// unknown metric is shown and marked as unknown. The same document gives the same
// bytes. Write fails only if w does.
func Write(w io.Writer, doc *results.Document, registry []catalog.Metric) error {
	return newPage(doc, gate.Evaluate(doc), registry).write(w)
}

// WriteGate writes the page of Write with the verdicts of a gate on the document,
// those against a baseline included.
func WriteGate(w io.Writer, doc *results.Document, v gate.Verdicts, registry []catalog.Metric) error {
	return newGatePage(doc, v, registry).write(w)
}

// secure sets the style, the script and the content security policy of the page.
func (p *page) secure() {
	// The content security policy admits only the page's own style and script,
	// by their hashes. Styles and scripts inside a document's texts are
	// therefore never applied or run.
	p.Policy = fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; img-src data:; base-uri 'none'; form-action 'none'",
		source(styleText), source(scriptText))
	p.Style = template.HTML("<style>" + styleText + "</style>")
	p.Script = template.HTML("<script>" + scriptText + "</script>")
}

func (p *page) write(w io.Writer) error {
	p.secure()
	return write(w, pageTemplate(), "page", p)
}

// write writes a page.
func write(w io.Writer, t *template.Template, name string, page any) error {
	out, err := execute(t, name, page)
	if err == nil {
		if _, err = w.Write(out); err != nil {
			err = fmt.Errorf("write html: %w", err)
		}
	}
	return err
}

// execute returns the text of a template. Escaping leaves the control characters that names may
// hold, which are not allowed in a page.
func execute(t *template.Template, name string, data any) ([]byte, error) {
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, name, data); err != nil {
		return nil, fmt.Errorf("write html: %w", err)
	}
	return bytes.Map(printable, out.Bytes()), nil
}

// printable replaces control characters, except tabs and line ends, by spaces.
func printable(r rune) rune {
	if unicode.IsControl(r) && r != '\n' && r != '\t' {
		return ' '
	}
	return r
}

// source returns the content security policy's name for inline text.
func source(text string) string {
	hash := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
}
