package demands

// costLog sums costs by pair where there are so many pairs that a table of them fits no
// cache. It writes down the costs of some adjacent keys one after the other, and adds
// them up when there is no more room: all memory is written in order, or is small. A
// part of the keys under which many pairs occur gets a byte for each pair.
type costLog struct {
	parts
	rows  []logRow
	ends  []int                             // by part: the end of its rows
	dense [][]uint8                         // by part: sums of its pairs besides the rows, or nil
	size  int                               // of the room for the rows of a part
	carry func(key, flow int32, cost int64) // receives what does not fit

	adder   adder
	numbers []int32 // scratch space of compact
	sums    []int64
}

// logRow holds the number of a pair in its part in the upper 16 bits, and a cost in the
// lower.
type logRow uint32

const (
	rowBytes   = 4
	mostLogged = 1<<16 - 1
	mostDense  = 1<<8 - 1

	pairsPerRow = 16 // so the rows take a quarter of a byte for each pair
	minRows     = 4  // of a part
)

func newCostLog(keys, flows int, carry func(key, flow int32, cost int64)) *costLog {
	l := &costLog{parts: partsOf(keys, flows), carry: carry}
	l.size = l.parts.rows()
	l.rows, l.ends, l.dense = make([]logRow, l.count*l.size), make([]int, l.count), make([][]uint8, l.count)
	for part := range l.ends {
		l.ends[part] = part * l.size
	}
	l.adder = newAdder(l.pairs)
	return l
}

// add adds the costs of a block of requests.
func (l *costLog) add(keys, flows []int32, costs []int64) {
	for len(keys) > 0 {
		n := l.addFitting(keys, flows, costs)
		if n < len(keys) {
			if uint64(costs[n]) > mostLogged {
				l.carry(keys[n], flows[n], costs[n])
				n++
			} else {
				l.makeRoom(int(keys[n] >> l.keyBits))
			}
		}
		keys, flows, costs = keys[n:], flows[n:], costs[n:]
	}
}

// addFitting writes down costs up to the first one that is too large or whose part has no
// room, and returns their number. The loop calls nothing and is not inlined, so that it
// fits registers.
//
//go:noinline
func (l *costLog) addFitting(keys, flows []int32, costs []int64) int {
	rows, ends, count, bits, size := l.rows, l.ends, int32(l.flows), l.keyBits&31, l.size
	flows, costs = flows[:len(keys)], costs[:len(keys)]
	for i, key := range keys {
		part, cost := int(key>>bits), costs[i]
		end := ends[part]
		if end == (part+1)*size || uint64(cost) > mostLogged {
			return i
		}
		rows[end] = logRow((key-int32(part)<<bits)*count+flows[i])<<16 | logRow(cost)
		ends[part] = end + 1
	}
	return len(keys)
}

// of returns the rows of a part.
func (l *costLog) of(part int) []logRow { return l.rows[part*l.size : l.ends[part]] }

// makeRoom leaves a quarter of a part's rows free.
func (l *costLog) makeRoom(part int) {
	if l.dense[part] == nil {
		l.compact(part)
	}
	rows := l.of(part)
	if len(rows) <= l.size*3/4 {
		return
	}
	if l.dense[part] == nil {
		l.dense[part] = make([]uint8, l.pairs)
	}
	dense := l.dense[part]
	for _, r := range rows {
		one := &dense[r>>16]
		if sum := int64(*one) + int64(r&mostLogged); sum <= mostDense {
			*one = uint8(sum)
		} else {
			*one = 0
			l.carryNumber(part, int(r>>16), sum)
		}
	}
	l.ends[part] = part * l.size
}

// compact leaves one row for each pair of a part.
func (l *costLog) compact(part int) {
	l.adder.addRows(l.of(part))
	l.numbers, l.sums = l.adder.drain(l.numbers[:0], l.sums[:0])
	end := part * l.size
	for i, number := range l.numbers {
		if sum := l.sums[i]; sum <= mostLogged {
			l.rows[end] = logRow(number)<<16 | logRow(sum)
			end++
		} else {
			l.carryNumber(part, int(number), sum)
		}
	}
	l.ends[part] = end
}

func (l *costLog) carryNumber(part, number int, cost int64) {
	key, flow := l.pair(part, number)
	l.carry(key, flow, cost)
}
