package bounds

import (
	"math"

	"github.com/limitgauge/limitgauge/live/exchange"
)

// shareFigures returns the figures of what is admitted for each client with demand.
// Failed requests may have been admitted.
func shareFigures(records []*record) []Figure {
	byClient := map[int32]*pair{}
	var total pair
	for _, r := range records {
		for _, e := range r.asked {
			if e.Cost == 0 {
				continue
			}
			if byClient[e.Client] == nil {
				byClient[e.Client] = &pair{}
			}
			p := byClient[e.Client]
			if e.Verdict == exchange.Admitted {
				p.least += e.Cost
				total.least += e.Cost
			}
			if e.Verdict != exchange.Rejected {
				p.most += e.Cost
				total.most += e.Cost
			}
		}
	}
	ratios, least, most := Figure{Name: "client_share_max_over_min"}, Figure{Name: "client_share_min_pct"}, Figure{Name: "client_share_max_pct"}
	none := ""
	switch {
	case len(byClient) == 0:
		none = noTraffic
	case len(byClient) == 1:
		none = "one client"
	case total.most == 0:
		none = "nothing admitted"
	case total.least == 0:
		none = "nothing was certainly admitted"
	}
	if none != "" {
		least.None, most.None, ratios.None = none, none, none
		return []Figure{ratios, least, most}
	}
	least = Figure{Name: least.Name, Lo: math.Inf(1), Hi: math.Inf(1), Seen: math.Inf(1)}
	lowest, highest := pair{unset, unset}, pair{}
	for _, p := range byClient {
		share := Figure{
			Lo:   ratio(100, p.least, p.least+total.most-p.most),
			Hi:   ratio(100, p.most, p.most+total.least-p.least),
			Seen: ratio(100, p.least, total.least),
		}
		least.Lo, least.Hi, least.Seen = min(least.Lo, share.Lo), min(least.Hi, share.Hi), min(least.Seen, share.Seen)
		most.Lo, most.Hi, most.Seen = max(most.Lo, share.Lo), max(most.Hi, share.Hi), max(most.Seen, share.Seen)
		lowest = pair{min(lowest.least, p.least), min(lowest.most, p.most)}
		highest = pair{max(highest.least, p.least), max(highest.most, p.most)}
	}
	switch {
	case lowest.most == 0:
		ratios.None = "a client with demand got nothing"
	case lowest.least == 0:
		ratios.None = "a client with demand may have got nothing"
	default:
		ratios.Lo, ratios.Hi = max(1, ratio(1, highest.least, lowest.most)), ratio(1, highest.most, lowest.least)
		ratios.Seen = ratio(1, highest.least, lowest.least)
	}
	return []Figure{ratios, least, most}
}
