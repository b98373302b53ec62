package format

import "testing"

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n    int64
		noun string
		want string
	}{{1, "row", "1 row"}, {0, "row", "0 rows"}, {2, "key", "2 keys"}, {2, "policy", "2 policies"}, {1, "policy", "1 policy"}, {-1, "row", "-1 rows"}} {
		if got := Count(c.n, c.noun); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestAmount(t *testing.T) {
	for x, want := range map[float64]string{1: "1 retry", 1.00001: "1 retry", 1.01: "1.01 retries", 0: "0 retries", 27.4: "27.4 retries"} {
		if got := Amount(x, "retry"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestInUnits(t *testing.T) {
	for x, want := range map[float64]string{1: "1 token or request", 1.01: "1.01 tokens or requests"} {
		if got := InUnits(x, "tokens or requests"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := InUnits(1, "ms"); got != "1 ms" {
		t.Error(got)
	}
}
