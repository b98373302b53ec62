package times

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The offsets of local times agree with the standard library, for any content of
// the cache.
func TestZoneAgainstTime(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "Africa/Monrovia"} {
		var z zone
		z.SetZone(name)
		rapid.Check(t, func(t *rapid.T) {
			unix := rapid.Int64Range(86400, 4e9).Draw(t, "unix")
			if rapid.Bool().Draw(t, "near a change") {
				_, end := time.Unix(unix, 0).In(z.at).ZoneBounds()
				if !end.IsZero() {
					unix = end.Unix() + rapid.Int64Range(-8000, 8000).Draw(t, "offset")
				}
			}
			when := time.Unix(unix, 0).In(z.at)
			_, offset := when.Zone()
			local := unix + int64(offset)
			before := z.twice
			got := local - z.east(local)
			if got != unix && (z.twice == before || got > unix) {
				t.Fatalf("%s: %v read as %v", name, when, time.Unix(got, 0).In(z.at))
			}
		})
	}
}
