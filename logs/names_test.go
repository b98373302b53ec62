package logs

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// Names get codes in the order of their first use, whatever their lengths, in blocks
// of any size, and while the table grows.
func TestInterner(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := newInterner()
		in.slots = in.slots[:1<<rapid.IntRange(1, 4).Draw(t, "slots")]
		model, names := map[string]int32{}, []string(nil)
		var got, want []int32
		for _, name := range rapid.SliceOfN(rapid.StringMatching(`(|-|a|[ab]{0,3}1\.113|[ab]{14,18}|a{0,1}b{30})`), 1, 200).Draw(t, "names") {
			in.later([]byte(name))
			if name == "" {
				name = NoKey
			}
			if _, known := model[name]; !known {
				model[name] = int32(len(names))
				names = append(names, name)
			}
			want = append(want, model[name])
			if rapid.IntRange(0, 9).Draw(t, "block ends") == 0 {
				got = in.codes(got)
			}
		}
		if got = in.codes(got); !slices.Equal(got, want) || !slices.Equal(in.names, names) {
			t.Fatalf("codes %d of %q, want %d of %q", got, in.names, want, names)
		}
	})
}

// A name with bytes of value 0 is another one than the name without them.
func TestInternerZeroBytes(t *testing.T) {
	in := newInterner()
	for n := range 20 {
		in.later([]byte("a" + strings.Repeat("\x00", n)))
	}
	if got := in.codes(nil); got[19] != 19 {
		t.Errorf("codes %d", got)
	}
}
