package figure

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSlugs(t *testing.T) {
	for _, c := range []struct{ names, want []string }{
		{[]string{"steady 3x", "Steady 3x", "one hot (40 tenants)"}, []string{"steady-3x", "steady-3x-2", "one-hot-40-tenants"}},
		{[]string{"Überlast", "限流", "Перегрузка: часть 2", "حمل زائد", "भार परीक्षण", "50 € 🔥"},
			[]string{"überlast", "限流", "перегрузка-часть-2", "حمل-زائد", "भार-परीक्षण", "50-€-🔥"}},
		{[]string{`a/b\c:d*e?f"g<h>i|j`, "a\x00b\tc", "end. . ", "..", "", "a\xffb", "con"}, []string{"a-b-c-d-e-f-g-h-i-j", "a-b-c", "end", "scenario", "scenario-2", "a-b", "con"}},
		// One name where case or composition is ignored.
		{[]string{"u\u0308ber", "über", "ÜBER", "maß", "MASS", "Maẞ", "ﬁx", "fix", "ſ", "s", "σ", "ς", "\u212a", "k"},
			[]string{"über", "über-2", "über-3", "maß", "mass-2", "maß-3", "ﬁx", "fix-2", "ſ", "s-2", "σ", "ς-2", "k", "k-2"}},
		{[]string{"a", "A", "a-2", "a"}, []string{"a", "a-2", "a-2-2", "a-3"}},
		{[]string{"abc\u202exyz", "a\u200db"}, []string{"abcxyz", "ab"}},
	} {
		if got := Slugs(c.names, func(s string) string { return s }); !slices.Equal(got, c.want) {
			t.Errorf("%q:\ngot  %q\nwant %q", c.names, got, c.want)
		}
	}
	for _, long := range []string{strings.Repeat("限", 100), "a" + strings.Repeat("限", 100), strings.Repeat("é", 100), strings.Repeat("ab ", 100)} {
		got := slug(long)
		if len(got) > longestSlug || len(got) < longestSlug-4 || !utf8.ValidString(got) {
			t.Errorf("%.20s...: %d bytes, %q", long, len(got), got)
		}
	}
}
