package times

import "time"

// Instant writes a recorded time for a message.
func Instant(ns int64) string {
	if ns < RelativeBelow {
		return time.Duration(ns).String()
	}
	return time.Unix(0, ns).UTC().Format(time.RFC3339Nano)
}
