package conformance

import (
	"fmt"
	"strings"
)

// oddKeys are keys that a limiter may confuse with each other, or with no key.
var oddKeys = []string{"a", "", "b", "A", " ", "a ", "0", "00", "null", "ключ", "e\u0301", "\u00e9",
	"a\x00", "a\n", `"\`, "a:b", "__proto__", strings.Repeat("k", 1000) + "1", strings.Repeat("k", 1000) + "2"}

// manyKeys is the number of keys that are in use at once: more than a cache of 10,000
// keys holds.
const manyKeys = 12_000

// severalKeys interleaves calls of keys with odd names.
func severalKeys(e *exact, p Policy) session {
	s := newScript(e, p)
	s.to(far)
	for round := range 3 {
		for _, key := range oddKeys {
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
