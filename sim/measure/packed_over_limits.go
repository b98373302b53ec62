package measure

import "github.com/limitgauge/limitgauge/algorithms/perkey"

// overLimits holds an overLimit for each key in one 64-bit word, because with a
// million keys memory size decides the speed. The number of windows has 24 bits, the
// cost 40. Sums that do not fit are carried to a table with few entries.
type overLimits struct {
	counts perkey.Table[uint64]
	wide   perkey.Table[overLimit]
}

const overWindowBits = 24

func (o *overLimits) add(key int32, cost, windows int64) {
	count := o.counts.At(key)
	sum := overLimit{int64(*count>>overWindowBits) + cost, int64(*count&(1<<overWindowBits-1)) + windows}
	if uint64(sum.windows) < 1<<overWindowBits && uint64(sum.cost) < 1<<(64-overWindowBits) {
		*count = uint64(sum.cost<<overWindowBits | sum.windows)
		return
	}
	*count = 0
	o.wide.At(key).add(sum.cost, sum.windows)
}

// of returns the sums of a key.
func (o *overLimits) of(key int32) overLimit {
	sum, count := o.wide.Peek(key), o.counts.Peek(key)
	sum.add(int64(count>>overWindowBits), int64(count&(1<<overWindowBits-1)))
	return sum
}
