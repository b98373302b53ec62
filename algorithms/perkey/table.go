// Package perkey stores one piece of state for every key in use. Use a [Table] for
// limiters that see few of many numbered keys: it allocates 64 keys at a time and
// never moves a state. It does not remove single keys.
//
// The package makes no promise: it can change at any time.
package perkey

// keysPerPage is the number of adjacent keys that are allocated together.
const keysPerPage = 64

// Table holds a T for each key. At creates a key's T as its zero value, together
// with those of the 63 keys beside it. A T never moves. The zero Table is empty and
// ready to use. A Table is not safe for concurrent use.
type Table[T any] struct {
	pages []*[keysPerPage]T
}

// At returns the state of a key and creates it if necessary.
func (t *Table[T]) At(key int32) *T {
	page := int(key / keysPerPage)
	if page >= len(t.pages) {
		t.pages = append(t.pages, make([]*[keysPerPage]T, page+1-len(t.pages))...)
	}
	if t.pages[page] == nil {
		t.pages[page] = new([keysPerPage]T)
	}
	return &t.pages[page][key%keysPerPage]
}

// Peek returns a copy of the state of a key, or the zero T if it has none.
func (t *Table[T]) Peek(key int32) (state T) {
	if page := int(key / keysPerPage); page < len(t.pages) && t.pages[page] != nil {
		return t.pages[page][key%keysPerPage]
	}
	return state
}

// Each calls f for every key that has a state, in the order of the keys.
func (t *Table[T]) Each(f func(key int32, state *T)) {
	for i, page := range t.pages {
		if page == nil {
			continue
		}
		for j := range page {
			f(int32(i*keysPerPage+j), &page[j])
		}
	}
}

// Clear removes all states.
func (t *Table[T]) Clear() { t.pages = nil }

// Copy returns an independent copy.
func (t *Table[T]) Copy() Table[T] {
	c := Table[T]{pages: make([]*[keysPerPage]T, len(t.pages))}
	for i, page := range t.pages {
		if page != nil {
			p := *page
			c.pages[i] = &p
		}
	}
	return c
}
