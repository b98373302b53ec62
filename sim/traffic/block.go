// Package traffic makes a scenario's arrivals: patterns that yield instants,
// choosers that give each arrival its key, tenant, client and cost, and the
// merge of several entries into one stream of blocks in time order.
package traffic

// BlockSize is how many arrivals a block holds at most.
const BlockSize = 1024

// Block is a run of arrivals in time order, as columns. The first N rows count.
type Block struct {
	N      int
	Time   []int64 // ns
	Key    []int32
	Tenant []int32
	Client []int32
	Cost   []int64

	Descriptors Descriptors // empty unless the plan has several policies
}

// NewBlock returns an empty block of BlockSize rows.
func NewBlock() *Block {
	b := newBlock(BlockSize)
	return &b
}

func newBlock(rows int) Block {
	return Block{
		Time:   make([]int64, rows),
		Key:    make([]int32, rows),
		Tenant: make([]int32, rows),
		Client: make([]int32, rows),
		Cost:   make([]int64, rows),
	}
}

// part is rows [from, to) as a block that shares its columns with b.
func (b *Block) part(from, to int) Block {
	return Block{
		Time:   b.Time[from:to:to],
		Key:    b.Key[from:to:to],
		Tenant: b.Tenant[from:to:to],
		Client: b.Client[from:to:to],
		Cost:   b.Cost[from:to:to],
	}
}
