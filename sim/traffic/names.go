package traffic

import "strconv"

// names assigns dense ids to names: first the synthetic names prefix0, prefix1
// and so on, then names that are added.
type names struct {
	prefix    string
	synthetic int
	interned  []string
	ids       map[string]int32 // of the added names
	hidden    []string         // what is shown in place of each name, nil if the names are shown
}

func newNames(prefix string, synthetic int) *names {
	return &names{prefix: prefix, synthetic: synthetic, ids: map[string]int32{}}
}

// id returns the id of a name, which it adds if it is new.
func (n *names) id(name string) int32 {
	id, ok := n.find(name)
	if !ok {
		id = int32(n.Count())
		n.ids[name] = id
		n.interned = append(n.interned, name)
	}
	return id
}

// find returns the id of a name.
func (n *names) find(name string) (id int32, ok bool) {
	if id, ok = n.number(name); !ok {
		id, ok = n.ids[name]
	}
	return id, ok
}

// number returns the id of a synthetic name.
func (n *names) number(name string) (int32, bool) {
	if len(name) <= len(n.prefix) || name[:len(n.prefix)] != n.prefix {
		return 0, false
	}
	digits := name[len(n.prefix):]
	id, err := strconv.Atoi(digits)
	if err != nil || id < 0 || id >= n.synthetic || strconv.Itoa(id) != digits {
		return 0, false
	}
	return int32(id), true
}

// Count returns the number of ids.
func (n *names) Count() int { return n.synthetic + len(n.interned) }

// Name returns the name of an id.
func (n *names) Name(id int) string {
	if id < n.synthetic {
		return n.prefix + strconv.Itoa(id)
	}
	return n.interned[id-n.synthetic]
}
