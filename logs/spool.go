package logs

import (
	"fmt"
	"os"
	"slices"
)

// spool stores pages: the first ones in memory, the others in a temporary file.
// Once all pages are written, several goroutines may read at the same time.
type spool struct {
	memory int // maximum number of pages in memory
	create func() (*os.File, error)

	held    [][]byte
	file    *os.File // nil until it is needed
	named   bool     // the file still has a name
	spilled int      // pages in it
}

func createTemporary() (*os.File, error) { return os.CreateTemp("", "limitgauge-*.rows") }

// open creates the temporary file and removes its name, so that the file
// disappears when the program ends in any way. If an open file cannot be
// removed, close removes it.
func (s *spool) open() (err error) {
	if s.file, err = s.create(); err == nil {
		s.named = os.Remove(s.file.Name()) != nil
	}
	return err
}

// pages returns the number of pages.
func (s *spool) pages() int { return len(s.held) + s.spilled }

// add stores a page. The page must have slackBytes of capacity after it.
func (s *spool) add(page []byte) error {
	if s.spilled == 0 && len(s.held) < s.memory {
		s.held = append(s.held, slices.Clone(page[:len(page)+slackBytes]))
		return nil
	}
	if s.file == nil {
		if err := s.open(); err != nil {
			return s.failed(err)
		}
	}
	if _, err := s.file.WriteAt(page[:pageBytes], int64(s.spilled)*pageBytes); err != nil {
		return s.failed(err)
	}
	s.spilled++
	return nil
}

// page returns page i. buf, of pageBytes and slackBytes, receives a page that
// is in the file.
func (s *spool) page(i int, buf []byte) ([]byte, error) {
	if i < len(s.held) {
		return s.held[i], nil
	}
	if _, err := s.file.ReadAt(buf[:pageBytes], int64(i-len(s.held))*pageBytes); err != nil {
		return nil, s.failed(err)
	}
	return buf, nil
}

func (s *spool) failed(err error) error {
	return &Error{Reason: Failure, Err: err,
		Message: fmt.Sprintf("keeping rows in a temporary file after %.1f MB in %s (TMPDIR names another folder; with more memory for sorting less goes there)",
			float64(s.spilled)*pageBytes/1e6, os.TempDir())}
}

// close releases memory and file.
func (s *spool) close() {
	s.held = nil
	if s.file != nil {
		s.file.Close()
		if s.named {
			os.Remove(s.file.Name())
		}
		s.file = nil
	}
}
