package logs

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/random"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Keep selects the requests whose draw is below the share, and no others.
func TestKeepAgainstDraws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, o := drawLog(t)
		o.Files = []string{"-"}
		played := func(keep units.Fraction) *recorded {
			o.Keep, o.Stdin = keep, strings.NewReader(text)
			r, err := readRows(o)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		all := played(units.Fraction{})
		num := rapid.Int64Range(1, 100).Draw(t, "per cent")
		thinned := played(units.Fraction{Num: num, Den: 100})
		name := func(r *recorded, i int) string {
			text := fmt.Sprint(r.Time[i], r.KeyNames[r.Key[i]])
			if r.Client != nil {
				text += fmt.Sprint(r.ClientNames[r.Client[i]], r.FieldNames[0][r.Fields[0][i]])
			}
			if r.Cost != nil {
				text += fmt.Sprint(r.Cost[i])
			}
			return text
		}
		draws := random.New(0, 0, "trace/keep")
		var want, got []string
		for i := range all.Time {
			if float64(draws.Uint64())/(1<<64) < float64(num)/100 {
				want = append(want, name(all, i))
			}
		}
		for i := range thinned.Time {
			got = append(got, name(thinned, i))
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%d%%: got %v, want %v", num, got, want)
		}
	})
}

// Each copy is selected separately. With 3 copies and a share of 50 %, 1.5
// times the number of recorded requests is played, and an eighth of the
// requests have no copy left.
func TestKeepScalesTheRate(t *testing.T) {
	const rows = 100_000
	var text strings.Builder
	text.WriteString("time\n")
	for i := range rows {
		fmt.Fprintln(&text, i)
	}
	o := Options{Files: []string{"-"}, Stdin: strings.NewReader(text.String()), Copies: 3, Keep: units.Fraction{Num: 1, Den: 2}, Asked: formats.Asked{TimeFormat: "relative-ns"}}
	all, err := readRows(o)
	if err != nil {
		t.Fatal(err)
	}
	copies := make([]int, rows)
	for _, at := range all.Time {
		copies[at]++
	}
	times := [4]int{}
	for _, n := range copies {
		times[n]++
	}
	for n, share := range []float64{1. / 8, 3. / 8, 3. / 8, 1. / 8} {
		if want := share * rows; math.Abs(float64(times[n])-want) > 5*math.Sqrt(want) {
			t.Errorf("%d requests are sent %d times, want about %g", times[n], n, want)
		}
	}
}
