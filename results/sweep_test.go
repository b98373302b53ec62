package results

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// sweepHead is the head of a sweep with six cells.
func sweepHead() SweepHead {
	return SweepHead{
		SchemaVersion: SchemaVersion, Stamp: Stamp{Tool: "limitgauge", Kind: KindSweep},
		Sweep: []SweepScenario{{Name: "one", Axes: []Axis{
			{Name: "a", Of: "policy.limit", Values: []string{"1/s", "2/s", "3/s"}, Numbers: []float64{1, 2, 3}, Unit: "per s"},
			{Name: "b", Of: "topology.clients", Values: []string{"1", "2"}},
		}}},
	}
}

func cellDocument(t testing.TB) []byte {
	t.Helper()
	d := &Document{SchemaVersion: SchemaVersion, Scenarios: []Scenario{{Name: "one"}}, Results: []Result{{Scenario: "one", Algorithm: "gcra"}}}
	var out bytes.Buffer
	if err := Encode(&out, d); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func sweepDocument(t testing.TB, head SweepHead, cells ...int) string {
	t.Helper()
	var out bytes.Buffer
	w, err := NewSweepWriter(&out, head)
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range cells {
		if err := w.Write(cell, cellDocument(t)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// readCells reads a document and returns the numbers of its cells.
func readCells(text string) (numbers []int, partial bool, err error) {
	r, err := NewSweepReader(strings.NewReader(text))
	if err != nil {
		return nil, false, err
	}
	for {
		cell, document, err := r.Next()
		if err == io.EOF {
			return numbers, r.Partial, nil
		}
		if err == nil {
			_, err = r.Head.Cell(cell, document)
		}
		if err != nil {
			return nil, false, err
		}
		numbers = append(numbers, cell)
	}
}

func TestSweepSurvivesWriting(t *testing.T) {
	for _, c := range []struct {
		shard   string
		cells   []int
		partial bool
	}{
		{"", []int{0, 1, 2, 3, 4, 5}, false}, {"", []int{0, 5}, true}, {"", nil, true}, {"2/3", []int{1, 4}, false}, {"2/3", []int{4}, true},
	} {
		head := sweepHead()
		head.Shard = c.shard
		text := sweepDocument(t, head, c.cells...)
		r, err := NewSweepReader(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var again bytes.Buffer
		w, _ := NewSweepWriter(&again, r.Head)
		for {
			cell, document, err := r.Next()
			if err != nil {
				if err != io.EOF {
					t.Fatal(err)
				}
				break
			}
			if string(document)+"\n" != string(cellDocument(t)) {
				t.Errorf("the document of cell %d has changed", cell)
			}
			w.Write(cell, document)
		}
		w.Close()
		if again.String() != text || r.Partial != c.partial {
			t.Errorf("cells %v: partial %v, written again\n%s\nwant\n%s", c.cells, r.Partial, again.String(), text)
		}
	}
}

func TestSweepReaderRefuses(t *testing.T) {
	whole := sweepDocument(t, sweepHead(), 0, 1, 2, 3, 4, 5)
	if _, _, err := readCells(whole); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, with, want string }{
		{`"schema_version": 2,`, `"schema_version": 3,`, "schema_version 3"},
		{`"kind": "sweep"`, `"kind": "live"`, "no document of a sweep"},
		{`["1/s", "2/s", "3/s"]`, `["1/s", "2/s", "2/s"]`, "there twice"},
		{`["1/s", "2/s", "3/s"]`, `["1/s", "2/s"]`, "3 numbers for 2 values"},
		{`{"cell":1`, `{"cell":0`, "out of order"},
		{`{"cell":5`, `{"cell":6`, "out of order"},
		{`{"a":"1/s","b":"2"}`, `{"a":"1/s","b":"1"}`, "is not at"},
		{`"name": "one",
      "about"`, `"name": "two",
      "about"`, "scenario"},
		{`  ],
  "partial": false
}`, ``, "unexpected EOF"},
		{`"cells": [`, `"cells": {`, "cells is no list"},
		{whole, whole + "{}", "something follows"},
		{whole, "{}", "not the document of a sweep"},
		{whole, string(cellDocument(t)), "not the document of a sweep"},
		{whole, "", "not a results document"},
	} {
		text := strings.Replace(whole, c.old, c.with, 1)
		if strings.Contains(c.want, "EOF") {
			text = whole[:strings.LastIndex(whole, c.old)]
		}
		if text == whole {
			t.Errorf("%.50q is not in the document", c.old)
		}
		if _, _, err := readCells(text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.50q instead of %.50q: %v, want %q", c.with, c.old, err, c.want)
		}
	}
	if _, err := Decode(strings.NewReader(whole)); err == nil || !strings.Contains(err.Error(), "the document of a sweep") {
		t.Errorf("a reader of other documents reads it: %v", err)
	}
}

// FuzzSweepReader checks that no text makes the reader panic or hang, and that what it
// reads is written again.
func FuzzSweepReader(f *testing.F) {
	f.Add(sweepDocument(f, sweepHead(), 0, 5))
	f.Add(string(cellDocument(f)))
	f.Fuzz(func(t *testing.T, text string) {
		r, err := NewSweepReader(strings.NewReader(text))
		if err != nil {
			return
		}
		if _, err := NewSweepWriter(io.Discard, r.Head); err != nil {
			t.Fatalf("a head that was read is not written: %v", err)
		}
		for {
			cell, document, err := r.Next()
			if err != nil {
				return
			}
			r.Head.Cell(cell, document)
		}
	})
}
