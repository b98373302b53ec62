package traffic

import (
	"fmt"
	"slices"

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
		var err error
		if n.hidden, err = HideNames(n.Count(), n.Name, hash); err != nil {
			return err
		}
	}
	return nil
}

// HideNames returns what stands in place of names 0 to count-1: the hash of each, and
// logs.NoKey for itself. Two names with one hash are an error.
func HideNames(count int, name func(id int) string, hash func(name string) string) ([]string, error) {
	hidden := make([]string, count)
	seen := make(map[string]bool, count)
	for id := range hidden {
		text := name(id)
		if text != logs.NoKey {
			text = hash(text)
		}
		if seen[text] {
			return nil, fmt.Errorf("two keys have the hash %s: run again with another secret", text)
		}
		seen[text], hidden[id] = true, text
	}
	return hidden, nil
}

// findShown returns the id with a name that results show.
func (n *names) findShown(name string) (id int32, ok bool) {
	i := slices.Index(n.hidden, name)
	return int32(i), i >= 0
}

// shown returns the name of an id as results show it.
func (n *names) shown(id int) string {
	if n.hidden == nil {
		return n.Name(id)
	}
	return n.hidden[id]
}
