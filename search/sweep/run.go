package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/jobs"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// counts is the progress of a sweep in cells.
type counts struct {
	Checked atomic.Int64
	Cached  atomic.Int64 // cells taken from the cache
	Ran     atomic.Int64 // cells that have run
	ToRun   atomic.Int64 // cells that are not in the cache
}

// Run runs the cells that are not in the cache. After an error, the cells that have
// finished are in the cache.
func (s *Sweep) Run(ctx context.Context) error {
	slices.Sort(s.cells)
	cached := lists.Where(s.cells, func(cell int) bool { return s.known[cell] })
	missing := lists.Where(s.cells, func(cell int) bool { return !s.known[cell] })
	s.o.Progress.ToRun.Store(int64(len(missing)))
	// The time of the first cells then tells that of all, and what a stopped sweep has run
	// is spread over the whole grid.
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(missing), func(i, j int) { missing[i], missing[j] = missing[j], missing[i] })
	var keep sync.Mutex
	kept := func(cell int, d *results.Document) {
		keep.Lock()
		defer keep.Unlock()
		s.ended[cell] = true
		if s.o.Keep != nil {
			s.o.Keep(cell, d)
		}
	}
	here := slices.Concat(cached, missing)
	if s.o.Queue != nil {
		here = cached
	}
	err := Parallel(ctx, len(here), s.o.Workers, s.o.Run.Memory, func(ctx context.Context, i, workers int, memory int64) error {
		d, err := s.cell(ctx, here[i], workers, memory)
		if err == nil {
			kept(here[i], d)
		}
		return err
	})
	if err == nil && s.o.Queue != nil && len(missing) > 0 {
		err = jobs.AsHere(s.runElsewhere(ctx, missing, kept))
	}
	return err
}

// cell returns the document of a cell, from the cache or from a run, which it then
// puts into the cache.
func (s *Sweep) cell(ctx context.Context, number, workers int, memory int64) (*results.Document, error) {
	c := s.grid.Cell(number)
	source, err := s.source(number)
	if err != nil {
		return nil, err
	}
	key := s.keys[number]
	if s.known[number] {
		if d := s.cached(key, source); d != nil {
			s.o.Progress.Cached.Add(1)
			return d, nil
		}
	}
	d, err := s.run(ctx, source, workers, memory)
	if err != nil {
		if _, invalid := errors.AsType[*sim.Invalid](err); !invalid {
			err = fmt.Errorf("cell %s: %w", c, err)
		}
		return nil, err
	}
	text, err := results.Text(d)
	if err == nil {
		err = s.keep(number, text)
	}
	if err != nil {
		return nil, err
	}
	s.o.Progress.Ran.Add(1)
	return d, nil
}

// errNoCache is why a document stays in memory if there is no cache.
var errNoCache = errors.New("the sweep has no cache")

// keep puts a document into the cache. Without one, or if it cannot take it, the document
// stays in memory.
func (s *Sweep) keep(number int, document []byte) error {
	err := errNoCache
	if s.o.Cache != nil {
		err = s.o.Cache.put(s.keys[number], document)
	}
	if err == nil {
		return nil
	}
	packed := jobs.Pack(document)
	s.holding.Lock()
	defer s.holding.Unlock()
	if s.room -= len(packed); s.room < 0 {
		return fmt.Errorf("%w; the %s in memory fill what is set aside for them: make space, name another folder, or sweep in parts with --shard", err, format.Count(len(s.held), "document"))
	}
	if len(s.held) == 0 && s.o.Unkept != nil && s.o.Cache != nil {
		s.o.Unkept(err)
	}
	s.held[number] = packed
	return nil
}

// source returns the scenario file of a cell.
func (s *Sweep) source(number int) ([]byte, error) {
	if text := s.texts[number]; text != nil {
		return text, nil
	}
	text, problems := s.grid.Text(s.grid.Cell(number))
	if len(problems) > 0 {
		return nil, &sim.Invalid{Problems: problems}
	}
	return text, nil
}

// cached returns a document of the cache, or nil if it is not there or damaged.
func (s *Sweep) cached(key Key, source []byte) *results.Document {
	text, err := s.o.Cache.get(key)
	if err != nil {
		return nil
	}
	return documentOf(source, text)
}

// documentOf returns a document of a scenario file, or nil if it is damaged.
func documentOf(source, text []byte) *results.Document {
	d, err := results.Decode(bytes.NewReader(text))
	if err != nil || d.Stamp.ScenarioSHA256 != sumOf(source) || d.Partial {
		return nil
	}
	return d
}

// run runs the scenario file of a cell.
func (s *Sweep) run(ctx context.Context, source []byte, workers int, memory int64) (*results.Document, error) {
	f, problems := scenarios.Load("-", source, s.grid.File.Dir, s.grid.Catalog())
	if len(problems) > 0 {
		return nil, &sim.Invalid{Problems: problems}
	}
	o := s.o.Run
	o.Workers, o.Memory, o.WorstKey = workers, memory, true
	o.Progress, o.Stamp = &s.o.Progress.Progress, s.o.Stamp(f)
	return sim.Run(ctx, f, o)
}
