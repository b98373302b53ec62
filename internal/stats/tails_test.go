package stats

import (
	"math"
	"testing"
)

func TestNormalAbove(t *testing.T) {
	for x := -8.0; x <= 8; x += 0.01 {
		density := math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
		if got, want := NormalAbove(x), math.Erfc(x/math.Sqrt2)/2; math.Abs(got-want) > 2e-7+1e-5*density {
			t.Fatalf("NormalAbove(%v) = %v, want %v", x, got, want)
		}
	}
	for x := 0.0; x < 60; x += 0.1 {
		if got, want := expMinus(x), math.Exp(-x); math.Abs(got-want) > 1e-6*want {
			t.Fatalf("expMinus(%v) = %v, want %v", x, got, want)
		}
	}
	if expMinus(1e9) != 0 {
		t.Error("expMinus(1e9) is not 0")
	}
}

// An exponential distribution has a skewness of 2: P(X > x) = e^-(1+x).
func TestSkewedAbove(t *testing.T) {
	for x := 0.0; x <= 6; x += 0.5 {
		if got, want := SkewedAbove(2, x, NormalAbove), math.Exp(-1-x); math.Abs(got-want) > 0.02*want+1e-3 {
			t.Errorf("SkewedAbove(2, %v) = %v, want about %v", x, got, want)
		}
		if got := SkewedAbove(0, x, NormalAbove); got != NormalAbove(x) {
			t.Errorf("SkewedAbove(0, %v) = %v", x, got)
		}
		if got, want := StudentAbove(1)(x), 0.5-math.Atan(x)/math.Pi; math.Abs(got-want) > 1e-4 {
			t.Errorf("StudentAbove(1)(%v) = %v, want %v", x, got, want)
		}
	}
}
