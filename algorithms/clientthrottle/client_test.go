package clientthrottle

import (
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

// The probability of a rejection is max(0, (requests - K*accepts)/(requests + 1)),
// counted over the last window in whole slices.
func TestChance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := units.Fraction{Num: rapid.Int64Range(3, 9).Draw(t, "num"), Den: rapid.Int64Range(1, 3).Draw(t, "den")}
		slices, width := rapid.Int64Range(1, 5).Draw(t, "slices"), rapid.Int64Range(1, 6).Draw(t, "width")
		c := NewClient(&Config{K: k, Window: slices * width, Slices: slices})
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
			switch {
			case over <= 0 && (!sends || coin.den != 0):
				t.Fatalf("%d requests, %d accepts: sent %v with a coin of %d/%d", requests, accepts, sends, coin.num, coin.den)
			case over > 0 && (sends == coin.up || int64(coin.num)*(requests+1)*k.Den != over*int64(coin.den)):
				t.Fatalf("%d requests, %d accepts, k %d/%d: a coin of %d/%d", requests, accepts, k.Num, k.Den, coin.num, coin.den)
			}
			events = append(events, event{at: now})
			if sends && rapid.Bool().Draw(t, "accepted") {
				c.Accepted(now, 7)
				events = append(events, event{now, true})
			}
		}
	})
}
