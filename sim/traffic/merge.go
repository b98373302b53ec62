package traffic

import (
	"math"
	"math/bits"
)

// merge merges the arrivals of several sources in the order of time, then of
// sources, then of rows within a source.
//
// It works in rounds. Every source has filled some rows ahead. No row can still
// arrive before the earliest of the sources' last rows, so all rows up to that
// time are sorted together and output. Sorting a few thousand words by
// distributing them to buckets takes less time than a heap or a tree of
// sources, in which every step depends on the one before.
type merge struct {
	buffers []sourceBuffer
	heads   []int64 // time of each source's next row; ended if there is none
	lasts   []int64 // time of the last row that it has filled; ended if no more follow
	half    int     // rows that a source fills at a time; a power of 2
	rows    Block   // of all sources: those of source i begin at i*2*half
	parts   []Block // pieces of half rows

	// The rows of a round are words: the time after base in the upper bits,
	// then the source, then the position among its rows. The words differ, and
	// comparing them compares the rows.
	base        int64
	sourceShift int
	timeShift   int
	words       []uint64
	sorter      sorter
	sorted      []uint64 // rows of the round that have not been output
}

// sourceBuffer is a source and the rows that it has filled. Its two halves are
// filled in turn. Positions continue from the second half to the first.
type sourceBuffer struct {
	*source
	at   int // position of its next row
	left int // rows from there on
	done bool
}

// ended is a time after all rows.
const ended = math.MaxInt64

func newMerge(sources []*source, verdicts, settles bool) *merge {
	n := len(sources)
	m := &merge{buffers: make([]sourceBuffer, n), heads: make([]int64, n), lasts: make([]int64, n)}
	// The rows of all sources together should fit a cache.
	m.half = min(BlockSize, max(32, 1<<bits.Len(uint(4*BlockSize/max(1, n)))))
	m.rows = newBlock(2 * m.half * n)
	if verdicts {
		m.rows.Rejected = make([]int32, 2*m.half*n)
	}
	if settles {
		m.rows.settle()
	}
	m.words, m.sorter = make([]uint64, 2*m.half*n), newSorter(2*m.half*n)
	// A position may go past the end of a source's rows once.
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

// refill fills the empty halves of a source.
func (m *merge) refill(i int) {
	f := &m.buffers[i]
	for !f.done && f.left <= m.half {
		end := (f.at + f.left) & m.around()
		part := &m.parts[(2*i*m.half+end)/m.half]
		f.Fill(part)
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

// round sorts the rows that are known to come next. It returns false if there
// are none.
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
	// Rows after limit must wait. Rows at limit must wait if their source comes
	// after the one that may have more of them.
	limit, last := int64(ended), len(m.lasts)-1
	for i, t := range m.lasts {
		if t < limit {
			limit, last = t, i
		}
	}
	if far := int64(1)<<(64-m.timeShift) - 1; limit-m.base > far {
		limit, last = m.base+far, len(m.lasts)-1 // later rows do not fit the words
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

// collect appends a source's rows up to limit to the first n words. It returns
// the new number of words.
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

// Err returns the first error of a source, or nil.
func (m *merge) Err() error {
	for _, f := range m.buffers {
		if err := f.Err(); err != nil {
			return err
		}
	}
	return nil
}

// Fill writes the next arrivals of all sources to b.
func (m *merge) Fill(b *Block) {
	b.N, b.Rejected = 0, b.Rejected[:0]
	multiPolicy := len(m.buffers) > 0 && m.buffers[0].policyKeySource != nil
	if multiPolicy {
		b.Descriptors.Reset()
	}
	for b.N < BlockSize && (len(m.sorted) > 0 || m.round()) {
		n := min(len(m.sorted), BlockSize-b.N)
		m.handOut(m.sorted[:n], b)
		if multiPolicy {
			m.handOutDescriptors(m.sorted[:n], &b.Descriptors)
		}
		if m.rows.Rejected != nil {
			m.handOutVerdicts(m.sorted[:n], b)
		}
		if m.rows.Estimate != nil {
			m.handOutEstimates(m.sorted[:n], b)
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

// handOutVerdicts appends the verdicts of the rows of words.
func (m *merge) handOutVerdicts(words []uint64, b *Block) {
	for _, word := range words {
		b.Rejected = append(b.Rejected, m.rows.Rejected[rowOf(word&(1<<m.timeShift-1), m.around())])
	}
}

// handOutEstimates appends the estimates and answers of the rows of words.
func (m *merge) handOutEstimates(words []uint64, b *Block) {
	b.settle()
	estimates, answers := b.Estimate[b.N:][:len(words)], b.Answer[b.N:][:len(words)]
	for i, word := range words {
		row := rowOf(word&(1<<m.timeShift-1), m.around())
		estimates[i], answers[i] = m.rows.Estimate[row], m.rows.Answer[row]
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

// around returns the mask of a position among the rows of a source.
func (m *merge) around() int { return 2*m.half - 1 }

// rowOf returns the index of the row that a word without its time stands for.
// The position in the word may go past the end of the source's rows once.
func rowOf(word uint64, around int) int {
	id := int(word)
	return id>>1&^around | id&around
}
