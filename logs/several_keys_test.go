package logs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/logs/formats"
)

// Several fields make one key, in every kind of format, and different values never
// make the same one.
func TestSeveralKeyFields(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          Options
		want       []string
	}{
		{"csv", "time,tenant,route\n2026-11-01T10:00:00Z,a,/x\n2026-11-01T10:00:01Z,a,/y\n2026-11-01T10:00:02Z,,/x\n2026-11-01T10:00:03Z,\"a,b\",/x\n",
			Options{Asked: formats.Asked{Keys: []string{"tenant", "route"}}}, []string{"a,/x", "a,/y", "-,/x", `a\,b,/x`}},
		{"json", `{"time":"2026-11-01T10:00:00Z","request":{"tenant":"a"},"route":"/x"}` + "\n" + `{"time":"2026-11-01T10:00:01Z","route":"/x"}`,
			Options{Asked: formats.Asked{Keys: []string{"request.tenant", "route"}}}, []string{"a,/x", "-,/x"}},
		{"combined", `192.0.2.1:80 - - [10/Oct/2000:13:55:36 -0700] "GET /a?b HTTP/1.0" 200 2326 "-" "curl"`, Options{Asked: formats.Asked{Keys: []string{"remote_addr", "path"}}}, []string{"192.0.2.1,/a"}},
		{"regex", "1700000000 a /x\n1700000001 a /y", Options{Asked: formats.Asked{Pattern: `^(?P<time>\d+) (?P<who>\S+) (?P<where>\S+)$`, Keys: []string{"who", "where"}}}, []string{"a,/x", "a,/y"}},
	} {
		r, err := readText(c.text, c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if !slices.Equal(r.KeyNames, c.want) {
			t.Errorf("%s: keys %q, want %q", c.name, r.KeyNames, c.want)
		}
	}
	if _, err := readText("time,a,b\n2026-11-01T10:00:00Z,,\n", Options{Asked: formats.Asked{Keys: []string{"a", "b"}}}); err == nil || !strings.Contains(err.Error(), "no record has a value for the key") {
		t.Errorf("keys without a value: %v", err)
	}
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringOfN(rapid.RuneFrom([]rune(`a,\-`)), 1, 3, -1)
		pairs, text := map[[2]string]bool{}, `time,a,b`+"\n"
		for i := range rapid.IntRange(1, 20).Draw(t, "rows") {
			a, b := value.Draw(t, "a"), value.Draw(t, "b")
			pairs[[2]string{a, b}] = true
			text += fmt.Sprintf("%d,\"%s\",\"%s\"\n", 1_700_000_000+i, a, b)
		}
		delete(pairs, [2]string{"-", "-"})
		r, err := readText(text, Options{Asked: formats.Asked{Keys: []string{"a", "b"}}})
		if err != nil {
			if len(pairs) > 0 {
				t.Fatal(err)
			}
			return
		}
		names := slices.DeleteFunc(slices.Clone(r.KeyNames), func(n string) bool { return n == NoKey })
		if len(names) != len(pairs) {
			t.Fatalf("%d keys %q of %d pairs %v", len(names), names, len(pairs), pairs)
		}
	})
}
