package baseline

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/limitgauge/limitgauge/report/pairs"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Load reads a baseline. A missing file, and one that holds no document, is a
// *Refusal: without a baseline the gate is unevaluated, which is not passed. It
// returns a *results.SchemaError for a document of another schema, and another error
// if the file cannot be read.
func Load(path string) (*results.Document, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Refusal{Reason: fmt.Sprintf("there is no baseline %s: write it with --update-baseline", path)}
	}
	if err != nil {
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	defer f.Close()
	doc, err := results.Decode(f)
	if err != nil {
		return nil, undecoded(path, err)
	}
	if err := usable(doc); err != nil {
		return nil, fmt.Errorf("baseline %s: %w", path, err)
	}
	return doc, nil
}

// undecoded returns the error for a file that could not be decoded.
func undecoded(path string, err error) error {
	_, unread := errors.AsType[*fs.PathError](err)
	_, schema := errors.AsType[*results.SchemaError](err)
	if unread || schema {
		return fmt.Errorf("baseline %s: %w", path, err)
	}
	return &Refusal{Reason: fmt.Sprintf("baseline %s: %v", path, err)}
}

// From returns the document to keep as a baseline. It rejects, with a *Refusal,
// a document that a later run cannot be compared with: a partial one, one
// without results or metrics, or one that lacks results of a scenario. It drops
// the data of plots, so that the file is small.
func From(doc *results.Document) (*results.Document, error) {
	if err := usable(doc); err != nil {
		return nil, err
	}
	kept := *doc
	kept.Series, kept.Shares, kept.Histograms, kept.Rejections = nil, nil, nil, nil
	return &kept, nil
}

// usable returns an error if the document cannot be a baseline.
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
	case doc.Stamp.Scenario == "":
		return refuse("the document does not state the scenario that made it")
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
			if _, err := pairs.Sample(r, s); err != nil && !errors.Is(err, pairs.ErrNoFigure) {
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
