package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// SweepWriter writes the document of a sweep cell by cell. It holds none of them.
type SweepWriter struct {
	w     io.Writer
	head  SweepHead
	shard Shard
	last  int // number of the last cell
	cells int
	err   error
}

// cellHead is what the document of a sweep says about a cell before its document.
type cellHead struct {
	Cell     int               `json:"cell"`
	Scenario string            `json:"scenario"`
	At       map[string]string `json:"at"` // values by axis
}

// NewSweepWriter writes the head of a document.
func NewSweepWriter(w io.Writer, head SweepHead) (*SweepWriter, error) {
	if err := head.Check(); err != nil {
		return nil, fmt.Errorf("encode sweep: %w", err)
	}
	shard, _ := ParseShard(head.Shard) // checked
	text, err := plainJSON(head)
	if err != nil {
		return nil, fmt.Errorf("encode sweep: %w", err)
	}
	text = bytes.TrimSuffix(indented(text), []byte("\n}\n"))
	s := &SweepWriter{w: w, head: head, shard: shard, last: -1}
	s.write(append(text, ",\n  \"cells\": ["...))
	return s, s.err
}

func plainJSON(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // keeps thresholds such as "<= 10" readable
	err := enc.Encode(v)
	return out.Bytes(), err
}

func (s *SweepWriter) write(text []byte) {
	if s.err == nil {
		_, s.err = s.w.Write(text)
	}
}

// Write writes a cell. document holds the bytes of Encode, which the file holds
// unchanged. The numbers of cells ascend.
func (s *SweepWriter) Write(cell int, document []byte) error {
	if cell <= s.last || cell >= s.head.Cells() || !s.shard.Has(cell) {
		return fmt.Errorf("encode sweep: cell %d after cell %d", cell, s.last)
	}
	scenario, at := s.head.At(cell)
	head := cellHead{cell, scenario.Name, map[string]string{}}
	for i, a := range scenario.Axes {
		head.At[a.Name] = at[i]
	}
	text, err := plainJSON(head)
	if err != nil {
		return err
	}
	if s.cells > 0 {
		s.write([]byte(","))
	}
	s.last, s.cells = cell, s.cells+1
	text = bytes.TrimSuffix(text, []byte("}\n"))
	s.write([]byte("\n"))
	s.write(append(text, `,"document":`...))
	s.write(bytes.TrimRight(document, "\n"))
	s.write([]byte("}"))
	return s.err
}

// Close ends the document. It is partial if a cell of the sweep, or of its shard, is
// missing.
func (s *SweepWriter) Close() error {
	want := 0
	for cell := range s.head.Cells() {
		if s.shard.Has(cell) {
			want++
		}
	}
	s.write(fmt.Appendf(nil, "\n  ],\n  \"partial\": %v\n}\n", s.cells < want))
	return s.err
}
