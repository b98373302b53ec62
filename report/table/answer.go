package table

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Answer says of each simulated row of a part with one scenario, in the first replication,
// how many requests it refuses and delays, of how many keys, and for how long at most. In
// front of that it names the key, if it could be another. It has no columns: a person reads
// it before the figures.
func Answer(part *results.Document) Table {
	t := Table{Title: "what each limiter does with these requests"}
	for i := range part.Input {
		t.Notes = append(t.Notes, OtherKeys(&part.Input[i])...)
	}
	var rows groups.Groups[string, string] // by what they do
	for _, r := range simulated(part.Rows(part.Scenarios[0].Name)) {
		if text := answerOf(r, part.Rejections); text != "" {
			rows.Add(text, r.Label())
		}
	}
	for _, text := range rows.Keys {
		if names := rows.Of[text]; len(names) > 1 {
			who := list(names)
			if len(rows.Keys) == 1 {
				who = fmt.Sprintf("all %d limiters", len(names))
			}
			text = who + " " + strings.NewReplacer("refuses", "refuse", "delays", "delay").Replace(text)
		} else {
			text = names[0] + " " + text
		}
		t.Notes = append(t.Notes, text)
	}
	return t
}

func answerOf(r results.Result, rejections []results.Rejections) string {
	count := func(metric string) int64 {
		if s := r.Metrics[metric]; len(s.Values) > 0 && s.Values[0] != nil {
			return int64(*s.Values[0])
		}
		return 0
	}
	offered, rejected, delayed := count("offered_requests"), count("rejected_requests"), count("delayed_requests")
	if offered == 0 {
		return ""
	}
	text := "refuses nothing"
	if rejected > 0 {
		text = fmt.Sprintf("refuses %d of %s", rejected, format.Count(offered, "request"))
		for _, of := range rejections {
			if of.Algorithm == r.Algorithm && of.Seen > 1 {
				text += fmt.Sprintf(", of %d of %s", of.Refused, format.Count(of.Seen, "key"))
			}
		}
	}
	if delayed > 0 {
		text += fmt.Sprintf("; delays %d", delayed)
		if longest := r.Metrics["wait_max_ms"]; len(longest.Values) > 0 && longest.Values[0] != nil {
			text += ", up to " + format.Span(int64(*longest.Values[0]*1e6))
		}
	}
	return text
}
