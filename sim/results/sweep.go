package results

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// KindSweep is the kind of documents with the cells of a sweep, which DecodeSweep reads.
const KindSweep = "sweep"

// MaxCells limits the cells of a sweep.
const MaxCells = 100_000

// SweepHead holds what the cells of a sweep have in common.
type SweepHead struct {
	SchemaVersion int             `json:"schema_version"`
	Stamp         Stamp           `json:"stamp"`
	Shard         string          `json:"shard,omitempty"` // "2/4": the document holds every fourth cell, from the second
	Logs          []SweepLog      `json:"logs,omitempty"`
	Sweep         []SweepScenario `json:"sweep"`
}

// SweepLog identifies the contents of a log that cells read.
type SweepLog struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// SweepScenario is a scenario with its axes. Its cells are the product of the axes; the
// values of the last axis change first.
type SweepScenario struct {
	Name string `json:"name"`
	Axes []Axis `json:"axes"`
}

// Axis is a setting that a sweep varies.
type Axis struct {
	Name    string    `json:"name"`
	Of      string    `json:"of"`     // the path of the setting
	Values  []string  `json:"values"` // as written
	Numbers []float64 `json:"numbers,omitempty"`
	Unit    string    `json:"unit,omitempty"` // of Numbers: s, per s, %, bytes
}

// Concerns reports whether the axis varies an option of an algorithm, or of no algorithm
// at all. Names can hold dots.
func (a Axis) Concerns(algorithm string) bool {
	path, option := strings.CutPrefix(a.Of, "algorithms.")
	return !option || strings.HasPrefix(path, algorithm+".")
}

// Condition reports whether the axis varies what limiters meet, such as the traffic, the
// clients or the network, and not how they are set.
func (a Axis) Condition() bool {
	switch first, _, _ := strings.Cut(a.Of, "."); first {
	case "algorithms", "policies", "policy":
		return false
	case "topology", "topologies":
		return !strings.HasSuffix(a.Of, ".servers")
	}
	return true
}

// Cell is one cell of a sweep: what a run gives with the values of its axes.
type Cell struct {
	Number   int // among all cells of the sweep
	Scenario string
	At       []string // values of the scenario's axes
	Document *Document
	Sum      [sha256.Size]byte // of all figures, also those that a thin document lacks
}

// Sum returns a hash of all rows with their figures.
func (d *Document) Sum() [sha256.Size]byte {
	text, _ := json.Marshal(d.Results)
	return sha256.Sum256(text)
}

// Unmoved returns the axes that change nothing: of all cells, those that differ by such an
// axis alone have equal figures. at are the values of each cell, which may have more than
// axes.
func Unmoved[F comparable](axes []Axis, at [][]string, figures []F) (names []string) {
	for i, a := range axes {
		type one struct {
			value   string
			figures F
		}
		first, pairs, moved := map[string]one{}, 0, false
		for k, values := range at {
			others := fmt.Sprintf("%q", slices.Concat(values[:i], values[i+1:]))
			f, known := first[others]
			if !known {
				first[others] = one{values[i], figures[k]}
			} else if f.value != values[i] {
				pairs++
				moved = moved || f.figures != figures[k]
			}
		}
		if pairs > 0 && !moved {
			names = append(names, a.Name)
		}
	}
	return names
}

// Sweep is a sweep in memory: its cells, mostly with thin documents.
type Sweep struct {
	Head    SweepHead
	Cells   []Cell // in order
	Partial bool
}

// Of returns the cells of a scenario.
func (s *Sweep) Of(scenario string) []Cell {
	return lists.Where(s.Cells, func(c Cell) bool { return c.Scenario == scenario })
}

// Cells returns the number of cells of a scenario.
func (s SweepScenario) Cells() int {
	n := 1
	for _, a := range s.Axes {
		n *= max(1, len(a.Values))
	}
	return n
}

// Cells returns the number of cells of the sweep, in all shards.
func (h *SweepHead) Cells() (n int) {
	for _, s := range h.Sweep {
		n += s.Cells()
	}
	return n
}

// At returns the scenario of a cell and the values of its axes.
func (h *SweepHead) At(cell int) (s SweepScenario, at []string) {
	for _, s = range h.Sweep {
		if cell < s.Cells() {
			break
		}
		cell -= s.Cells()
	}
	at = make([]string, len(s.Axes))
	for i := len(s.Axes) - 1; i >= 0; i-- {
		values := s.Axes[i].Values
		at[i], cell = values[cell%len(values)], cell/len(values)
	}
	return s, at
}

// Shard is a part of the cells of a sweep: cell I-1, and every Nth after it.
type Shard struct{ I, N int }

// ParseShard reads a shard such as 2/4. An empty text is all cells.
func ParseShard(text string) (Shard, error) {
	if text == "" {
		return Shard{1, 1}, nil
	}
	i, n, ok := strings.Cut(text, "/")
	s := Shard{}
	var first, second error
	s.I, first = strconv.Atoi(i)
	s.N, second = strconv.Atoi(n)
	if !ok || first != nil || second != nil || s.N < 1 || s.N > MaxCells || s.I < 1 || s.I > s.N {
		return s, fmt.Errorf("%q is not a shard, such as 1/4 to 4/4", text)
	}
	return s, nil
}

// Has reports whether a cell is part of the shard.
func (s Shard) Has(cell int) bool { return cell%s.N == s.I-1 }

// Check returns the first error that would break a reader of the document.
func (h *SweepHead) Check() error {
	switch {
	case h.SchemaVersion != SchemaVersion:
		return &SchemaError{Got: h.SchemaVersion, Want: SchemaVersion}
	case h.Stamp.Kind != KindSweep:
		return ErrNoSweep
	case len(h.Sweep) == 0 || len(h.Sweep) > MaxScenarios:
		return fmt.Errorf("%d scenarios, want 1 to %d", len(h.Sweep), MaxScenarios)
	}
	if _, err := ParseShard(h.Shard); err != nil {
		return fmt.Errorf("shard: %w", err)
	}
	cells := 0
	known := map[string]bool{}
	for _, s := range h.Sweep {
		if known[s.Name] {
			return fmt.Errorf("scenario %q is there twice", s.Name)
		}
		known[s.Name] = true
		size := 1
		var names []string
		for _, a := range s.Axes {
			if slices.Contains(names, a.Name) {
				return fmt.Errorf("%s: axis %q is there twice", s.Name, a.Name)
			}
			names = append(names, a.Name)
			if err := a.check(); err != nil {
				return fmt.Errorf("%s: axis %q: %w", s.Name, a.Name, err)
			}
			if size *= len(a.Values); cells+size > MaxCells {
				return fmt.Errorf("more than %d cells", MaxCells)
			}
		}
		if len(s.Axes) == 0 {
			return fmt.Errorf("%s has no axes", s.Name)
		}
		cells += size
	}
	return nil
}

func (a Axis) check() error {
	if len(a.Values) == 0 || len(a.Values) > MaxCells {
		return fmt.Errorf("%d values", len(a.Values))
	}
	seen := map[string]bool{}
	for _, text := range a.Values {
		if seen[text] {
			return fmt.Errorf("value %q is there twice", text)
		}
		seen[text] = true
	}
	if n := len(a.Numbers); n > 0 && n != len(a.Values) {
		return fmt.Errorf("%d numbers for %d values", n, len(a.Values))
	}
	for _, x := range a.Numbers {
		if !drawable(x) {
			return fmt.Errorf("a number is %v", x)
		}
	}
	return nil
}

// Thin returns the document with the figures of some metrics alone, without the
// values of single replications, series and distributions: what tables and figures of
// a sweep need.
func (d *Document) Thin(metrics []string) *Document {
	t := &Document{SchemaVersion: d.SchemaVersion, Stamp: d.Stamp, Partial: d.Partial, Scenarios: d.Scenarios}
	t.Stamp.Scenario = ""
	for _, r := range d.Results {
		figures := make(map[string]Summary, len(metrics))
		for _, name := range metrics {
			if s, ok := r.Metrics[name]; ok {
				s.Values, s.Numerators, s.Denominators, s.Without = nil, nil, nil, nil
				figures[name] = s
			}
		}
		r.Metrics, r.Halves, r.Touched, r.FirstDifference = figures, nil, nil, nil
		t.Results = append(t.Results, r)
	}
	return t
}
