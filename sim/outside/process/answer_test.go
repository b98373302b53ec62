package process

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestParseAnswer checks both readers of answers: each accepted text has one
// meaning, and the quick reader never differs from the other.
func TestParseAnswer(t *testing.T) {
	for _, test := range []struct {
		line string
		i    int64
		want Answer
		err  string
	}{
		{line: `{"i":0,"admit":true}`, want: Answer{Admit: true}},
		{line: `{"i": 17, "admit": false}`, i: 17},
		{line: `{"i":17,"admit":false}` + "\r", i: 17},
		{line: `{"i":9,"admit":true,"wait_ns":12}`, i: 9, want: Answer{Admit: true, WaitNs: 12}},
		{line: `{"i": 9, "admit": true, "wait_ns": 0}`, i: 9, want: Answer{Admit: true}},
		{line: `{"i":9,"admit":false,"wait_ns":0}`, i: 9},
		{line: ` { "admit" : true , "i" : 9223372036854775807 } `, i: 1<<63 - 1, want: Answer{Admit: true}},
		{line: `{"\u0069":3,"admit":true}`, i: 3, want: Answer{Admit: true}},
		{line: ``, err: "not a JSON object"},
		{line: `true`, err: "not a JSON object"},
		{line: `[0,true]`, err: "not a JSON object"},
		{line: `{"i":0,"admit":true`, err: "not JSON"},
		{line: `{"i":0,"admit":tru}`, err: "not JSON"},
		{line: `{"i":00,"admit":true}`, err: "not JSON"},
		{line: `{"i":0,"admit":true}}`, err: "more follows"},
		{line: `{"i":0,"admit":true} {"i":1,"admit":true}`, err: "more follows"},
		{line: `{"i":0}`, err: `no member "admit"`},
		{line: `{"admit":true}`, err: `no member "i"`},
		{line: `{"i":0,"Admit":true}`, err: `member "Admit" is unknown`},
		{line: `{"i":0,"admit":true,"level":3}`, err: `member "level" is unknown`},
		{line: `{"i":0,"i":1,"admit":true}`, err: `two members "i"`},
		{line: `{"i":0,"admit":true,"admit":false}`, err: `two members "admit"`},
		{line: `{"i":-1,"admit":true}`, err: `"i" is -1, not an integer`},
		{line: `{"i":0.0,"admit":true}`, err: `"i" is 0.0, not an integer`},
		{line: `{"i":"0","admit":true}`, err: `"i" is not a number`},
		{line: `{"i":0,"admit":1}`, err: `"admit" is neither true nor false`},
		{line: `{"i":0,"admit":null}`, err: `"admit" is neither`},
		{line: `{"i":0,"admit":true,"wait_ns":-5}`, err: `"wait_ns" is -5`},
		{line: `{"i":0,"admit":true,"wait_ns":9223372036854775808}`, err: `"wait_ns" is 9223372036854775808`},
		{line: `{"i":0,"admit":true,"wait_ns":null}`, err: `"wait_ns" is not a number`},
		{line: `{"i":0,"admit":false,"wait_ns":5}`, err: "a rejected request cannot wait"},
	} {
		i, a, err := parseAnswer([]byte(test.line))
		if test.err == "" && (err != nil || i != test.i || a != test.want) || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%s: %d %v %v, want %d %v %s", test.line, i, a, err, test.i, test.want, test.err)
		}
	}
}

func FuzzParseAnswer(f *testing.F) {
	f.Add([]byte(`{"i":12,"admit":true,"wait_ns":3}`))
	f.Add([]byte(`{"i": 0, "admit": false}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		i, a, ok := parseUsual(line)
		j, b, err := parseJSON(line)
		if ok && (err != nil || i != j || a != b) {
			t.Errorf("%q: %d %v, but %d %v %v", line, i, a, j, b, err)
		}
		if err == nil && (j < 0 || b.WaitNs < 0 || !json.Valid(line)) {
			t.Errorf("%q is accepted as %d %v", line, j, b)
		}
	})
}
