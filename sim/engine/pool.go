package engine

// Pool holds numbered items for reuse: at most mostWaiting of them, because they are
// requests, or what is on its way for one. The zero Pool is empty.
type Pool[T any] struct {
	items []T
	free  []int32
}

// Take returns the number of a free item. The item holds what it held before.
func (p *Pool[T]) Take() int32 {
	if n := len(p.free); n > 0 {
		ref := p.free[n-1]
		p.free = p.free[:n-1]
		return ref
	}
	crowded(len(p.items))
	var zero T
	p.items = append(p.items, zero)
	return int32(len(p.items) - 1)
}

// Add stores an item and returns its number.
func (p *Pool[T]) Add(item T) int32 {
	ref := p.Take()
	p.items[ref] = item
	return ref
}

// At returns an item. The pointer is valid until the next Take or Add.
func (p *Pool[T]) At(ref int32) *T { return &p.items[ref] }

// Release frees an item.
func (p *Pool[T]) Release(ref int32) { p.free = append(p.free, ref) }
