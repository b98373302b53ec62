package traffic

import (
	"math"
	"math/bits"
)

// merge brings the arrivals of several lanes into one order: by time, then by
// lane, then by their order within the lane.
//
// It works in rounds. Every lane has filled some rows ahead; what comes no
// later than the earliest of the lanes' last rows cannot be preceded by a row
// that is not there yet, so all of that is sorted at once and handed out.
// Sorting a few thousand words by dealing them into buckets takes less time
// than finding the earliest of all heads again and again in a heap or a tree,
// each step of which waits for the one before.
type merge struct {
	buffers []sourceBuffer
	heads   []int64 // time of each lane's next row; ended where there is none
	lasts   []int64 // time of the last row it has filled; ended where no more follow
	half    int     // rows that a lane fills at a time; a power of 2
	rows    Block   // of all lanes: those of lane i begin at i*2*half
	parts   []Block // its pieces of half rows

	// The rows of a round as words: the time after base, and below it the lane
	// and the place among its rows, so that no two are the same and one
	// comparison orders them.
	base        int64
	sourceShift int
	timeShift   int
	words       []uint64
	sorter      sorter
	sorted      []uint64 // what of the round has not been handed out
}

// feed is a lane and how much of what it has filled is left. Its two halves
// are filled in turn; places in them are counted on through both, and around.
type sourceBuffer struct {
	*source
	at   int // place of its next row
	left int // rows from there on
	done bool
}

// ended is the time of a row that will never come.
const ended = math.MaxInt64

func newMerge(sources []*source) *merge {
	n := len(sources)
	m := &merge{buffers: make([]sourceBuffer, n), heads: make([]int64, n), lasts: make([]int64, n)}
	// The rows of all lanes together should stay in a cache.
	m.half = min(BlockSize, max(32, 1<<bits.Len(uint(4*BlockSize/max(1, n)))))
	m.rows = newBlock(2 * m.half * n)
	m.words, m.sorter = make([]uint64, 2*m.half*n), newSorter(2*m.half*n)
	// Places are counted on around the rows of a lane once more.
	m.sourceShift = bits.Len(uint(4*m.half - 1))
	m.timeShift = m.sourceShift + bits.Len(uint(n))
	for i, l := range sources {
		m.buffers[i] = sourceBuffer{source: l}
		for from := 2 * i * m.half; from < 2*(i+1)*m.half; from += m.half {
			m.parts = append(m.parts, m.rows.part(from, from+m.half))
		}
	}
	for i := range m.buffers {
		m.refill(i)
	}
	return m
}

// refill fills the halves of a lane that are empty.
func (m *merge) refill(i int) {
	f := &m.buffers[i]
	for !f.done && f.left <= m.half {
		end := (f.at + f.left) & m.around()
		part := &m.parts[(2*i*m.half+end)/m.half]
		f.fill(part)
		f.left += part.N
		f.done = part.N < m.half
		if part.N > 0 {
			m.lasts[i] = part.Time[part.N-1]
		}
	}
	if f.done {
		m.lasts[i] = ended
	}
	m.heads[i] = ended
	if f.left > 0 {
		m.heads[i] = m.rows.Time[2*i*m.half+f.at]
	}
}

// round sorts the rows that are known to come next; it reports whether there
// are any.
func (m *merge) round() bool {
	m.base = ended
	for i := range m.buffers {
		if f := &m.buffers[i]; f.left <= m.half && !f.done {
			m.refill(i)
		}
		m.base = min(m.base, m.heads[i])
	}
	if m.base == ended {
		return false
	}
	// Rows after limit have to wait, and those at limit too if their lane
	// comes after the one that may have more of them.
	limit, last := int64(ended), len(m.lasts)-1
	for i, t := range m.lasts {
		if t < limit {
			limit, last = t, i
		}
	}
	if far := int64(1)<<(64-m.timeShift) - 1; limit-m.base > far {
		limit, last = m.base+far, len(m.lasts)-1 // the rest does not fit the words
	}
	most := uint64(limit-m.base+1)<<m.timeShift - 1
	n := 0
	for i, head := range m.heads {
		if i == last+1 {
			limit--
		}
		if head <= limit {
			n = m.collect(i, limit, n)
		}
	}
	m.sorted = m.sorter.sort(m.words[:n], most)
	return true
}

// collect takes a lane's rows up to limit as words n and following; it returns
// how many words there are then.
func (m *merge) collect(i int, limit int64, n int) int {
	f := &m.buffers[i]
	times := m.rows.Time[2*i*m.half:][:2*m.half]
	around := m.around()
	source := uint64(i) << m.sourceShift
	words := m.words[n:][:f.left]
	taken := 0
	for taken < len(words) {
		t := times[(f.at+taken)&around]
		if t > limit {
			break
		}
		words[taken] = uint64(t-m.base)<<m.timeShift | source | uint64(f.at+taken)
		taken++
	}
	f.left -= taken
	f.at = (f.at + taken) & around
	m.heads[i] = ended
	if f.left > 0 {
		m.heads[i] = times[f.at]
	}
	return n + taken
}

func (m *merge) fill(b *Block) {
	b.N = 0
	multiPolicy := len(m.buffers) > 0 && m.buffers[0].policyKeySource != nil
	if multiPolicy {
		b.Descriptors.reset()
	}
	for b.N < BlockSize && (len(m.sorted) > 0 || m.round()) {
		n := min(len(m.sorted), BlockSize-b.N)
		m.handOut(m.sorted[:n], b)
		if multiPolicy {
			m.handOutDescriptors(m.sorted[:n], &b.Descriptors)
		}
		b.N += n
		m.sorted = m.sorted[n:]
	}
}

// handOut appends the rows of words to a block.
func (m *merge) handOut(words []uint64, b *Block) {
	n := len(words)
	times, keys, tenants, clients, costs := b.Time[b.N:][:n], b.Key[b.N:][:n], b.Tenant[b.N:][:n], b.Client[b.N:][:n], b.Cost[b.N:][:n]
	all := len(m.rows.Key)
	fromKeys, fromTenants, fromClients, fromCosts := m.rows.Key[:all], m.rows.Tenant[:all], m.rows.Client[:all], m.rows.Cost[:all]
	shift, base, around := m.timeShift&63, m.base, m.around()
	for i, word := range words {
		row := rowOf(word&(1<<shift-1), around)
		times[i] = base + int64(word>>shift)
		keys[i], tenants[i], clients[i], costs[i] = fromKeys[row], fromTenants[row], fromClients[row], fromCosts[row]
	}
}

// handOutDescriptors appends the descriptors of the rows of words.
func (m *merge) handOutDescriptors(words []uint64, d *Descriptors) {
	for _, word := range words {
		row := rowOf(word&(1<<m.timeShift-1), m.around())
		d.Keys = append(d.Keys, m.parts[row/m.half].Descriptors.Of(row%m.half)...)
		d.end()
	}
}

// around masks a place among the rows of a lane.
func (m *merge) around() int { return 2*m.half - 1 }

// rowOf returns which of all rows a word without its time stands for: places
// in it are counted on around the rows of a lane once more.
func rowOf(word uint64, around int) int {
	id := int(word)
	return id>>1&^around | id&around
}
