package formats

import (
	"strconv"
	"testing"
)

// Peeling allocates nothing for each line.
func TestPeelingDoesNotAllocate(t *testing.T) {
	const line = `192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 2326 "-" "-"`
	quoted := strconv.Quote(line)
	app := `<165>1 2003-10-11T22:14:15.003Z host app - ID47 [a@32473 b="c\"]" d="e"] ` + quoted + "\n"
	for wrapped, stack := range map[string][]*wrapper{
		`{"log":` + strconv.Quote(app) + `,"stream":"stdout","time":"2016-10-06T00:17:09.669794202Z"}`:             {&dockerWrapper, &syslogNewWrapper, &quotesWrapper},
		"2016-10-06T00:17:09.669794202Z stdout F <134>Oct  1 22:14:15 web-1 nginx[0]: www.example.com:443 " + line: {&criWrapper, &syslogWrapper, &vhostWrapper},
	} {
		p := NewPeeler(stack)
		in := []byte(wrapped)
		if n := testing.AllocsPerRun(100, func() { p.Peel(in) }); n > 0 {
			t.Errorf("%v allocations for %s", n, wrapped)
		}
		if got, whole, f := p.Peel(in); string(got) != line || !whole {
			t.Errorf("peeled %s: %s %v", wrapped, got, f)
		}
	}
}
