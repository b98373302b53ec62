package read

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// node is a place in a YAML document. The zero node is absent.
type node struct {
	*yaml.Node
	file check.Position // its name, and the number of its lines before the text
	via  string         // the aliases that lead to it
}

// get returns a member of a mapping. Aliases are followed.
func (n node) get(path ...string) node {
	return n.like(func(a, b string) bool { return a == b }, path)
}

// fold returns a member of a mapping by its name in capital or small letters.
func (n node) fold(path ...string) node { return n.like(strings.EqualFold, path) }

func (n node) like(same func(a, b string) bool, path []string) node {
	for _, name := range path {
		found := node{file: n.file, via: n.via}
		n.each(func(key, value node) {
			if same(key.Value, name) {
				found = value
			}
		})
		n = found
	}
	return n
}

func (n node) wrap(inner *yaml.Node) node {
	for inner.Kind == yaml.AliasNode && inner.Alias != nil {
		n.via += fmt.Sprintf("*%d:%d", inner.Line, inner.Column)
		inner = inner.Alias
	}
	return node{inner, n.file, n.via}
}

// each visits the members of a mapping, in their order, and then those of the mappings that
// its merge keys name.
func (n node) each(visit func(key, value node)) {
	merged := n.own(visit)
	if merged == nil {
		return
	}
	names, done := map[string]bool{}, map[*yaml.Node]bool{n.Node: true}
	n.own(func(key, _ node) { names[key.Value] = true })
	for len(merged) > 0 {
		m := merged[0]
		if merged = merged[1:]; done[m.Node] {
			continue
		}
		done[m.Node] = true
		inner := m.own(func(key, value node) {
			if !names[key.Value] {
				names[key.Value] = true
				visit(key, value)
			}
		})
		merged = slices.Concat(inner, m.list(), merged)
	}
}

// merge is the tag of the key <<.
const merge = "!!merge"

// own visits the members that a mapping states itself, and returns what it merges.
func (n node) own(visit func(key, value node)) (merged []node) {
	if n.Node == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key, value := n.wrap(n.Content[i]), n.wrap(n.Content[i+1]); key.Tag == merge {
			merged = append(merged, value)
		} else {
			visit(key, value)
		}
	}
	return merged
}

// either returns a member by its name in YAML or in JSON: max_tokens, maxTokens.
func (n node) either(path ...string) node {
	for _, name := range path {
		camel := underscored.ReplaceAllStringFunc(name, func(c string) string { return strings.ToUpper(c[1:]) })
		n = n.like(func(a, b string) bool { return a == b || a == camel }, []string{name})
	}
	return n
}

var underscored = regexp.MustCompile(`_.`)

// list returns the items of a sequence.
func (n node) list() []node {
	if n.Node == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return lists.Map(n.Content, n.wrap)
}

// text returns a scalar, "" for null and for anything else.
func (n node) text() string {
	if n.Node == nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

// template returns the value if a template fills it in: a text with {{ x }} in it, or {{ x }}
// alone, without quotes, a mapping whose key is a mapping in YAML. It returns "" for others.
func (n node) template() string {
	text := n.text()
	switch {
	case n.Node != nil && n.Kind == yaml.MappingNode && len(n.Content) > 0 && n.Content[0].Kind == yaml.MappingNode:
		return "{{ }}"
	case filledIn.MatchString(text) || strings.Contains(text, "${"):
		return text
	}
	return ""
}

// unfilled names a value that a template fills in, and reports whether it is one.
func (x *found) unfilled(member string, n node) bool {
	text := n.template()
	if text != "" {
		x.name(member+" with a template", fmt.Sprintf("%q is not filled in", text), n.position())
	}
	return text != ""
}

// strangers names the members of a limiter that are not read, and returns the first of them,
// "" for none. read lists the others in small letters, without underscores.
func (x *found) strangers(of string, n node, read ...string) (first string) {
	n.each(func(key, _ node) {
		name := strings.ToLower(strings.ReplaceAll(key.text(), "_", ""))
		if name != "" && !slices.Contains(read, name) {
			shown := format.Shorten(key.text(), 50)
			first = cmp.Or(first, shown+" is not read")
			x.name(shown+" of "+of, "it is not read", key.position())
		}
	})
	return first
}

func (n node) position() check.Position {
	at := n.file
	if n.Node == nil {
		at.Line++
	} else {
		at.Line += n.Line
	}
	return at
}

// id returns a text that no other node of the files has, nor this one where another alias
// leads to it.
func (n node) id() string { return fmt.Sprintf("%s:%d%s", n.position(), n.Column, n.via) }

var atLine = regexp.MustCompile(`line (\d+): `)

// documents reads the documents of a file of YAML. The items of a List are documents.
func documents(f File) (list []node, err error) {
	if f.docs != nil {
		return f.docs, nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(f.Text))
	for {
		var d yaml.Node
		err := decoder.Decode(&d)
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			at := check.Position{File: f.Name, Line: 1 + f.Line}
			text := strings.TrimPrefix(err.Error(), "yaml: ")
			if m := atLine.FindStringSubmatch(text); m != nil {
				at.Line, _ = strconv.Atoi(m[1])
				at.Line, text = at.Line+f.Line, strings.Replace(text, m[0], "", 1)
			}
			if bytes.Contains(f.Text, []byte("{{")) {
				text += "; it is a template: fill it in first"
			}
			return nil, &SyntaxError{at, text}
		}
		if len(d.Content) == 0 {
			continue
		}
		top := node{file: check.Position{File: f.Name, Line: f.Line}}.wrap(d.Content[0])
		if items := top.get("items").list(); strings.HasSuffix(top.get("kind").text(), "List") && items != nil {
			list = append(list, items...)
			continue
		}
		list = append(list, top)
	}
}

// isKubernetes matches objects of Kubernetes.
var isKubernetes = newSign(`^[ \t"]*(?:apiVersion|kind)"?[ \t]*:`, "apiVersion", "kind")

// limitMember matches members that state limits, also of kinds that no reader takes.
var limitMember = newSign(`^[ \t"-]*(?:rateLimit(?:s|ing)?"?[ \t]*:|plugin"?[ \t]*:[ \t"']*rate-limiting)`, "rateLimit", "rate-limiting")

// untaken names documents with limits that no reader takes.
func (x *found) untaken(f File) {
	lines := bytes.SplitAfter(f.Text, []byte("\n"))
	end := len(lines)
	for _, d := range slices.Backward(f.docs) {
		text := bytes.Join(lines[min(d.Line-1, end):end], nil)
		if end = min(d.Line-1, end); limitMember.Match(text) && len(systemsOf(text)) == 0 {
			x.name(cmp.Or(d.get("kind").text(), "a document"), "of a kind that is not read", d.position())
		}
	}
}

// unpack returns a file with its documents, and the files that stand in its ConfigMaps, of
// systems that are read.
func unpack(f File) (parts []File, err error) {
	if f.docs, err = documents(f); err != nil {
		return nil, err
	}
	parts = []File{f}
	for _, d := range f.docs {
		if d.get("kind").text() != "ConfigMap" {
			continue
		}
		d.get("data").each(func(key, value node) {
			if isSnippet(key.text()) { // it is no file
				return
			}
			g := File{Name: f.Name, Text: []byte(value.text()), Line: value.position().Line, part: true}
			if value.Node != nil && value.Style&yaml.LiteralStyle == 0 { // its lines are not those of the file
				g.Name, g.Line = fmt.Sprintf("%s (%s at %d:%d)", f.Name, key.text(), value.position().Line, value.Column), 0
			}
			if bytes.Contains(g.Text, []byte("\n")) && len(systemsOf(g.Text)) > 0 {
				parts = append(parts, g)
			}
		})
	}
	return parts, nil
}
