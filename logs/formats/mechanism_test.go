package formats

import (
	"bytes"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/logs/text"
)

// These formats exist in this test alone. They use what a declaration can say.
var (
	testText = Format{
		Name:     "test-text",
		columns:  []column{{"kind", "", plain}, {"time", "", plain}, {"client", "client_ip", addressPort}, {"took", "", plain}, {"wait", "", plain}, {"request", "", plain}, {"began", "", plain}},
		request:  "request",
		arrivals: []arrival{{stamp: "began"}, {stamp: "time", minus: []span{{field: "took", unit: "s", unknown: "-1"}, {field: "wait", unit: "ms"}}}},
		keys:     []string{"client"},
		cut: func(line []byte, p [][]byte) text.Flaw {
			clear(p)
			fields := bytes.SplitN(line, []byte(" "), 6)
			if len(fields) < 6 || string(fields[0]) != "test" || !IsIP(addressPort.Clean(fields[2])) {
				return text.Flaw{Why: "not of the test"}
			}
			copy(p, fields)
			quote := bytes.LastIndexByte(fields[5], '"')
			if p[5] = fields[5][1:quote]; len(fields[5]) > quote+2 {
				p[6] = fields[5][quote+2:]
			}
			return text.Flaw{}
		},
	}
	testJSON = Format{
		Name:     "test-json",
		needs:    []string{"test", "request.proto"},
		columns:  []column{{"request.client_ip", "client_ip", address}, {"request.remote_ip", "", address}, {"request.headers.forwarded[0]", "", forwarded}},
		arrivals: []arrival{{stamp: "begin"}, {stamp: "ts", minus: []span{{field: "duration", unit: "ms"}}}},
		keys:     []string{"request.headers.forwarded[0]", "request.client_ip", "request.remote_ip"},
	}
	testHeader = Format{Name: "test-header", open: openTestHeader}
)

// testHeaderSplitter reads lines whose columns a line #names can change.
type testHeaderSplitter struct {
	in     *Input
	lay    *Layout
	names  []string
	fields [][]byte
}

func openTestHeader(in *Input) (Splitter, error) {
	if len(in.Sample.Lines) == 0 || !bytes.HasPrefix(in.Sample.Lines[0].Text, []byte("#names")) {
		return nil, &text.Error{Message: "no #names"}
	}
	return &testHeaderSplitter{in: in}, nil
}

func (s *testHeaderSplitter) Layout() *Layout { return s.lay }

func (s *testHeaderSplitter) Split(line []byte) ([][]byte, text.Flaw) {
	if line[0] == '#' {
		s.names = strings.Fields(string(line))[1:]
		var missing string
		s.lay, missing = s.in.Asked.fit(func(name string) (column, bool) { return namedColumn(name), slices.Contains(s.names, name) }, defaults{arrivals: []arrival{{stamp: "date", daytime: "time"}}, keys: []string{"ip"}})
		if missing != "" {
			s.lay = nil
		}
		return nil, text.Flaw{}
	}
	fields := bytes.Fields(line)
	if s.lay == nil || len(fields) != len(s.names) {
		return nil, text.Flaw{Why: "not as named"}
	}
	s.fields = s.fields[:0]
	for _, n := range s.lay.Names {
		s.fields = append(s.fields, fields[slices.Index(s.names, n)])
	}
	return s.fields, text.Flaw{}
}

// Declare adds the formats of this test. undo removes them.
func Declare() (undo func()) {
	old := All
	All = append([]*Format{&testText, &testJSON, &testHeader}, All...)
	return func() { All = old }
}
