package logs

import "time"

// instantText writes a recorded time for a message.
func instantText(ns int64) string {
	if ns < relativeBelow {
		return time.Duration(ns).String()
	}
	return time.Unix(0, ns).UTC().Format(time.RFC3339Nano)
}
