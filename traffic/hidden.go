package traffic

import (
	"fmt"

	"github.com/limitgauge/limitgauge/logs"
)

// Hide makes results show hash(name) in place of each name of a key or tenant. It
// returns an error if two names have the same hash.
func (p *Plan) Hide(hash func(name string) string) error {
	spaces := []*names{p.tenants}
	for _, s := range p.keySpaces {
		spaces = append(spaces, s.names)
	}
	for _, n := range spaces {
		if n.hidden != nil { // keys can be the tenants, too
			continue
		}
		if err := n.hide(hash); err != nil {
			return err
		}
	}
	return nil
}

func (n *names) hide(hash func(name string) string) error {
	n.hidden = make([]string, n.Count())
	seen := make(map[string]bool, n.Count())
	for id := range n.hidden {
		name := n.Name(id)
		if name != logs.NoKey {
			name = hash(name)
		}
		if seen[name] {
			return fmt.Errorf("two keys have the hash %s: run again with another secret", name)
		}
		seen[name], n.hidden[id] = true, name
	}
	return nil
}

// shown returns the name of an id as results show it.
func (n *names) shown(id int) string {
	if n.hidden == nil {
		return n.Name(id)
	}
	return n.hidden[id]
}
