package formats

import (
	"bytes"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/text"
)

// eachPair visits the names of a line with their values.
type eachPair func(line []byte, visit func(name, value []byte))

// leastPairs is the number of pairs that a record has at least.
const leastPairs = 3

// Named reports whether the lines of a format are text with names in it.
func (f *Format) Named() bool { return f == &logfmtFormat || f == &ltsvFormat }

// pairsSplitter reads lines of names with values.
type pairsSplitter struct {
	laid
	each eachPair
	key  int // without it, a line is no request; -1 if an option names the key
}

// openPairs returns the splitter of a file with pairs. The names in the sample decide
// which of them hold the time and the key; host is the one that host names.
func openPairs(in *Input, each eachPair, host string) (Splitter, error) {
	var names []string
	values := map[string][][]byte{}
	for i, l := range in.Sample.Lines {
		if pairs(each, l.Text) < leastPairs {
			continue
		}
		each(l.Text, func(name, value []byte) {
			own := string(name)
			if values[own] == nil {
				names, values[own] = append(names, own), make([][]byte, len(in.Sample.Lines))
			}
			values[own][i] = bytes.Clone(value)
		})
	}
	k := known{names: names, values: func(own string) [][]byte { return values[own] }, strict: true, host: host}
	d := k.defaults(in.Asked)
	d.wrapper = in.Sample.stamped()
	if len(d.arrivals) > 0 && (d.wrapper || d.arrivals[0].stamp == "at") && !absolute(in.Asked, values[d.arrivals[0].stamp]) {
		d.arrivals = nil // such as at=info
	}
	inField := len(in.Around) > 0 && in.Around[len(in.Around)-1].record != ""
	if len(d.keys) == 0 && (len(d.arrivals) == 0 || inField) {
		return nil, in.misfit(noKey, "names with values", names) // a text with a few pairs in it
	}
	lay, err := k.layout(in, d, "names with values")
	if err != nil {
		return nil, err
	}
	s := &pairsSplitter{laid: laid{lay: lay, fields: make([][]byte, len(lay.Names))}, each: each, key: -1}
	if len(in.Asked.KeyFields()) == 0 && !in.Asked.PerFile && len(d.keys) > 0 {
		s.key = slices.Index(lay.Names, d.keys[0])
	}
	return s, nil
}

func (s *pairsSplitter) Split(line []byte) ([][]byte, text.Flaw) {
	clear(s.fields)
	found := 0
	s.each(line, func(name, value []byte) {
		found++
		for i, wanted := range s.lay.Names {
			if string(name) == wanted {
				s.fields[i] = value
			}
		}
	})
	if found < leastPairs {
		return nil, text.Flaw{Why: "not names with values", Text: line}
	}
	if s.key >= 0 && len(s.fields[s.key]) == 0 {
		return nil, text.Flaw{Why: "no " + s.lay.Names[s.key], Text: line}
	}
	return s.fields, text.Flaw{}
}

// pairs counts the names with values of a line.
func pairs(each eachPair, line []byte) int {
	n := 0
	each(line, func(_, _ []byte) { n++ })
	return n
}

// inPairs counts the lines of a sample that have enough pairs.
func inPairs(each eachPair) func(s *sample) int {
	return func(s *sample) int {
		return lists.Count(s.Lines, func(l sampleLine) bool {
			return pairs(each, l.Text) >= leastPairs
		})
	}
}
