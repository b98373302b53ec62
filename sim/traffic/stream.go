package traffic

// Stream is one run of a plan's arrivals. It is not safe for use by several
// goroutines; every run has its own.
type Stream struct {
	lane  *lane  // the only one
	merge *merge // of several
}

// Open begins the arrivals of one replication.
func (p *Plan) Open(seed uint64, replication int) *Stream {
	if len(p.sources) == 1 {
		return &Stream{lane: p.sources[0].open(seed, replication)}
	}
	var lanes []*lane
	for _, s := range p.sources {
		lanes = append(lanes, s.open(seed, replication))
	}
	return &Stream{merge: newMerge(lanes)}
}

// Fill replaces the rows of a block by the next arrivals, BlockSize of them
// unless there are fewer left; N is 0 when there are none. It allocates
// nothing.
func (s *Stream) Fill(b *Block) {
	if s.merge == nil {
		s.lane.fill(b)
	} else {
		s.merge.fill(b)
	}
}

// Err is why the arrivals ended early, if they did: a recording that could not
// be read.
func (s *Stream) Err() error {
	if s.merge == nil {
		return s.lane.err()
	}
	for _, f := range s.merge.feeds {
		if err := f.err(); err != nil {
			return err
		}
	}
	return nil
}
