package verdicts

import (
	"io"

	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/sim/results"
)

// jsonVerdict is a verdict in JSON. Only thresholds have op and threshold, and
// only comparisons with a baseline have baseline.
type jsonVerdict struct {
	Kind      gate.Kind    `json:"kind"`
	Check     string       `json:"check,omitempty"` // of the run: "interrupted", "baseline"
	Scenario  string       `json:"scenario"`
	Algorithm string       `json:"algorithm"`
	Metric    string       `json:"metric"`
	Op        string       `json:"op,omitempty"`
	Threshold *float64     `json:"threshold,omitempty"`
	Status    gate.Status  `json:"status"`
	Allowed   bool         `json:"allowed,omitempty"`
	Figure    *float64     `json:"figure"`
	BadEnd    *float64     `json:"bad_end"`
	Baseline  *gate.Change `json:"baseline,omitempty"`
	Seed      uint64       `json:"seed"`
	File      string       `json:"file,omitempty"`
	Line      int          `json:"line"`
	Col       int          `json:"col"`
	Reason    string       `json:"reason,omitempty"`
	Note      string       `json:"note,omitempty"`
}

func jsonVerdicts(v gate.Verdicts) []any {
	list := []any{}
	for _, one := range v.All() {
		line := jsonVerdict{
			Kind: one.Kind(), Check: one.What, Scenario: one.Scenario, Algorithm: one.Algorithm, Metric: one.Metric,
			Status: one.Status, Allowed: one.Excused(), Figure: one.Figure, BadEnd: one.BadEnd, Baseline: one.Change,
			Seed: one.Seed, File: one.File, Line: one.Line, Col: one.Col, Reason: one.Reason, Note: one.Note,
		}
		if line.Kind == gate.Threshold {
			line.Op, line.Threshold = one.Op, &one.Threshold
		}
		list = append(list, line)
	}
	return list
}

// jsonStamp is a document's stamp without the scenario's text, which the outer
// field hides.
type jsonStamp struct {
	results.Stamp
	Scenario string `json:"scenario,omitempty"`
}

// writeJSON writes the outcome, the counts and all verdicts as one object.
func writeJSON(w io.Writer, v gate.Verdicts) error {
	return encode(w, "  ", struct {
		Outcome     gate.Status `json:"outcome"`
		Summary     string      `json:"summary"`
		Partial     bool        `json:"partial"`
		Passed      int         `json:"passed"`
		Failed      int         `json:"failed"`
		Unevaluated int         `json:"unevaluated"`
		Improved    int         `json:"improved"`
		Unchanged   int         `json:"unchanged"`
		Stamp       jsonStamp   `json:"stamp"`
		Verdicts    []any       `json:"verdicts"`
	}{
		v.Outcome(), v.Summary(), v.Partial,
		v.Count(gate.Passed), v.Count(gate.Failed), v.Count(gate.Unevaluated), v.Count(gate.Improved), v.Count(gate.Unchanged),
		jsonStamp{Stamp: v.Stamp}, jsonVerdicts(v),
	})
}

// writeJSONLines writes one verdict per line.
func writeJSONLines(w io.Writer, v gate.Verdicts) error { return encode(w, "", jsonVerdicts(v)...) }
