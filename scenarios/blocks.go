package scenarios

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// blocks holds the lists of entries that a file defines once under traffic,
// faults or expect, for scenarios to name.
type blocks struct {
	field string
	names []string
	nodes map[string]*node
	used  map[string]bool
}

// blocks reads the named blocks of a field of the file. Each is an entry or a list
// of entries.
func (l *loader) blocks(root *node, field string, reserved []catalog.Entry) *blocks {
	b := &blocks{field: field, nodes: map[string]*node{}, used: map[string]bool{}}
	n := root.get(field)
	if n == nil || !l.is(n, mapping) {
		return b
	}
	for _, p := range n.pairs {
		l.name(p.key, p.place)
		if catalog.Find(reserved, p.key) != nil {
			l.report(p.place, "is the name of a kind: choose another name")
		}
		b.names = append(b.names, p.key)
		b.nodes[p.key] = p.value
	}
	return b
}

// expand returns the entries of a scenario's list, with blocks in place of their
// names. kinds are names that stand for themselves.
func (l *loader) expand(n *node, b *blocks, kinds []catalog.Entry) []*node {
	var list []*node
	for _, item := range l.items(n) {
		if item.kind != scalar || catalog.Find(kinds, item.text) != nil {
			list = append(list, item)
			continue
		}
		block, known := b.nodes[item.text]
		switch {
		case known && block.kind == sequence:
			b.used[item.text] = true
			list = append(list, l.items(block)...)
		case known:
			b.used[item.text] = true
			list = append(list, block)
		case len(b.names) > 0:
			l.report(item.place, "%v", unknownName("entry of "+b.field, item.text, append(b.names, catalog.Names(kinds)...)))
		default:
			list = append(list, item)
		}
	}
	return list
}

// unused reports the blocks that no scenario names, because nothing checks them.
func (l *loader) unused(root *node, b *blocks) {
	for _, name := range b.names {
		if !b.used[name] {
			l.report(root.at(b.field).field(name).at(b.nodes[name]), "no scenario names it in its %s: remove it or name it there", b.field)
		}
	}
}

// at returns the place with the position of a node.
func (p place) at(n *node) place { return place{n.pos, p.path} }
