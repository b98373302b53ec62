package measure

// keyTotals is the cost of a key.
type keyTotals struct{ offered, admitted, reference int64 }

func (t *keyTotals) add(o keyTotals) {
	t.offered += o.offered
	t.admitted += o.admitted
	t.reference += o.reference
}

// keyCounts packs keyTotals into one 64-bit word, because with a million keys
// memory size decides the speed. Each field has 20 bits. The bit above it is
// set if a sum does not fit. The top bit states that a table with few entries
// holds more of the key.
type keyCounts uint64

const (
	countBits = 20
	countMask = 1<<countBits - 1
	fieldBits = countBits + 1
	tooMuch   = keyCounts(1<<countBits | 1<<(countBits+fieldBits) | 1<<(countBits+2*fieldBits))
	isCarried = keyCounts(1 << 63)
)

// fit reports whether these values, and all smaller ones that they are sums of,
// fit keyCounts.
func fit(offered, admitted, reference int64) bool {
	return uint64(offered|admitted|reference) <= countMask
}

// plus adds values that fit. The bits of tooMuch in the result are 0 unless a
// sum does not fit.
func (c keyCounts) plus(offered, admitted, reference int64) keyCounts {
	return c + keyCounts(offered|admitted<<fieldBits|reference<<(2*fieldBits))
}

// totals returns the cost that has not been carried to the table.
func (c keyCounts) totals() keyTotals {
	return keyTotals{int64(c) & countMask, int64(c>>fieldBits) & countMask, int64(c>>(2*fieldBits)) & countMask}
}
