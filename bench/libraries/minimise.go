package libraries

import "strconv"

// minimise returns a short and simple sequence of calls that still fails. It
// removes calls by delta debugging (Zeller and Hildebrandt, 2002), then makes costs
// smaller and gaps simpler.
func minimise(calls []call, fails func([]call) bool) []call {
	for {
		before := calls
		calls = fewest(calls, fails)
		calls = simplest(calls, fails)
		if weight(calls) >= weight(before) {
			return calls
		}
	}
}

// fewest removes parts of the calls, at first large ones, until no single call can
// be removed.
func fewest(calls []call, fails func([]call) bool) []call {
	for size := (len(calls) + 1) / 2; size >= 1; {
		removed := false
		for from := 0; from < len(calls); {
			rest := append(append([]call{}, calls[:from]...), calls[min(from+size, len(calls)):]...)
			if len(rest) > 0 && fails(rest) {
				calls, removed = rest, true
			} else {
				from += size
			}
		}
		if !removed || size > len(calls) {
			size /= 2
		}
	}
	return calls
}

// simplest tries cost 1, key 0, and gaps with fewer digits.
func simplest(calls []call, fails func([]call) bool) []call {
	try := func(simpler []call) {
		if weight(simpler) < weight(calls) && fails(simpler) {
			calls = simpler
		}
	}
	onlyKey := append([]call{}, calls...)
	for i := range onlyKey {
		onlyKey[i].key = 0
	}
	try(onlyKey)
	for i := range calls {
		one := append([]call{}, calls...)
		one[i].cost = 1
		try(one)
		first := append([]call{}, calls...)
		first[i].key = 0
		try(first)
		for _, gap := range simplerGaps(gapBefore(calls, i)) {
			try(withGap(calls, i, gap))
		}
	}
	return calls
}

func gapBefore(calls []call, i int) int64 {
	if i == 0 {
		return calls[0].atNs
	}
	return calls[i].atNs - calls[i-1].atNs
}

// withGap returns the calls with another gap before call i; the gaps after it stay.
func withGap(calls []call, i int, gap int64) []call {
	shifted := append([]call{}, calls...)
	by := gap - gapBefore(calls, i)
	for k := i; k < len(shifted); k++ {
		shifted[k].atNs += by
	}
	return shifted
}

// simplerGaps returns gaps near this one with fewer digits, the simplest ones
// first: 0, and the gap rounded down and up at each digit.
func simplerGaps(gap int64) []int64 {
	gaps := []int64{0}
	for unit := int64(1e18); unit > 1; unit /= 10 {
		if down := gap - gap%unit; down > 0 {
			gaps = append(gaps, down)
		}
		if unit <= gap && gap%unit > 0 {
			gaps = append(gaps, gap-gap%unit+unit)
		}
	}
	return gaps
}

// weight orders sequences: by the number of calls, their costs, and the digits of
// their gaps.
func weight(calls []call) int {
	w := 0
	for i, c := range calls {
		digits := 0
		for _, r := range strconv.FormatInt(gapBefore(calls, i), 10) {
			if r != '0' {
				digits++
			}
		}
		w += 10_000 + 100*int(min(c.cost, 50)) + 50*c.key + digits
	}
	return w
}
