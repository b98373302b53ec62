package main

import (
	"bytes"
	"strings"
	"testing"
)

// events writes the events of one test that prints something and ends.
func events(test, output, action string) string {
	return `{"Action":"run","Package":"p","Test":"` + test + `"}
{"Action":"output","Package":"p","Test":"` + test + `","Output":"` + output + `"}
{"Action":"` + action + `","Package":"p","Test":"` + test + `"}
`
}

func TestRead(t *testing.T) {
	passes := events("TestA", "=== RUN\\n", "pass") + `{"Action":"pass","Package":"p","Elapsed":1.25}` + "\n"
	for _, c := range []struct {
		in   string
		good bool
		says string
	}{
		{passes, true, "1 packages, 1 tests, 0 failed"},
		{passes + `{"Action":"skip","Package":"q"}`, true, "ok      1.2 s  p\n"},
		{passes + events("TestB", "    b_test.go:7: only with B=1: takes long\\n", "skip"), true, "skipped: p TestB: only with B=1: takes long"},
		{passes + events("TestB", "    cmd.go:7: only for some\\n    script.go:9: WORK\\n", "skip"), true, "skipped: p TestB: only for some\n"},
		{passes + events("TestB", "    b_test.go:7: redis is missing\\n", "skip"), false, "redis is missing\np TestB: skip"},
		{passes + events("TestB", "--- SKIP\\n", "skip"), false, "p TestB: skip"},
		{passes + events("TestB", "wrong\\n", "fail"), false, "wrong\np TestB: fail"},
		{passes + `{"Action":"build-output","ImportPath":"r","Output":"undefined: x\n"}` + "\n" + `{"Action":"build-fail","ImportPath":"r"}`, false, "undefined: x\nr : build-fail"},
		{"go: no such package\n", false, "go: no such package\n"},
		{"", false, "0 packages"},
	} {
		var out bytes.Buffer
		good, err := read(strings.NewReader(c.in), &out)
		if good != c.good || err != nil || !strings.Contains(out.String(), c.says) {
			t.Errorf("%s\n%v, %v, want %v and %q:\n%s", c.in, good, err, c.good, c.says, &out)
		}
	}
}
