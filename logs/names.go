package logs

import "encoding/binary"

// Names maps the codes of a column to names. Codes are assigned in the order in
// which the files are read.
type Names struct {
	Of    []string // by code; NoKey is the name of a request whose record has none
	Order []int32  // the codes by their first use in time
}

// interner assigns codes to names.
type interner struct {
	ids    map[string]int32
	names  []string
	recent [256]int32 // codes by a hash of the end of their names
}

// id returns the code of a name. A known name causes no allocation. An empty
// name is NoKey.
func (in *interner) id(name []byte) int32 {
	if len(name) < 4 {
		return in.find(name)
	}
	slot := &in.recent[binary.LittleEndian.Uint32(name[len(name)-4:])*0x9e3779b1>>24]
	if int(*slot) >= len(in.names) || in.names[*slot] != string(name) {
		*slot = in.find(name)
	}
	return *slot
}

// find returns the code of a name as id does.
func (in *interner) find(name []byte) int32 {
	if id, ok := in.ids[string(name)]; ok {
		return id
	}
	if len(name) == 0 {
		in.ids[""] = in.find([]byte(NoKey))
		return in.ids[""]
	}
	s, id := string(name), int32(len(in.names))
	in.ids[s] = id
	in.names = append(in.names, s)
	return id
}

// firstUses records the codes of a column in the order of their first use.
type firstUses struct {
	seen  []uint64 // a bit for each code
	order []int32
}

func newFirstUses(codes int) firstUses {
	return firstUses{seen: make([]uint64, (codes+63)/64), order: make([]int32, 0, codes)}
}

func (u *firstUses) note(column []int32) {
	for _, code := range column {
		if bit := uint64(1) << (code & 63); u.seen[code>>6]&bit == 0 {
			u.seen[code>>6] |= bit
			u.order = append(u.order, code)
		}
	}
}
