package scenarios

import (
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// AddRow adds a preset as an algorithm to every scenario that does not list one of
// that name. It returns an error if the file's catalog has no such preset.
func (f *File) AddRow(preset string) error {
	found := &problems{path: f.Path}
	l := loader{catalog: f.catalog, file: f}
	l.report = found.report
	row := l.resolve(&node{kind: scalar, text: preset})
	if row == nil {
		return unknownName("preset", preset, catalog.Names(f.catalog.Presets))
	}
	for i := range f.Scenarios {
		s := &f.Scenarios[i]
		if !slices.ContainsFunc(s.Algorithms, func(a Algorithm) bool { return a.Name == preset }) {
			added := *row
			added.Pos = s.Pos
			s.Algorithms = append(s.Algorithms, added)
		}
	}
	return nil
}
