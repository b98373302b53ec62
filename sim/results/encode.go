package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Encode writes the document as indented JSON with a final newline: fields in
// the order of the types, metrics by name, floats in their shortest form that
// reads back the same, missing lists as []. Equal documents give equal bytes.
// A document that Decode would refuse is not written.
func Encode(w io.Writer, d *Document) error {
	if err := d.Check(); err != nil {
		return fmt.Errorf("encode results: %w", err)
	}
	var compact bytes.Buffer
	enc := json.NewEncoder(&compact)
	enc.SetEscapeHTML(false) // thresholds such as "<= 10" stay readable
	if err := enc.Encode(withoutNilLists(*d)); err != nil {
		return fmt.Errorf("encode results: %w", err)
	}
	if _, err := w.Write(layOut(compact.Bytes())); err != nil {
		return fmt.Errorf("encode results: %w", err)
	}
	return nil
}

// withoutNilLists returns a copy in which every list that is nil is empty, so
// that readers need not tell null from []. The originals are left alone.
func withoutNilLists(d Document) Document {
	d.Input = notNil(d.Input, func(x Input) Input {
		x.Files = notNil(x.Files, nil)
		x.Problems = notNil(x.Problems, nil)
		return x
	})
	d.Scenarios = notNil(d.Scenarios, func(x Scenario) Scenario {
		x.Expectations = notNil(x.Expectations, nil)
		x.Warnings = notNil(x.Warnings, nil)
		return x
	})
	d.Results = notNil(d.Results, Result.withoutNilLists)
	d.Series = notNil(d.Series, Series.withoutNilLists)
	if d.ByPolicy != nil {
		d.ByPolicy = notNil(d.ByPolicy, Result.withoutNilLists)
	}
	if d.PolicySeries != nil {
		d.PolicySeries = notNil(d.PolicySeries, func(x PolicySeries) PolicySeries {
			x.Series = x.Series.withoutNilLists()
			return x
		})
	}
	d.Shares = notNil(d.Shares, func(x Shares) Shares {
		x.Tenants = notNil(x.Tenants, nil)
		return x
	})
	d.Histograms = notNil(d.Histograms, func(x Histogram) Histogram {
		x.Buckets = notNil(x.Buckets, nil)
		return x
	})
	d.Rejections = notNil(d.Rejections, func(x Rejections) Rejections {
		x.Keys = notNil(x.Keys, nil)
		return x
	})
	return d
}

func (r Result) withoutNilLists() Result {
	metrics := make(map[string]Summary, len(r.Metrics))
	for name, s := range r.Metrics {
		s.Values = notNil(s.Values, nil)
		metrics[name] = s
	}
	r.Metrics = metrics
	return r
}

func (s Series) withoutNilLists() Series {
	s.Offered = notNil(s.Offered, nil)
	s.Admitted = notNil(s.Admitted, nil)
	return s
}

func notNil[T any](list []T, each func(T) T) []T {
	if list == nil {
		return []T{}
	}
	if each == nil {
		return list
	}
	out := make([]T, len(list))
	for i, x := range list {
		out[i] = each(x)
	}
	return out
}

// objectLine is the longest object, in bytes of compact JSON, that is kept on
// one line.
const objectLine = 120

// layOut indents compact JSON by two spaces, but keeps a list of scalars, and
// a short object of scalars, on one line: a series of 600 bins is then one
// line to scroll past and not 600.
func layOut(compact []byte) []byte {
	out := make([]byte, 0, len(compact)*2)
	depth := 0
	newline := func() {
		out = append(out, '\n')
		for range depth {
			out = append(out, "  "...)
		}
	}
	for i := 0; i < len(compact); i++ {
		switch c := compact[i]; c {
		case '"':
			end := stringEnd(compact, i)
			out = append(out, compact[i:end]...)
			i = end - 1
		case '{', '[':
			if end := flatEnd(compact, i); end > 0 {
				out = appendSpaced(out, compact[i:end])
				i = end - 1
				continue
			}
			out = append(out, c)
			depth++
			newline()
		case '}', ']':
			depth--
			newline()
			out = append(out, c)
		case ',':
			out = append(out, c)
			newline()
		case ':':
			out = append(out, ": "...)
		default:
			out = append(out, c) // scalars, and the encoder's final newline
		}
	}
	return out
}

// stringEnd returns the index after the JSON string that starts at i.
func stringEnd(b []byte, i int) int {
	for i++; b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// flatEnd returns the index after the list or object that starts at i if it
// goes on one line, else 0.
func flatEnd(b []byte, i int) int {
	start := i
	for i++; ; i++ {
		switch b[i] {
		case '"':
			i = stringEnd(b, i) - 1
		case '{', '[':
			return 0
		case ']':
			return i + 1
		case '}':
			if i+1-start > objectLine {
				return 0
			}
			return i + 1
		}
	}
}

// appendSpaced appends flat JSON with a space after each comma and colon.
func appendSpaced(out, flat []byte) []byte {
	for i := 0; i < len(flat); i++ {
		if flat[i] == '"' {
			end := stringEnd(flat, i)
			out = append(out, flat[i:end]...)
			i = end - 1
			continue
		}
		out = append(out, flat[i])
		if flat[i] == ',' || flat[i] == ':' {
			out = append(out, ' ')
		}
	}
	return out
}
