// Package perkey keeps one piece of state for every key that was ever touched.
package perkey

// keysPerPage is how many neighbouring keys get their room together.
const keysPerPage = 64

// Table holds a T for each key. A T is made, as its zero value, when its key is
// first touched, together with those of the 63 keys beside it, and never moves.
// The zero Table is empty and ready. It is not safe for use by several
// goroutines.
type Table[T any] struct {
	pages []*[keysPerPage]T
}

// At is the state of a key, made if need be.
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

// Peek is a copy of the state of a key; the zero T if the key has none.
func (t *Table[T]) Peek(key int32) (state T) {
	if page := int(key / keysPerPage); page < len(t.pages) && t.pages[page] != nil {
		return t.pages[page][key%keysPerPage]
	}
	return state
}

// Each calls f for every key that has a state, in order.
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

// Clear forgets every key.
func (t *Table[T]) Clear() { t.pages = nil }

// Copy is a table that holds the same by itself.
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
