package measure

// keyTotals is cost of a key.
type keyTotals struct{ offered, admitted, reference int64 }

func (t *keyTotals) add(o keyTotals) {
	t.offered += o.offered
	t.admitted += o.admitted
	t.reference += o.reference
}

// keyCounts are keyTotals in one word: with a million keys what they take of
// memory is what they take of time. Each has 20 bits, and a bit above them that
// is 0 unless a sum did not fit. The top bit says that there is more of the key
// in a table to which few are carried.
type keyCounts uint64

const (
	countBits = 20
	countMask = 1<<countBits - 1
	fieldBits = countBits + 1
	tooMuch   = keyCounts(1<<countBits | 1<<(countBits+fieldBits) | 1<<(countBits+2*fieldBits))
	isCarried = keyCounts(1 << 63)
)

// fit reports whether each of these, or more that add up to them, have room in
// keyCounts by themselves.
func fit(offered, admitted, reference int64) bool {
	return uint64(offered|admitted|reference) <= countMask
}

// plus is the sum of both where each fits; the bits of tooMuch are 0 unless the
// sum does not.
func (c keyCounts) plus(offered, admitted, reference int64) keyCounts {
	return c + keyCounts(offered|admitted<<fieldBits|reference<<(2*fieldBits))
}

// totals is what has not been carried.
func (c keyCounts) totals() keyTotals {
	return keyTotals{int64(c) & countMask, int64(c>>fieldBits) & countMask, int64(c>>(2*fieldBits)) & countMask}
}
