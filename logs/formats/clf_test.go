package formats

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// A line with `- -` before its time is cut like one with any other two fields
// there.
func TestCutUsualUser(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"-", " ", "[", " [", "]", "1", "[1", "u", "a b", "192.0.2.1", ","})
		line := []byte("192.0.2.9 ")
		for _, p := range rapid.SliceOfN(piece, 0, 5).Draw(t, "before the time") {
			line = append(line, p...)
		}
		line = append(line, rapid.SampledFrom([]string{" - - [", " [", "- - ["}).Draw(t, "bracket")...)
		line = append(line, `10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 2326`...)
		got, want := make([][]byte, clfColumns), make([][]byte, clfColumns)
		space := bytes.IndexByte(line, ' ')
		if line[space-1] == ',' {
			t.Skip("a list of addresses")
		}
		k, f := cutUser(line, space, want)
		g := cutCommon(line, got)
		if g.Bad() != f.Bad() && f.Bad() {
			t.Fatalf("%s: cut, but %v", line, f)
		}
		if !g.Bad() && (!slices.EqualFunc(got[colIdent:colTime], want[colIdent:colTime], bytes.Equal) || !bytes.HasPrefix(line[k+2:], got[colTime])) {
			t.Fatalf("%s: %q, want %q", line, got[colIdent:colTime], want[colIdent:colTime])
		}
	})
}
