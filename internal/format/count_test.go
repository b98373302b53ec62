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
