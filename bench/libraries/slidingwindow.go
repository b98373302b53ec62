package libraries

import (
	"time"

	"github.com/RussellLuo/slidingwindow"

	"github.com/limitgauge/limitgauge/gauge"
)

func russellLuo() library {
	return library{
		name: "slidingwindow", module: "github.com/RussellLuo/slidingwindow",
		settings: "slidingwindow.NewLimiter(window, limit, slidingwindow.NewLocalWindow)", call: "AllowN(now, cost)",
		door: takesNow, costs: true,
		promise: promise{
			text: "count = 86 * ((60-15)/60) + 12 = 86 * 0.75 + 12 = 76.5 events",
			link: "https://github.com/RussellLuo/slidingwindow#design",
			kind: "sliding window counter, calendar windows", exact: slidingCounters,
		},
		make: func(p gauge.Policy) any {
			l, _ := slidingwindow.NewLimiter(p.Window, p.Limit, func() (slidingwindow.Window, slidingwindow.StopFunc) {
				return slidingwindow.NewLocalWindow()
			})
			return gauge.Func(func(now time.Time, _ string, cost int64) bool { return l.AllowN(now, cost) })
		},
	}
}
