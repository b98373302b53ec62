package random

import (
	"math"
	"math/bits"
	"testing"
)

// The tables have at most the stated errors compared with package math, at cell
// edges and between them.
func TestTablesAreWithinStatedError(t *testing.T) {
	s := New(3, 0, "errors")
	var worstLog, worstCos, worstPow float64
	at := func(u uint64) {
		log := -math.Log(float64(u|1)) + 64*math.Ln2
		if u > 1<<63 { // exact near 0, where the difference above cancels
			log = -math.Log1p(-float64(-(u | 1)) / (1 << 64))
		}
		worstLog = max(worstLog, math.Abs(float64(minusLog(u))/(1<<58)-log))
		worstCos = max(worstCos, math.Abs(float64(quarterCosine(u))/(1<<63)-math.Cos(math.Pi/2*float64(u)/(1<<64))))
		exact := math.Exp2(float64(u) / (1 << 64))
		worstPow = max(worstPow, math.Abs(float64(powerOf2(u))/(1<<62)/exact-1))
	}
	for range 300_000 {
		u := s.Uint64()
		at(u)
		at(u >> (u & 63))
		at(u &^ (1<<54 - 1))
		at(u | (1<<54 - 1))
	}
	for name, e := range map[string][2]float64{"log": {worstLog, 0x1p-32}, "cosine": {worstCos, 0x1p-28}, "power": {worstPow, 0x1p-30}} {
		t.Logf("%s: worst error 2^%.2f", name, math.Log2(e[0]))
		if e[0] > e[1] || e[0] == 0 {
			t.Errorf("%s is off by %g, stated %g", name, e[0], e[1])
		}
	}
	if minusLog(math.MaxUint64) > 2 || minusLog(0) != logCells[logCellCount].start-ln2 {
		t.Errorf("the ends are %d and %d", minusLog(math.MaxUint64), minusLog(0))
	}
	if quarterCosine(0) < 1<<63-1 || quarterCosine(0) > 1<<63 || quarterCosine(math.MaxUint64) > 1<<12 {
		t.Errorf("cosine goes from %d to %d", quarterCosine(0), quarterCosine(math.MaxUint64))
	}
}

func TestLogsAgreeWithConstant(t *testing.T) {
	ln := logs()
	if got := (ln[len(ln)-1] + 8) >> 4; got != ln2 {
		t.Errorf("ln 2 is %#x by the table, %#x by the constant", got, ln2)
	}
	if bits.Len64(ln[1]) != 52 { // ln(1 + 2^-10) is just below 2^-10
		t.Errorf("ln(1+1/1024) is %d", ln[1])
	}
}
