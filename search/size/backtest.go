package size

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/search/size/least"
)

// backtest finds for each part of the log the setting that the others need, and counts
// what it refuses in the part. Each part must hold as many windows of the recommended limit
// as a log that size finds a limit in. best is the setting that the whole log needs, and
// expected the candidate of which it was found.
func (a *answering) backtest(best *Setting, expected counting.Limit) error {
	b := &Backtest{Parts: []Part{}}
	a.d.Backtest = b
	span := a.study.LastNs - a.study.FirstNs
	needed := func(parts int) int64 { return int64(parts) * least.FewestWindows * best.WindowNs }
	switch {
	case a.Parts < 2:
		b.NotTested = "--parts 1 leaves no others"
		return nil
	case span < needed(a.Parts):
		b.NotTested = fmt.Sprintf("the log spans %s, and %d parts of ten windows of %s take %s", format.Span(span), a.Parts, format.Span(best.WindowNs), format.Span(needed(a.Parts)))
		if a.Parts > 2 && span >= needed(2) {
			b.NotTested += fmt.Sprintf("; --parts 2 takes %s", format.Span(needed(2)))
		}
		return nil
	}
	for i := range a.Parts {
		fold, err := a.study.Fold(i, a.Parts, expected)
		if err != nil {
			return err
		}
		if fold.Requests == 0 {
			continue
		}
		f, err := a.search(fold.Others)
		if err != nil {
			return err
		}
		if f.best < 0 || fold.Others.Requests == 0 {
			b.Parts, b.NotTested = []Part{}, fmt.Sprintf("without part %d of %d the log decides no setting", i+1, a.Parts)
			return nil
		}
		refused, err := a.study.Refused(a.Algorithm, f.outcomes[f.best].Limit, fold)
		if err != nil {
			return err
		}
		refused.Limit = f.outcomes[f.best].Limit
		b.Parts = append(b.Parts, a.part(i, fold, &refused))
	}
	b.summarise()
	return nil
}

// part returns the entry of a part in the document.
func (a *answering) part(i int, f *least.Fold, o *least.Outcome) Part {
	origin := a.log.Facts.FirstNs - a.study.FirstNs
	p := Part{
		Part: i + 1, FromNs: origin + f.FromNs, ToNs: origin + f.ToNs, Limit: limitText(o.Limit), Requests: f.Requests, Keys: f.Keys,
		RefusedRequests: o.Requests, RefusedKeys: o.Keys, RefusedPct: percent(o.Requests, f.Requests),
	}
	if a.Goal.OfKeys {
		p.RefusedPct = percent(o.Keys, f.Keys)
	}
	if a.Algorithm.Bucket {
		p.Burst = &o.Limit.Burst
	}
	if len(o.Who) > 0 {
		w := o.Who[0]
		p.Most = &Who{Key: a.names[w.Key], Requests: w.Requests, Cost: w.Cost}
		p.New = f.Others.Keys[w.Key].Requests == 0
	}
	return p
}

// summarise fills in the worst part and the median of all.
func (b *Backtest) summarise() {
	shares := lists.Map(b.Parts, func(p Part) float64 { return p.RefusedPct })
	slices.Sort(shares)
	n := len(shares)
	worst, median := shares[n-1], (shares[(n-1)/2]+shares[n/2])/2
	b.WorstPct, b.MedianPct = &worst, &median
}

// worst returns the part of which the most is refused.
func (b *Backtest) worst() *Part {
	i := slices.IndexFunc(b.Parts, func(p Part) bool { return p.RefusedPct == *b.WorstPct })
	return &b.Parts[i]
}

// tested says how settings do on requests that they were not found on.
func (d *Document) tested() string {
	b := d.Backtest
	if b.NotTested != "" {
		return "not tested on requests that it was not found on: " + b.NotTested
	}
	text := fmt.Sprintf("on the part it was not found on: worst %s %%, median %s %% of the %s refused", format.Number(*b.WorstPct), format.Number(*b.MedianPct), d.Goal.Of)
	p := b.worst()
	if shared := d.Input.Per == ""; shared || p.Most == nil {
		return text
	}
	are, known := "are", "which the other parts have, too"
	if p.New {
		known = "which no other part has"
	}
	if p.Most.Requests == 1 {
		are = "is"
	}
	return text + fmt.Sprintf("; in the worst, part %d, %d of %s refused %s from %s, %s", p.Part, p.Most.Requests, format.Count(p.RefusedRequests, "request"), are, format.Clean(p.Most.Key), known)
}

// String writes the setting that the other parts need: 300/min, burst 60.
func (p *Part) String() string { return (&Setting{Limit: p.Limit, Burst: p.Burst}).String() }
