// Package traffic makes the arrivals of a scenario. It combines patterns, which
// compute arrival times, with selectors, which choose key, tenant, client and
// cost of each arrival, and merges the entries of a scenario into one stream of
// blocks in time order. It decides nothing and measures nothing.
//
// The package makes no promise: it can change at any time.
package traffic

// BlockSize is the largest number of arrivals in a block.
const BlockSize = 1024

// Block is a sequence of arrivals in time order, as columns. Only the first N
// rows are valid.
type Block struct {
	N      int
	Time   []int64 // ns
	Key    []int32
	Tenant []int32
	Client []int32
	Cost   []int64

	// Rejected is 1 for each arrival that the limiter which wrote the log rejected,
	// else 0. It is empty unless the plan has verdicts.
	Rejected []int32

	// Estimate and Answer are what is known of a cost at its arrival: the tokens that
	// are expected, and the ns from dispatch to the answer, with which Cost becomes
	// known. They are nil if costs are known on arrival.
	Estimate []int64
	Answer   []int64

	Descriptors Descriptors // empty unless requests carry descriptors
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

// settle makes room for estimates and answers.
func (b *Block) settle() {
	if b.Estimate == nil {
		b.Estimate, b.Answer = make([]int64, cap(b.Time)), make([]int64, cap(b.Time))
	}
}

// part returns rows [from, to) as a block that shares its columns with b.
func (b *Block) part(from, to int) Block {
	var rejected []int32
	if b.Rejected != nil {
		rejected = b.Rejected[from:from:to]
	}
	var estimate, answer []int64
	if b.Estimate != nil {
		estimate, answer = b.Estimate[from:to:to], b.Answer[from:to:to]
	}
	return Block{
		Rejected: rejected, Estimate: estimate, Answer: answer,

		Time:   b.Time[from:to:to],
		Key:    b.Key[from:to:to],
		Tenant: b.Tenant[from:to:to],
		Client: b.Client[from:to:to],
		Cost:   b.Cost[from:to:to],
	}
}
