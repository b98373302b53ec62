package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/random"
)

// oddKeys are keys that a limiter may confuse with each other, or with no key.
var oddKeys = []string{"a", "", "b", "A", " ", "a ", "0", "00", "null", "ключ", "e\u0301", "\u00e9",
	"a\x00", "a\n", `"\`, "a:b", "__proto__"}

// lengths are those of keys that differ at the end only.
var lengths = []int{7, 15, 16, 31, 32, 63, 64, 127, 255, 1000, 1 << 12, 1 << 16}

// longKeys returns two keys of a length, and one more byte, that differ at the end only.
func longKeys(length int) []string {
	same := strings.Repeat("k", length)
	return []string{same + "1", same + "2"}
}

// keysOf draws the keys of a random session.
func keysOf(r *random.Stream) []string {
	if r.Chance(1, 10) {
		return longKeys(lengths[r.Below(10)])
	}
	return oddKeys[:1+r.Below(3)]
}

// manyKeys is the number of keys that are in use at once: more than a cache of 10,000
// keys holds.
const manyKeys = 12_000

// severalKeys interleaves calls of keys with odd names.
func severalKeys(e *exact, p Policy) session {
	s := newScript(e, p)
	s.to(min(far, e.latest(p)/2))
	keys := oddKeys
	for _, n := range lengths {
		keys = slices.Concat(keys, longKeys(n))
	}
	for round := range 3 {
		for _, key := range keys {
			s.key = key
			if round == 1 {
				s.drain()
			}
			s.take(1)
		}
		s.wait(s.policy.Window / 3)
	}
	return tableSession("keys with odd names", s)
}

// crowd uses up the limit of many keys at one instant, and asks each of them again.
func crowd(e *exact, p Policy) session {
	s := newScript(e, p)
	for range 2 {
		for i := range manyKeys {
			s.key = fmt.Sprintf("key-%d", i)
			s.take(max(s.level(), 1))
		}
	}
	return tableSession(fmt.Sprintf("%d keys", manyKeys), s)
}

// longWindow makes many calls of one key within a window, and uses its limit up.
func longWindow(e *exact, p Policy) session {
	s := newScript(e, p)
	s.key = "a"
	s.to(min(far, e.latest(p)/2))
	for range 2 {
		for rejected := 0; rejected < lot && len(s.calls) < int(4*p.Count)+lot; {
			if !s.take(1) {
				rejected++
			}
			s.wait(s.interval() / 8)
		}
		s.wait(p.Window / 2)
	}
	return tableSession("many calls within a window", s)
}
