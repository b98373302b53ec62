package formats

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestHeadless checks that a record without a header is CloudFront's exactly if each field
// that tells it has its form, whatever the others hold.
func TestHeadless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 24).Draw(t, "fields")
		want := n >= 14
		record := make([]string, n)
		for i := range record {
			forms := map[int][2]string{ // right and wrong ones
				0: {"2023-11-14", " 2023-1-14 2023-11-1 2023-11-140 -"}, 2: {"CDG50-P2 FRA6 FRA6-C1", " C CD CDG CDGX5 CDG-P2"},
				4: {"198.51.100.0 2001:db8::1", " - host 198.51.100 1"}, 8: {"200 000 - -1", " 20 2000 Hit"},
			}[i]
			if forms[0] == "" {
				record[i] = rapid.StringMatching(`[-a-z0-9.]{1,5}`).Draw(t, "other")
				continue
			}
			right := rapid.IntRange(0, 9).Draw(t, "right") > 0
			form := forms[1]
			if right {
				form = forms[0]
			}
			record[i] = rapid.SampledFrom(strings.Split(form, " ")).Draw(t, "field")
			want = want && right
		}
		tabs := rapid.IntRange(0, 9).Draw(t, "tabs") > 0
		delimiter := " "
		if tabs {
			delimiter = "\t"
		}
		line := strings.Join(record, delimiter)
		names := new(w3cSplitter).headless([]byte(line))
		if got := names != nil; got != (want && tabs) {
			t.Fatalf("%q is CloudFront's: %t", line, got)
		}
		if names != nil && (len(names) != n || strings.Join(names[:14], " ") != strings.Join(cloudFrontFields[:14], " ")) {
			t.Fatalf("%q has the fields %q", line, names)
		}
	})
}
