package traffic

import (
	"math"
	"math/bits"
	"slices"
)

// merge brings the arrivals of several lanes into one order: by time, then by
// lane, then by their order within the lane. Every lane fills a block of its
// own ahead; a tree of losers (Knuth 5.4.1) finds the next of their heads in
// as many comparisons as the tree is high.
//
// The tree holds words: a head's time after base, and below it the lane in so
// many bits that one comparison decides ties too. Heads too far after base for
// a word are all the same; when one of them wins, base moves on.
type merge struct {
	lanes    []*lane
	blocks   []Block
	at       []int   // row of each lane's head
	heads    []int64 // time of it; ended where there is none
	laneBits int
	base     int64
	far      uint64   // the time after base from which on words are the same
	losers   []uint64 // word that lost at each node; node 0 holds the winner of all
	winners  []uint64 // room to play all matches; the leaves are nodes n to 2n-1
}

// ended is the head of a lane that has no more arrivals.
const ended = math.MaxInt64

func newMerge(lanes []*lane) *merge {
	n := len(lanes)
	m := &merge{
		lanes: lanes, blocks: make([]Block, n), at: make([]int, n), heads: make([]int64, n),
		laneBits: bits.Len(uint(n)), losers: make([]uint64, n), winners: make([]uint64, 2*n),
	}
	m.far = 1<<(63-m.laneBits) - 1
	// Blocks of all lanes together should stay in a cache.
	rows := min(BlockSize, max(64, 8*BlockSize/max(1, n)))
	for i := range lanes {
		m.blocks[i] = newBlock(rows)
		m.refill(i)
	}
	m.rebase()
	return m
}

// refill fetches a lane's next block.
func (m *merge) refill(i int) {
	b := &m.blocks[i]
	m.lanes[i].fill(b)
	m.at[i], m.heads[i] = 0, ended
	if b.N > 0 {
		m.heads[i] = b.Time[0]
	}
}

// word is the head of a lane as the tree holds it.
func (m *merge) word(i int) uint64 {
	return min(uint64(m.heads[i]-m.base), m.far)<<m.laneBits | uint64(i)
}

// rebase moves base to the first head and plays all matches anew; it reports
// whether there is a head at all.
func (m *merge) rebase() bool {
	n := len(m.lanes)
	if n == 0 {
		return false
	}
	m.base = slices.Min(m.heads)
	if m.base == ended {
		m.losers[0] = m.far << m.laneBits
		return false
	}
	for i := range n {
		m.winners[n+i] = m.word(i)
	}
	for k := n - 1; k > 0; k-- {
		a, b := m.winners[2*k], m.winners[2*k+1]
		m.winners[k], m.losers[k] = min(a, b), max(a, b)
	}
	m.losers[0] = m.winners[1]
	return true
}

func (m *merge) fill(b *Block) {
	b.N = 0
	several := len(m.lanes) > 0 && m.lanes[0].carrying != nil
	if several {
		b.Descriptors.reset()
	}
	if len(m.lanes) == 0 {
		return
	}
	for b.N < BlockSize {
		winner := m.losers[0]
		if winner>>m.laneBits == m.far {
			if !m.rebase() {
				return
			}
			continue
		}
		i := int(winner & (1<<m.laneBits - 1))
		from, row, n := &m.blocks[i], m.at[i], b.N
		b.Time[n], b.Key[n], b.Tenant[n] = from.Time[row], from.Key[row], from.Tenant[row]
		b.Client[n], b.Cost[n] = from.Client[row], from.Cost[row]
		if several {
			b.Descriptors.Keys = append(b.Descriptors.Keys, from.Descriptors.Of(row)...)
			b.Descriptors.end()
		}
		b.N++
		if row++; row < from.N {
			m.at[i], m.heads[i] = row, from.Time[row]
		} else {
			m.refill(i)
		}
		m.losers[0] = m.replay(i)
	}
}

// replay lets a lane's new head play its way up and returns the winner. Which
// of two wins is a coin toss to the processor, so they are swapped by a mask
// instead of a branch.
func (m *merge) replay(i int) uint64 {
	w := m.word(i)
	for k := (i + len(m.lanes)) / 2; k > 0; k /= 2 {
		loser := m.losers[k]
		_, less := bits.Sub64(loser, w, 0)
		swap := (loser ^ w) & -less
		m.losers[k] = loser ^ swap
		w ^= swap
	}
	return w
}
