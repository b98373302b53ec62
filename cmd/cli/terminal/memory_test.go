package terminal

import "testing"

// TestFreeMemory checks that a program may use nine tenths of the available memory or of what
// its control group allows, whichever is less.
func TestFreeMemory(t *testing.T) {
	const info = "MemTotal:       16000 kB\nMemFree:        1000 kB\nMemAvailable:   8000 kB\nBuffers: 7 kB\n"
	for _, c := range []struct {
		available, bound string
		want             int64
	}{
		{info, "", 8000 * 1024 / 10 * 9},
		{info, "max\n", 8000 * 1024 / 10 * 9},
		{info, "1000000\n", 900_000},
		{info, "9000000000\n", 8000 * 1024 / 10 * 9},
		{"", "1000000\n", 900_000},
		{"MemTotal: 16000 kB\n", "max\n", 0},
		{"MemAvailable:\nMemAvailable: none\n", "", 0},
		{"", "", 0},
	} {
		if got := freeMemory(c.available, c.bound); got != c.want {
			t.Errorf("%q and %q: %d bytes, want %d", c.available, c.bound, got, c.want)
		}
	}
}
