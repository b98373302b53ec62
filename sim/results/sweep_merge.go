package results

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
)

// MergeSweeps writes the document of a sweep from documents of parts of it, such as its
// shards, and returns the numbers of the cells that none of them has. With all cells
// the document is that of the whole sweep, byte for byte. Documents of different
// sweeps, and documents with a cell in common, are an error. names name the documents
// in errors.
func MergeSweeps(w io.Writer, parts []*SweepReader, names []string) (missing []int, err error) {
	head := parts[0].Head
	head.Shard = ""
	for i, p := range parts {
		if why := differs(head, p.Head); why != "" {
			return nil, fmt.Errorf("%s and %s are of different sweeps: %s", names[0], names[i], why)
		}
	}
	type next struct {
		cell     int
		document []byte
	}
	heads := make([]*next, len(parts)) // nil after the last cell
	advance := func(i int) error {
		cell, document, err := parts[i].Next()
		heads[i] = &next{cell, document}
		if errors.Is(err, io.EOF) {
			heads[i], err = nil, nil
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", names[i], err)
		}
		return err
	}
	for i := range parts {
		if err := advance(i); err != nil {
			return nil, err
		}
	}
	out, err := NewSweepWriter(w, head)
	if err != nil {
		return nil, err
	}
	for cell := range head.Cells() {
		from := -1
		for i, n := range heads {
			switch {
			case n == nil || n.cell != cell:
			case from >= 0:
				scenario, at := head.At(cell)
				return nil, fmt.Errorf("%s and %s both hold cell %d: %s at %v", names[from], names[i], cell, scenario.Name, at)
			default:
				from = i
			}
		}
		if from < 0 {
			missing = append(missing, cell)
			continue
		}
		if _, err := head.Cell(cell, heads[from].document); err != nil {
			return nil, fmt.Errorf("%s: %w", names[from], err)
		}
		if err := out.Write(cell, heads[from].document); err != nil {
			return nil, err
		}
		if err := advance(from); err != nil {
			return nil, err
		}
	}
	return missing, out.Close()
}

// differs returns what makes two documents those of different sweeps, or "".
func differs(a, b SweepHead) string {
	x, y := a.Stamp, b.Stamp
	switch {
	case x.Version != y.Version || x.Commit != y.Commit:
		return fmt.Sprintf("version %s (%s) and version %s (%s)", x.Version, x.Commit, y.Version, y.Commit)
	case !reflect.DeepEqual(a.Sweep, b.Sweep):
		return "other axes"
	case x.Seed != y.Seed:
		return fmt.Sprintf("seed %d and seed %d", x.Seed, y.Seed)
	case x.Scenario != y.Scenario || x.ScenarioSHA256 != y.ScenarioSHA256:
		return "other scenario files"
	case !slices.Equal(a.Logs, b.Logs):
		return "their logs have other contents"
	case x != y:
		return fmt.Sprintf("%s and %s", x.Rerun, y.Rerun)
	}
	return ""
}
