package times

import "testing"

func FuzzStamp(f *testing.F) {
	for _, s := range []string{"2023-11-16T18:17:03.97Z", "16/Nov/2023:18:17:03 +0000", "1.5e-05", "1700000000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, format := range Formats {
			c := NewClock(format, "")
			if ns, why := c.Parse([]byte(s)); why == "" && ns < 0 {
				t.Fatalf("%s %q: %d", format, s, ns)
			}
		}
	})
}
