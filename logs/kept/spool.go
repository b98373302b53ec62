package kept

import (
	"fmt"
	"os"
	"slices"

	"github.com/limitgauge/limitgauge/internal/tempfile"
	"github.com/limitgauge/limitgauge/logs/text"
)

// Spool stores packed blocks: the first ones in memory, the others in a
// temporary file. Once all blocks are written, several goroutines may read at
// the same time.
type Spool struct {
	memory int // bytes in memory, at most
	create func() (*tempfile.File, error)

	held [][]byte
	size int            // bytes of held
	file *tempfile.File // nil until it is needed
	ends []int64        // of each block in the file
}

func createTemporary() (*tempfile.File, error) { return tempfile.Create(os.TempDir(), 0o600) }

// open creates the temporary file and removes its name, so that the file
// disappears when the program ends in any way. If an open file cannot be
// removed, close removes it.
func (s *Spool) open() (err error) {
	if s.file, err = s.create(); err == nil {
		s.file.Remove()
	}
	return err
}

// blocks returns the number of blocks.
func (s *Spool) blocks() int { return len(s.held) + len(s.ends) }

// end returns where block i of the file ends. Block -1 ends at its start.
func (s *Spool) end(i int) int64 {
	if i < 0 {
		return 0
	}
	return s.ends[i]
}

// add stores a copy of a block.
func (s *Spool) add(block []byte) error {
	if s.file == nil && s.size+len(block) <= s.memory {
		s.held = append(s.held, slices.Clone(block))
		s.size += len(block)
		return nil
	}
	if s.file == nil {
		if err := s.open(); err != nil {
			return s.failed(err)
		}
	}
	at := s.end(len(s.ends) - 1)
	if _, err := s.file.WriteAt(block, at); err != nil {
		return s.failed(err)
	}
	s.ends = append(s.ends, at+int64(len(block)))
	return nil
}

// block returns block i. buf receives a block that is in the file.
func (s *Spool) block(i int, buf *[]byte) ([]byte, error) {
	if i < len(s.held) {
		return s.held[i], nil
	}
	i -= len(s.held)
	at := s.end(i - 1)
	size := int(s.end(i) - at)
	*buf = slices.Grow((*buf)[:0], size)[:size]
	if _, err := s.file.ReadAt(*buf, at); err != nil {
		return nil, s.failed(err)
	}
	return *buf, nil
}

func (s *Spool) failed(err error) error {
	return &text.Error{Reason: text.Failure, Err: err,
		Message: fmt.Sprintf("keeping rows in a temporary file after %.1f MB in %s (TMPDIR names another folder; with more memory for sorting less goes there)",
			float64(s.end(len(s.ends)-1))/1e6, os.TempDir())}
}

// Close releases memory and file.
func (s *Spool) Close() {
	s.held = nil
	if s.file != nil {
		s.file.Close()
		s.file.Remove()
		s.file = nil
	}
}
