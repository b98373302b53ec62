package traffic

// Stream produces the arrivals of a plan in one replication. It is not safe for
// concurrent use.
type Stream struct {
	source *source // if there is one entry
	merge  *merge  // if there are several
}

// Open starts the arrivals of one replication.
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

// Fill replaces the rows of a block by the next arrivals: BlockSize of them
// unless fewer are left, and none (N is 0) at the end. It allocates nothing.
func (s *Stream) Fill(b *Block) {
	if s.merge == nil {
		s.source.fill(b)
	} else {
		s.merge.fill(b)
	}
}

// Err returns why the arrivals ended early, for example because a recording
// could not be read, or nil.
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
