package results

import (
	"bytes"
	"fmt"
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
	d := &Document{SchemaVersion: SchemaVersion, Scenarios: []Scenario{{Name: "one"}}, Results: []Result{{
		Scenario: "one", Algorithm: "gcra", Exact: true, Replications: 1, Metrics: map[string]Summary{"m": Summarize([]float64{0.5})},
	}}}
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
		{`"schema_version": 3,`, `"schema_version": 2,`, "schema_version 2"},
		{`"kind": "sweep"`, `"kind": "live"`, "not the document of a sweep"},
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
		{whole, "[]", "not the document of a sweep"},
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

// TestMergeSweeps checks that parts make the document of the whole, in any order, and
// what is refused.
func TestMergeSweeps(t *testing.T) {
	part := func(shard string, cells ...int) string {
		head := sweepHead()
		head.Shard = shard
		return sweepDocument(t, head, cells...)
	}
	whole := part("", 0, 1, 2, 3, 4, 5)
	other := strings.Replace(part("2/2", 1, 3, 5), `["1/s", "2/s", "3/s"]`, `["1/s", "2/s", "4/s"]`, 1)
	for _, c := range []struct {
		name    string
		parts   []string
		want    string // the document, or part of the error
		missing string
	}{
		{"shards", []string{part("2/2", 1, 3, 5), part("1/2", 0, 2, 4)}, whole, "[]"},
		{"one", []string{whole}, whole, "[]"},
		{"a gap", []string{part("1/3", 0, 3), part("3/3", 5)}, part("", 0, 3, 5), "[1 2 4]"},
		{"overlap", []string{part("1/2", 0, 2, 4), part("1/3", 0, 3)}, "a and b both hold cell 0: one at [1/s 1]", ""},
		{"another sweep", []string{part("1/2", 0, 2, 4), other}, "a and b are of different sweeps: other axes", ""},
		{"another log", []string{part("1/2", 0, 2, 4), strings.Replace(part("2/2", 1, 3, 5), `  "sweep": [`, `  "logs": [{"file": "a.log", "sha256": "00"}], "sweep": [`, 1)}, "their logs have other contents", ""},
		{"cut", []string{whole[:len(whole)-30]}, "unexpected EOF", ""},
		{"a changed figure", []string{strings.Replace(whole, `"mean": 0.5`, `"mean": 0.6`, 1)}, "a: cell 0: read results: scenario", ""},
	} {
		var readers []*SweepReader
		for _, text := range c.parts {
			r, err := NewSweepReader(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			readers = append(readers, r)
		}
		var out bytes.Buffer
		missing, err := MergeSweeps(&out, readers, []string{"a", "b"})
		if err != nil && (c.missing != "" || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil && (out.String() != c.want || fmt.Sprint(missing) != c.missing) {
			t.Errorf("%s: %v are missing in\n%.200s", c.name, missing, out.String())
		}
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

// A cell is held as a whole, so reading ends where one is larger than it may be.
func TestSweepReaderBound(t *testing.T) {
	text := sweepDocument(t, sweepHead(), 0, 1, 2, 3, 4, 5)
	long := strings.Replace(text, `"policy": ""`, `"policy": "`+strings.Repeat("x", 200<<10)+`"`, 1)
	for _, c := range []struct{ text, want string }{
		{text, ""}, {long, "read sweep: after cell -1: a value is larger than 65536 bytes"},
		{strings.Replace(text, `"stamp"`, `"later": "`+strings.Repeat("x", 200<<10)+`", "stamp"`, 1), "read sweep: later: a value is larger than 65536 bytes"},
	} {
		r, err := newSweepReader(strings.NewReader(c.text), 64<<10)
		for err == nil {
			_, _, err = r.Next()
		}
		if err != io.EOF && err.Error() != c.want || err == io.EOF && c.want != "" {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
