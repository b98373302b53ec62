package clientthrottle

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// asked is a coin that records the arguments of its last call.
type asked struct {
	num, den uint64
	up       bool
}

func (a *asked) Chance(num, den uint64) bool {
	a.num, a.den = num, den
	return a.up
}

func (a *asked) chance() float64 { return float64(a.num) / float64(a.den) }

// The probability of a rejection is max(0, (requests - K*accepts)/(requests + 1)),
// counted over the last window in whole slices, or roots of it in steps of 1/10,000, and
// at most Most.
func TestChance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := units.Fraction{Num: rapid.Int64Range(3, 9).Draw(t, "num"), Den: rapid.Int64Range(1, 3).Draw(t, "den")}
		slices, width := rapid.Int64Range(1, 5).Draw(t, "slices"), rapid.Int64Range(1, 6).Draw(t, "width")
		roots, most := rapid.Uint8Range(0, 2).Draw(t, "roots"), rapid.Int64Range(1, 4).Draw(t, "most")
		c := NewClient(&Config{K: k, Window: slices * width, Slices: slices, Roots: roots, Most: units.Fraction{Num: most, Den: 4}})
		type event struct {
			at       int64
			accepted bool
		}
		var events []event
		now := int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now += rapid.Int64Range(0, 2*width).Draw(t, "gap")
			requests, accepts := int64(0), int64(0)
			for _, e := range events {
				if now/width-e.at/width < slices {
					if e.accepted {
						accepts++
					} else {
						requests++
					}
				}
			}
			coin := &asked{up: rapid.Bool().Draw(t, "coin")}
			sends := c.Sends(now, 7, coin)
			over := requests*k.Den - k.Num*accepts
			want := math.Pow(max(float64(over), 0)/float64((requests+1)*k.Den), 1/float64(int(1)<<roots))
			want, step := min(want, float64(most)/4), 1e-12
			if roots > 0 && want < float64(most)/4 {
				step += 1.0 / accuracy
			}
			switch {
			case over <= 0 && (!sends || coin.den != 0):
				t.Fatalf("%d requests, %d accepts: sent %v with a coin of %d/%d", requests, accepts, sends, coin.num, coin.den)
			case over > 0 && (sends == coin.up || coin.chance() < want-1e-12 || coin.chance() > want+step):
				t.Fatalf("%d requests, %d accepts, k %d/%d, %d roots: a coin of %d/%d, want %v", requests, accepts, k.Num, k.Den, roots, coin.num, coin.den, want)
			}
			events = append(events, event{at: now})
			if sends && rapid.Bool().Draw(t, "accepted") {
				c.Accepted(now, 7)
				events = append(events, event{now, true})
			}
		}
	})
}
