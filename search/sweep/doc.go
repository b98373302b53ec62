// Package sweep runs the cells of a grid of settings and keeps their documents in a
// cache. The document of a cell is what a run gives for the scenario file of the cell,
// byte for byte. It depends on nothing but that file, the logs that it reads and the
// program, so a sweep that was stopped goes on, and one with more values runs only
// the new cells.
//
// The package makes no promise: it can change at any time.
package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/jobs"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Options states how to run a sweep.
type Options struct {
	Workers int           // cells at a time, at most; 0 means one per core
	Shard   results.Shard // the cells to run; the zero value means all
	Cache   Cache         // nil: the documents stay in memory until the sweep is closed
	Program string        // identifies the program: documents of another one are not taken from the cache
	Run     sim.Options   // of each cell: memory, programs; Workers, Progress, Logs and Stamp are set
	// Stamp returns the stamp of a cell's document. It is nil if nothing will run.
	Stamp    func(*scenarios.File) results.Stamp
	Progress *Progress
	// Rerun is the command that stamps of cells show which run elsewhere.
	Rerun string
	jobs.Elsewhere
	// Unkept, if not nil, is called with the reason when the cache cannot take a document
	// for the first time. Such documents stay in memory until the sweep is closed.
	Unkept func(error)
	// Keep, if not nil, is called once for each cell, in no order, from one goroutine at
	// a time. It must not change the document.
	Keep func(cell int, d *results.Document)
}

// Sweep is a sweep whose cells are known to be sound.
type Sweep struct {
	grid  *scenarios.Grid
	o     Options
	logs  *sim.Logs
	cells []int          // of the shard, in order
	keys  map[int]Key    // of the cells
	texts map[int][]byte // scenario files of the first cells that are checked
	known map[int]bool   // cells whose documents are in the cache
	ended map[int]bool   // cells that are finished
	read  []results.SweepLog
	sums  *jobs.Sums

	holding sync.Mutex
	held    map[int][]byte // packed documents that are in no cache, by cell
	room    int            // bytes for further ones
}

// mostHeld limits the packed documents in memory, in bytes: some ten thousand.
const mostHeld = 256 << 20

// Progress counts cells. It is safe for concurrent use.
type Progress struct {
	counts
	Workers      atomic.Int64 // on other machines
	sim.Progress              // of all cells that run
}

// Prepare checks each cell as a run does, and finds which ones are in the cache. It
// returns all problems of all cells, each once. Close the sweep at the end.
func Prepare(ctx context.Context, g *scenarios.Grid, o Options) (*Sweep, []scenarios.Problem, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Shard.N == 0 {
		o.Shard = results.Shard{I: 1, N: 1}
	}
	o.Progress = cmp.Or(o.Progress, &Progress{})
	s := &Sweep{grid: g, o: o, logs: &sim.Logs{}, keys: map[int]Key{}, texts: map[int][]byte{}, known: map[int]bool{}, ended: map[int]bool{}, held: map[int][]byte{}, room: mostHeld}
	s.o.Run.Logs = s.logs
	problems, err := s.check(ctx)
	if err != nil || len(problems) > 0 {
		s.Close()
		return nil, problems, err
	}
	if len(s.cells) == 0 {
		s.Close()
		return nil, nil, fmt.Errorf("shard %d/%d of %d cells is empty", o.Shard.I, o.Shard.N, g.Len())
	}
	return s, nil, nil
}

// Check checks each cell of a grid as Prepare does, and returns all problems.
func Check(ctx context.Context, g *scenarios.Grid, o Options) ([]scenarios.Problem, error) {
	s, problems, err := Prepare(ctx, g, o)
	if s != nil {
		s.Close()
	}
	return problems, err
}

// Close releases the logs.
func (s *Sweep) Close() { s.logs.Close() }

// Cells returns how many cells the sweep has, in its shard, and how many of them were
// in the cache at first.
func (s *Sweep) Cells() (all, cached int) { return len(s.cells), len(s.known) }

// Each calls visit with the document of each cell that is finished, in order.
func (s *Sweep) Each(visit func(cell int, document []byte) error) error {
	for _, cell := range s.cells {
		if !s.ended[cell] {
			continue
		}
		document, err := s.document(cell)
		if errors.Is(err, errAbsent) {
			return fmt.Errorf("cell %s: another program has removed its document from the cache: run the sweep again", s.grid.Cell(cell))
		}
		if err == nil {
			err = visit(cell, document)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// document returns the document of a cell that is finished.
func (s *Sweep) document(cell int) ([]byte, error) {
	if packed := s.held[cell]; packed != nil {
		return jobs.Unpack(packed)
	}
	return s.o.Cache.get(s.keys[cell])
}

// Axis returns an axis of a scenario as documents have it.
func Axis(a scenarios.Axis) results.Axis {
	numbers, unit := a.Numbers()
	return results.Axis{Name: a.Name, Of: a.Of, Values: a.Values, Numbers: numbers, Unit: unit}
}

// Head returns the head of the sweep's document.
func (s *Sweep) Head(stamp results.Stamp) results.SweepHead {
	stamp.Kind = results.KindSweep
	head := results.SweepHead{SchemaVersion: results.SchemaVersion, Stamp: stamp, Logs: s.read}
	if s.o.Shard.N > 1 {
		head.Shard = fmt.Sprintf("%d/%d", s.o.Shard.I, s.o.Shard.N)
	}
	for i := range s.grid.File.Scenarios {
		from := &s.grid.File.Scenarios[i]
		head.Sweep = append(head.Sweep, results.SweepScenario{Name: from.Name, Axes: lists.Map(from.Axes, Axis)})
	}
	return head
}

// Write writes the document of the sweep with the cells that are finished.
func (s *Sweep) Write(w io.Writer, head results.SweepHead) error {
	out, err := results.NewSweepWriter(w, head)
	if err == nil {
		err = s.Each(out.Write)
	}
	if err != nil {
		return err
	}
	return out.Close()
}
