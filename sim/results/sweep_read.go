package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// SweepReader reads the document of a sweep cell by cell.
type SweepReader struct {
	Head    SweepHead
	Partial bool // known at the end

	dec   *json.Decoder
	in    *bounded
	shard Shard
	last  int
	ended bool
}

// NewSweepReader reads the head of a document that SweepWriter wrote. It returns an
// error for any other document.
func NewSweepReader(r io.Reader) (*SweepReader, error) {
	return newSweepReader(r, MaxBytes)
}

func newSweepReader(r io.Reader, most int64) (*SweepReader, error) {
	s := &SweepReader{in: &bounded{r: r, most: most}, last: -1}
	s.dec = json.NewDecoder(s.in)
	if err := s.head(); err != nil {
		return nil, fmt.Errorf("read sweep: %w", err)
	}
	return s, nil
}

// bounded is a reader that hands out a little more than most bytes for each value, because
// a value is held as a whole.
type bounded struct {
	r          io.Reader
	most, left int64
}

func (b *bounded) begin() { b.left = b.most + 64<<10 }

func (b *bounded) Read(p []byte) (n int, err error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("a value is larger than %d bytes", b.most)
	}
	n, err = b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// ErrNoSweep is the error of NewSweepReader for what is not the document of a sweep.
var ErrNoSweep = errors.New("not the document of a sweep")

func (s *SweepReader) head() error {
	s.in.begin()
	if t, err := s.dec.Token(); err != nil || t != json.Delim('{') {
		return ErrNoSweep
	}
	h := &s.Head
	fields := map[string]any{"schema_version": &h.SchemaVersion, "stamp": &h.Stamp, "shard": &h.Shard, "logs": &h.Logs, "sweep": &h.Sweep}
	for {
		s.in.begin()
		name, err := s.name()
		if err != nil {
			return err
		}
		if name == "cells" {
			break
		}
		field, known := fields[name]
		if !known {
			field = new(json.RawMessage) // of a later version
		}
		if err := s.dec.Decode(field); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if name == "stamp" && h.Stamp.Kind != KindSweep {
			return ErrNoSweep
		}
	}
	if err := h.Check(); err != nil {
		return err
	}
	s.shard, _ = ParseShard(h.Shard) // checked
	t, err := s.dec.Token()
	if err == nil && t != json.Delim('[') {
		err = errors.New("cells is no list")
	}
	return err
}

// name reads the name of a field.
func (s *SweepReader) name() (string, error) {
	t, err := s.dec.Token()
	name, ok := t.(string)
	if err != nil {
		return "", endsEarly(err)
	}
	if !ok {
		return "", ErrNoSweep
	}
	return name, nil
}

// Next reads a cell: its number and the bytes of its document, without the final
// newline. After the last one the error is io.EOF. It does not look into the document.
func (s *SweepReader) Next() (cell int, document []byte, err error) {
	cell, document, err = s.next()
	if err != nil && err != io.EOF {
		err = fmt.Errorf("read sweep: after cell %d: %w", s.last, err)
	}
	return cell, document, err
}

func (s *SweepReader) next() (int, []byte, error) {
	if s.ended {
		return 0, nil, io.EOF
	}
	s.in.begin()
	if !s.dec.More() {
		s.ended = true
		if err := s.tail(); err != nil {
			return 0, nil, err
		}
		return 0, nil, io.EOF
	}
	var c struct {
		cellHead
		Document json.RawMessage `json:"document"`
	}
	if err := s.dec.Decode(&c); err != nil {
		return 0, nil, endsEarly(err)
	}
	if c.Cell <= s.last || c.Cell >= s.Head.Cells() || !s.shard.Has(c.Cell) {
		return 0, nil, fmt.Errorf("cell %d is out of order or not of the sweep", c.Cell)
	}
	s.last = c.Cell
	scenario, at := s.Head.At(c.Cell)
	for i, a := range scenario.Axes {
		if c.At[a.Name] != at[i] || c.Scenario != scenario.Name || len(c.At) != len(at) {
			return 0, nil, fmt.Errorf("cell %d is not at %v of %s", c.Cell, at, scenario.Name)
		}
	}
	return c.Cell, c.Document, nil
}

// tail reads what follows the cells.
func (s *SweepReader) tail() error {
	if _, err := s.dec.Token(); err != nil { // the end of the list
		return endsEarly(err)
	}
	for s.dec.More() {
		name, err := s.name()
		if err != nil {
			return err
		}
		var to any = new(json.RawMessage)
		if name == "partial" {
			to = &s.Partial
		}
		if err := s.dec.Decode(to); err != nil {
			return endsEarly(err)
		}
	}
	if _, err := s.dec.Token(); err != nil {
		return endsEarly(err)
	}
	if _, err := s.dec.Token(); err != io.EOF {
		return errors.New("something follows the document")
	}
	return nil
}

func endsEarly(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Cell decodes and checks the document of a cell.
func (h *SweepHead) Cell(number int, document []byte) (Cell, error) {
	scenario, at := h.At(number)
	d, err := Decode(bytes.NewReader(document))
	if err != nil {
		return Cell{}, fmt.Errorf("cell %d: %w", number, err)
	}
	if len(d.Scenarios) != 1 || d.Scenarios[0].Name != scenario.Name {
		return Cell{}, fmt.Errorf("cell %d: its document is not of scenario %q", number, scenario.Name)
	}
	return Cell{Number: number, Scenario: scenario.Name, At: at, Document: d}, nil
}
