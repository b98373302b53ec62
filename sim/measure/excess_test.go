package measure

import "testing"

// A row recovers with the first of five whole seconds in each of which it has nine tenths
// of the good answers of the best fixed limit.
func TestRecovery(t *testing.T) {
	best := []int32{10, 10, 10, 10, 10, 10, 0, 10, 10, 10, 10, 10}
	for _, c := range []struct {
		name   string
		row    []int32
		at     []int64 // ms
		want   float64
		longer bool
	}{
		{"never short", []int32{10, 10, 10, 10, 10, 10, 0, 10, 10, 10, 10, 10}, []int64{1000}, 0, false},
		{"not before the next whole second", []int32{10, 10, 10, 10, 10, 10, 0, 10, 10, 10, 10, 10}, []int64{1250}, 0.75, false},
		{"just short for two seconds", []int32{10, 8, 8, 9, 9, 9, 0, 9, 9, 9, 9, 9}, []int64{1000}, 2, false},
		{"five in a row", []int32{10, 0, 10, 10, 10, 0, 0, 10, 10, 10, 10, 10}, []int64{1000}, 5, false},
		{"the largest", []int32{10, 0, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10}, []int64{1000, 4000}, 1, false},
		{"never", []int32{10, 10, 10, 10, 10, 10, 10, 10, 0, 10, 10, 10}, []int64{1000, 5000}, 7, true},
		{"too near the end", []int32{10, 0, 10, 10, 10, 10, 10, 10, 10, 0, 10, 10}, []int64{1000, 7500}, 1, false},
	} {
		a, b := Answers{Requests: 1, Seconds: c.row}, Answers{Requests: 1, Seconds: best}
		var at []int64
		for _, ms := range c.at {
			at = append(at, 3*second+ms*1_000_000)
		}
		got := Against(a, b, false, at, 3*second, 15*second)["recover_s"]
		if got.X != c.want || got.Longer != c.longer || got.NoData != "" {
			t.Errorf("%s: %+v, want %v", c.name, got, c.want)
		}
	}
	row := Answers{Requests: 1, Seconds: best}
	if got := Against(row, row, false, []int64{10*second + 1}, 3*second, 15*second)["recover_s"]; got.NoData == "" {
		t.Errorf("four whole seconds before the end: %+v, want no data", got)
	}
}
