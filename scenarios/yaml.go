package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Only this file uses the YAML library. It reads a document as a tree of nodes.
// It rejects YAML features that the language does not use or that could make a
// small file expand to a large one: anchors, aliases, merge keys, tags, deep
// nesting.

const (
	maxSource = 16 << 20 // bytes of a scenario file
	maxNodes  = 250_000  // a list of 25,000 explicit requests fits
	maxDepth  = 32
)

type nodeKind int

const (
	broken nodeKind = iota // a problem with it has been reported
	null
	scalar
	mapping
	sequence
)

// node is a YAML value with its position.
type node struct {
	kind  nodeKind
	text  string  // of a scalar
	plain bool    // a scalar without quotes
	pairs []pair  // of a mapping, in the order written
	items []*node // of a sequence
	place
}

// pair is one entry of a mapping.
type pair struct {
	key   string
	place // of the key
	value *node
}

// get returns the value of a key in a mapping, or nil.
func (n *node) get(key string) *node {
	for i := range n.pairs {
		if n.pairs[i].key == key {
			return n.pairs[i].value
		}
	}
	return nil
}

// list returns the items of the field key; nil if it is not given or no list.
func (n *node) list(key string) []*node {
	if value := n.get(key); value != nil {
		return value.items
	}
	return nil
}

// at returns the place of the value of a key in a mapping, or that of the mapping
// if the key is missing.
func (n *node) at(key string) place {
	if value := n.get(key); value != nil {
		return value.place
	}
	return n.place.field(key)
}

// LooksLikeDocument reports whether a text is a document that limitgauge wrote rather than a
// scenario file.
func LooksLikeDocument(text []byte) bool {
	text = bytes.TrimLeft(text, "\ufeff \t\r\n")
	return bytes.HasPrefix(text, []byte("{")) && bytes.Contains(text, []byte(`"schema_version"`))
}

// readYAML reads the one document of a scenario file. It returns nil if a
// problem leaves no document.
func readYAML(source []byte, report reporter) *node {
	start := place{pos: catalog.Position{Line: 1, Col: 1}}
	if LooksLikeDocument(source) {
		report(start, "this is a document that limitgauge wrote, not a scenario file; limitgauge report shows those of run and sweep")
		return nil
	}
	if len(source) > maxSource {
		report(start, "the file is larger than %d MiB", maxSource>>20)
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(source))
	document, err := nextDocument(decoder)
	if errors.Is(err, io.EOF) || err == nil && document.Kind == yaml.ScalarNode && document.Tag == "!!null" {
		report(start, "the file is empty: a scenario file starts with version: 1 (limitgauge init writes an example)")
		return nil
	}
	if err == nil {
		var second *yaml.Node
		if second, err = nextDocument(decoder); err == nil {
			report(placeOf(second), "a scenario file holds one YAML document, and a second one starts here")
			return nil
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
	}
	if err != nil {
		line, message := syntaxError(source, err)
		report(place{pos: catalog.Position{Line: line, Col: 1}}, "not YAML: %s", message)
		return nil
	}
	r := yamlReader{report: report, source: source}
	return r.node(document, placeOf(document), 0)
}

// placeOf returns the place of a node of the library without its path.
func placeOf(y *yaml.Node) place {
	return place{pos: catalog.Position{Line: y.Line, Col: y.Column}}
}

func nextDocument(decoder *yaml.Decoder) (*yaml.Node, error) {
	var document yaml.Node
	if err := decoder.Decode(&document); err != nil {
		return nil, err
	}
	if document.Kind == yaml.DocumentNode && len(document.Content) == 1 {
		return document.Content[0], nil
	}
	return &document, nil
}

// yamlReader converts the library's nodes to ours.
type yamlReader struct {
	report     reporter
	source     []byte
	nodes      int
	commasSeen int // fields without a value that were looked up in source
}

func (r *yamlReader) node(y *yaml.Node, at place, depth int) *node {
	at.pos = placeOf(y).pos
	n := &node{place: at}
	r.nodes++
	switch {
	case r.nodes > maxNodes:
		if r.nodes == maxNodes+1 {
			r.report(at, "the file holds more than %d values", maxNodes)
		}
		return n
	case depth > maxDepth:
		r.report(at, "nested deeper than %d levels", maxDepth)
		return n
	case y.Kind == yaml.AliasNode:
		r.report(at, "aliases (*%s) are not part of the scenario language: name policies, topologies and algorithms instead", y.Value)
		return n
	case y.Anchor != "":
		r.report(at, "anchors (&%s) are not part of the scenario language: name policies, topologies and algorithms instead", y.Anchor)
		return n
	case y.Style&yaml.TaggedStyle != 0:
		r.report(at, "tags (%s) are not part of the scenario language", y.Tag)
		return n
	}
	switch y.Kind {
	case yaml.ScalarNode:
		n.kind, n.text = scalar, y.Value
		n.plain = y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
		if y.Tag == "!!null" {
			n.kind = null
		}
	case yaml.SequenceNode:
		n.kind = sequence
		for i, item := range y.Content {
			n.items = append(n.items, r.node(item, at.item(i), depth+1))
		}
	case yaml.MappingNode:
		n.kind = mapping
		r.pairs(n, y, depth)
		if y.Style&yaml.FlowStyle != 0 {
			r.commas(n)
		}
	}
	return n
}

func (r *yamlReader) pairs(n *node, y *yaml.Node, depth int) {
	content := y.Content
	first := make(map[string]int, len(content)/2)
	for i := 0; i+1 < len(content); i += 2 {
		key := content[i]
		at := place{placeOf(key).pos, n.path}
		if key.Kind != yaml.ScalarNode || key.Anchor != "" {
			r.report(at, "a field's name must be plain text")
			continue
		}
		if key.Tag == "!!merge" {
			r.report(at, "merge keys (<<) are not part of the scenario language: name policies, topologies and algorithms instead")
			continue
		}
		at = at.field(key.Value)
		value := content[i+1]
		if line, ok := first[key.Value]; ok {
			if y.Style&yaml.FlowStyle != 0 && value.Tag == "!!null" && !r.hasColon(pair{key: key.Value, place: at}) {
				n.pairs = append(n.pairs, pair{key.Value, at, r.node(value, at, depth+1)}) // of a comma
				continue
			}
			r.report(at, "given twice: first in line %d", line)
			continue
		}
		first[key.Value] = key.Line
		n.pairs = append(n.pairs, pair{key.Value, at, r.node(value, at, depth+1)})
	}
}

// scalarYAML writes text as a YAML scalar, quoted if necessary.
func scalarYAML(text string) string {
	out, err := yaml.Marshal(&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Style: quoting(text)})
	if err != nil {
		panic(fmt.Sprintf("scenarios: writing %q as YAML: %v", text, err))
	}
	return strings.TrimSuffix(string(out), "\n")
}

// yaml writes a node on one line, a scalar as it is written.
func (n *node) yaml() string {
	switch n.kind {
	case mapping:
		return flow(mapped(n.pairs, func(p pair) string { return entryYAML(scalarYAML(p.key), p.value.yaml()) }))
	case sequence:
		return "[" + strings.Join(mapped(n.items, func(item *node) string { return item.yaml() }), ", ") + "]"
	case scalar:
		if n.plain {
			return plainYAML(n.text)
		}
		return scalarYAML(n.text)
	}
	return ""
}

// quoting selects double quotes for everything but one short plain line, so
// that a scalar never takes several lines.
func quoting(text string) yaml.Style {
	if strings.Trim(text, plainRunes) == "" {
		return 0
	}
	return yaml.DoubleQuotedStyle
}

const plainRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./%"
