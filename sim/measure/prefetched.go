package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var prefetchedMetrics = []catalog.Metric{
	{Name: "granted_tokens", Unit: "tokens", Formula: "cost granted to fetches", Doc: "Tokens that clients received from fetches in the span, before they needed them."},
	{Name: "expired_tokens", Unit: "tokens", Better: -1, Formula: "cost of fetched tokens that expired unused", Doc: "Tokens that clients had fetched and that expired in the span without being used. Tokens that return to their server count only if the message or the server loses them."},
	{Name: "expired_tokens_pct", Unit: "%", Better: -1, Formula: "100 * expired_tokens / granted_tokens", Doc: "Expired tokens over the tokens granted in the span."},
}

// Prefetched measures tokens that clients fetch ahead.
type Prefetched struct {
	r                *Recorder
	used             bool
	granted, expired int64
	sweep            func(end int64)
}

func newPrefetched(r *Recorder) Reporter {
	r.prefetched = &Prefetched{r: r}
	return r.prefetched
}

// Prefetched returns the meter of tokens that clients fetch ahead.
func (r *Recorder) Prefetched() *Prefetched { return r.prefetched }

// AtEnd has sweep called when the trial ends, to count what has expired until then.
func (p *Prefetched) AtEnd(sweep func(end int64)) { p.used, p.sweep = true, sweep }

// Granted counts tokens that a client receives at now.
func (p *Prefetched) Granted(now, tokens int64) {
	if p.r.Measures(now) {
		p.granted += tokens
	}
}

// Expired counts tokens that expire or are lost at a time.
func (p *Prefetched) Expired(at, tokens int64) {
	if p.r.Measures(at) {
		p.expired += tokens
	}
}

func (p *Prefetched) close(end int64) {
	if p.sweep != nil {
		p.sweep(end)
	}
}

func (p *Prefetched) Figures(emit Emit) string {
	if !p.used {
		return "no tokens are fetched ahead"
	}
	emit.count("granted_tokens", p.granted)
	emit.count("expired_tokens", p.expired)
	emit.ratio("expired_tokens_pct", 100, p.expired, p.granted)
	return "no tokens granted"
}
