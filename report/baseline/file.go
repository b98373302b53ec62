package baseline

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/report/pairing"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Load reads a baseline. One that is not there is a *Refusal: without it the
// gate cannot be evaluated, and that is no pass.
func Load(path string) (*results.Document, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Refusal{Reason: fmt.Sprintf("there is no baseline %s", path)}
	}
	if err != nil {
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	defer f.Close()
	doc, err := results.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("baseline %s: %w", path, err)
	}
	if err := usable(doc); err != nil {
		return nil, fmt.Errorf("baseline %s: %w", path, err)
	}
	return doc, nil
}

// Update makes the document the baseline at path; nothing else writes one. It
// refuses, with a *Refusal, a document that a later run could not be held
// against: a partial one, one without results or without figures, one whose
// scenarios are not all there. What only plots need is left out, so that the
// file stays small enough to keep beside the scenarios. The file is replaced as
// a whole or not at all.
func Update(path string, doc *results.Document) error {
	if err := usable(doc); err != nil {
		return fmt.Errorf("update baseline %s: %w", path, err)
	}
	kept := *doc
	kept.Series, kept.Shares, kept.Histograms, kept.Rejections = nil, nil, nil, nil
	return report.WriteFile(path, func(w io.Writer) error { return results.Encode(w, &kept) })
}

// usable refuses a document that cannot be a baseline.
func usable(doc *results.Document) error {
	refuse := func(format string, args ...any) error {
		return &Refusal{Reason: fmt.Sprintf(format, args...)}
	}
	switch {
	case doc.SchemaVersion != results.SchemaVersion:
		return &results.SchemaError{Got: doc.SchemaVersion, Want: results.SchemaVersion}
	case doc.Partial:
		return refuse("the document is partial: the run that made it was interrupted")
	case len(doc.Scenarios) == 0:
		return refuse("the document has no scenarios")
	case len(doc.Results) == 0:
		return refuse("the document has no results")
	case doc.Stamp.Scenario == "" && doc.Stamp.ScenarioSHA256 == "":
		return refuse("the document does not say which scenario file made it")
	}
	rows, figures := map[string]int{}, 0
	for _, r := range doc.Results {
		if !r.Reference {
			rows[r.Scenario]++
		}
		for _, name := range slices.Sorted(maps.Keys(r.Metrics)) {
			s := r.Metrics[name]
			if s.Mean == nil {
				continue
			}
			figures++
			if _, err := pairing.Sample(r, s); err != nil {
				return refuse("scenario %q, %s: %s %v", r.Scenario, r.Algorithm, name, err)
			}
		}
	}
	for _, s := range doc.Scenarios {
		if rows[s.Name] == 0 {
			return refuse("scenario %q has no results", s.Name)
		}
	}
	if figures == 0 {
		return refuse("no result has a figure")
	}
	return nil
}
