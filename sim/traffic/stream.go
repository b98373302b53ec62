package traffic

// Stream is one run of a plan's arrivals. It is not safe for use by several
// goroutines; every run has its own.
type Stream struct {
	source *source // the only one
	merge  *merge  // of several
}

// Open begins the arrivals of one replication.
func (p *Plan) Open(seed uint64, replication int) *Stream {
	if len(p.entrySources) == 1 {
		return &Stream{source: p.entrySources[0].open(seed, replication)}
	}
	var sources []*source
	for _, s := range p.entrySources {
		sources = append(sources, s.open(seed, replication))
	}
	return &Stream{merge: newMerge(sources)}
}

// Fill replaces the rows of a block by the next arrivals, BlockSize of them
// unless there are fewer left; N is 0 when there are none. It allocates
// nothing.
func (s *Stream) Fill(b *Block) {
	if s.merge == nil {
		s.source.fill(b)
	} else {
		s.merge.fill(b)
	}
}

// Err is why the arrivals ended early, if they did: a recording that could not
// be read.
func (s *Stream) Err() error {
	if s.merge == nil {
		return s.source.err()
	}
	for _, f := range s.merge.buffers {
		if err := f.err(); err != nil {
			return err
		}
	}
	return nil
}
