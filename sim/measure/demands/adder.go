package demands

import (
	"encoding/binary"
	"math/bits"
)

// adder sums the costs of one part by number, and lists the sums in order.
type adder struct {
	sums []int64
	seen []uint64 // a bit for each number
}

func newAdder(numbers int) adder {
	return adder{sums: make([]int64, numbers), seen: make([]uint64, (numbers+63)/64)}
}

func (a *adder) add(number int, cost int64) {
	a.sums[number] += cost
	a.seen[number>>6] |= 1 << (number & 63)
}

func (a *adder) addRows(rows []logRow) {
	sums, seen := a.sums, a.seen
	for _, r := range rows {
		sums[r>>16] += int64(r & mostLogged)
		seen[r>>22] |= 1 << (r >> 16 & 63)
	}
}

// addCounts adds one cost for each number. Most are 0, so it looks at eight at a time.
func (a *adder) addCounts(counts []uint8) {
	for from := 0; from < len(counts); from += 8 {
		eight := counts[from:min(from+8, len(counts))]
		if len(eight) == 8 && binary.LittleEndian.Uint64(eight) == 0 {
			continue
		}
		for i, count := range eight {
			if count > 0 {
				a.add(from+i, int64(count))
			}
		}
	}
}

// drain appends the numbers whose sum is above 0, and their sums, in the order of the
// numbers. All sums are 0 from then on.
func (a *adder) drain(numbers []int32, sums []int64) ([]int32, []int64) {
	for i, word := range a.seen {
		a.seen[i] = 0
		for ; word != 0; word &= word - 1 {
			number := i<<6 + bits.TrailingZeros64(word)
			if sum := a.sums[number]; sum > 0 {
				numbers, sums = append(numbers, int32(number)), append(sums, sum)
			}
			a.sums[number] = 0
		}
	}
	return numbers, sums
}
