package explore

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/html"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var (
	//go:embed page.gohtml
	pageText string
	//go:embed style.css
	styleText string
	//go:embed script
	scriptFiles embed.FS

	pageTemplate = template.Must(template.New("page").Parse(pageText))
)

// scriptParts are the files of the page's script, in the order in which they run.
var scriptParts = []string{
	"page", "view", "ask", "answer", "figures", "amount", "knob", "groups", "limiters", "faults", "find", "curve", "compare", "copy", "begin",
}

// script returns the files of the page's script as one: they share their names with each
// other, and with nothing else.
func script() string {
	var b strings.Builder
	b.WriteString("(function () {\n\"use strict\";\n")
	for _, name := range scriptParts {
		text, err := scriptFiles.ReadFile("script/" + name + ".js")
		if err != nil {
			panic(err) // a part that is not embedded
		}
		b.Write(text)
	}
	b.WriteString("})();\n")
	return b.String()
}

// start holds what the script of a page begins with.
type start struct {
	Token     string   `json:"token"`
	File      string   `json:"file"`
	Again     string   `json:"again"`
	Scenarios []string `json:"scenarios"`
	First     string   `json:"first"`    // the scenario that the page opens on
	Limiters  []Option `json:"limiters"` // that a row can be added of
}

// newPage returns the page and its content security policy, which admits the page's own
// style and script by their hashes, and requests to this server alone.
func newPage(e *Explorer, token string) (page []byte, policy string, err error) {
	st := start{Token: token, File: e.o.Name, Again: e.o.Again, Scenarios: e.base.Names(), First: e.first(),
		Limiters: lists.Map(e.o.Catalog.Presets, func(p catalog.Preset) Option { return Option{Value: p.Name, Label: p.Name, Doc: p.Summary} })}
	style, code := html.Style()+styleText, html.Script()+script()
	policy = fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		source(style), source(code))
	var out bytes.Buffer
	err = pageTemplate.Execute(&out, map[string]any{
		"Name": e.o.Name, "Start": st,
		"Style": template.HTML("<style>" + style + "</style>"), "Script": template.HTML("<script>" + code + "</script>"),
	})
	if err != nil {
		return nil, "", fmt.Errorf("write page: %w", err)
	}
	return out.Bytes(), policy, nil
}

// first returns the name of the scenario that compares the most algorithms, the first of
// several: a page opens on it, because it has the most to show.
func (e *Explorer) first() string {
	names := e.base.Names()
	return slices.MaxFunc(names, func(a, b string) int {
		return len(e.files[a].Scenarios[0].Algorithms) - len(e.files[b].Scenarios[0].Algorithms)
	})
}

// source returns the content security policy's name for inline text.
func source(text string) string {
	hash := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
}
