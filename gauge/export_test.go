package gauge

import "time"

// SetPatience sets the real time after which a bubble without progress is given up.
func SetPatience(d time.Duration) { patience = d }
