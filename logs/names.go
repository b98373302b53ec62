package logs

import (
	"encoding/binary"
	"hash/maphash"
)

// Names maps the codes of a column to names. Codes are assigned in the order in
// which the files are read.
type Names struct {
	Of    []string // by code; NoKey is the name of a request whose record has none
	Order []int32  // the codes by their first use in time
}

// interner assigns codes to names. It looks up the names of many rows at a time, so that
// their loads from a large table overlap.
type interner struct {
	names []string
	seed  maphash.Seed
	slots []nameSlot // open addressing; a power of two, at most half of them in use

	text   []byte // the names that wait for codes, one after the other
	ends   []int  // where they end
	hashes []uint64
	read   int32 // keeps the first reads of slots alive
}

// nameSlot is a known name. A name of up to 16 bytes is in it as a whole.
type nameSlot struct {
	lo, hi uint64
	length int32 // 0 in an empty slot
	code   int32
}

func newInterner() interner {
	return interner{seed: maphash.MakeSeed(), slots: make([]nameSlot, 1<<10)}
}

// later keeps a name until codes. An empty name is NoKey.
func (in *interner) later(name []byte) {
	if len(name) == 0 {
		in.text = append(in.text, NoKey...)
	}
	in.text = append(in.text, name...)
	in.ends = append(in.ends, len(in.text))
}

// codes appends the codes of the names that wait, in order.
func (in *interner) codes(to []int32) []int32 {
	in.hashes = in.hashes[:0]
	start := 0
	for _, end := range in.ends {
		hash := maphash.Bytes(in.seed, in.text[start:end])
		in.hashes = append(in.hashes, hash)
		in.read += in.slots[hash&uint64(len(in.slots)-1)].code
		start = end
	}
	start = 0
	for i, end := range in.ends {
		to = append(to, in.code(in.text[start:end], in.hashes[i]))
		start = end
	}
	in.text, in.ends = in.text[:0], in.ends[:0]
	return to
}

// code returns the code of a name with this hash, a new one if it is not known.
func (in *interner) code(name []byte, hash uint64) int32 {
	wanted := nameSlot{length: int32(len(name))}
	if len(name) <= 16 {
		var whole [16]byte
		copy(whole[:], name)
		wanted.lo, wanted.hi = binary.LittleEndian.Uint64(whole[:8]), binary.LittleEndian.Uint64(whole[8:])
	}
	for at := hash; ; at++ {
		s := &in.slots[at&uint64(len(in.slots)-1)]
		if s.length == 0 {
			return in.add(string(name), wanted, s)
		}
		if s.lo == wanted.lo && s.hi == wanted.hi && s.length == wanted.length && (len(name) <= 16 || in.names[s.code] == string(name)) {
			return s.code
		}
	}
}

// add gives a name the next code, in an empty slot.
func (in *interner) add(name string, as nameSlot, empty *nameSlot) int32 {
	as.code = int32(len(in.names))
	in.names = append(in.names, name)
	*empty = as
	if 2*len(in.names) > len(in.slots) {
		old := in.slots
		in.slots = make([]nameSlot, 2*len(old))
		for _, s := range old {
			if s.length > 0 {
				in.place(s)
			}
		}
	}
	return as.code
}

// place puts a slot where code looks for it.
func (in *interner) place(s nameSlot) {
	for at := maphash.String(in.seed, in.names[s.code]); ; at++ {
		if to := &in.slots[at&uint64(len(in.slots)-1)]; to.length == 0 {
			*to = s
			return
		}
	}
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
