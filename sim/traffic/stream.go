package traffic

import "github.com/limitgauge/limitgauge/internal/lists"

// Stream produces the arrivals of a plan in one replication. It is not safe for
// concurrent use.
type Stream interface {
	// Fill replaces the rows of a block by the next arrivals: BlockSize of them
	// unless fewer are left, and none (N is 0) at the end. It allocates nothing.
	Fill(b *Block)
	// Err returns why the arrivals ended early, for example because a recording
	// could not be read, or nil.
	Err() error
}

// Open starts the arrivals of one replication.
func (p *Plan) Open(seed uint64, replication int) Stream {
	arriving := lists.Where(p.entrySources, func(s *entrySource) bool { return s.crew == nil })
	if len(arriving) == 1 {
		return arriving[0].open(seed, replication)
	}
	sources := lists.Map(arriving, func(s *entrySource) *source { return s.open(seed, replication) })
	return newMerge(sources, p.HasVerdicts(), p.settles)
}
