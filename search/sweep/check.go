package sweep

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/parallel"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/jobs"
	"github.com/limitgauge/limitgauge/sim"
)

// mostTexts limits the scenario files of cells that stay in memory, of some kilobytes
// each. Those of further cells are made again.
const mostTexts = 10_000

// mostProblems limits the problems that are returned.
const mostProblems = 1000

// checks collects what the checks of all cells find.
type checks struct {
	mu       sync.Mutex
	problems map[scenarios.Problem]problemOf // by the problem without its cell
	first    map[Key]int                     // the first cell with this scenario
	axes     map[string]*axis                // by name and path
}

// problemOf is a problem of several cells, as the first of them has it.
type problemOf struct {
	scenarios.Problem
	cell int
}

// check checks the cells of all shards in parallel: those of this shard also as the
// engine does. It sets cells, keys and known.
func (s *Sweep) check(ctx context.Context) ([]scenarios.Problem, error) {
	found := &checks{problems: map[scenarios.Problem]problemOf{}, first: map[Key]int{}, axes: map[string]*axis{}}
	sums := &jobs.Sums{}
	texts := make([]Key, s.grid.Len())
	err := parallel.Each(ctx, s.grid.Len(), s.o.Workers, func(ctx context.Context, i int) (err error) {
		texts[i], err = s.checkCell(ctx, s.grid.Cell(i), found, sums)
		s.o.Progress.Checked.Add(1)
		return cmp.Or(err, found.enough())
	})
	if err = cmp.Or(ctx.Err(), err); err != nil && err != errEnough {
		return nil, err
	}
	if len(found.problems) == 0 { // without a problem, each cell has its text
		for i, text := range texts {
			if first, twice := found.first[text]; twice {
				found.add(s.grid.Same(s.grid.Cell(first), s.grid.Cell(i)), i)
			} else {
				found.first[text] = i
			}
		}
		found.idle(s.grid)
	}
	s.read, s.sums = sums.List(), sums
	return found.sorted(), nil
}

// checkCell checks a cell and returns the hash of its scenario file.
func (s *Sweep) checkCell(ctx context.Context, c scenarios.Cell, found *checks, sums *jobs.Sums) (text Key, err error) {
	f, problems := s.grid.Bind(c)
	if len(problems) > 0 {
		found.addAll(problems, c)
		return text, nil
	}
	found.see(c, f)
	source := f.Effective()
	text = sha256.Sum256(source)
	var key Key
	if s.o.Stamp != nil { // the head of the document names the logs of all shards
		key, err = s.key(f, source, sums)
	}
	if err == nil && !s.o.Shard.Has(c.Number) {
		return text, nil
	}
	// After an error, the check reads the log, too, and reports it with its position.
	known := s.o.Cache != nil && err == nil && s.o.Cache.has(key)
	if !known {
		problems, checkErr := sim.CheckRun(ctx, f, s.o.Run)
		if checkErr != nil {
			return text, checkErr
		}
		found.addAll(lists.Map(problems, c.Within), c)
		if len(problems) == 0 && err != nil {
			return text, err
		}
	}
	found.mu.Lock()
	defer found.mu.Unlock()
	s.keys[c.Number] = key
	s.cells = append(s.cells, c.Number)
	if len(s.texts) < mostTexts {
		s.texts[c.Number] = source
	}
	if known {
		s.known[c.Number] = true
	}
	return text, nil
}

// key returns the name of a cell's document in the cache.
func (s *Sweep) key(f *scenarios.File, source []byte, sums *jobs.Sums) (Key, error) {
	logs, err := sums.Of(f)
	if err != nil {
		return Key{}, err
	}
	parts := []string{"cell of a sweep, version 1", s.o.Program, string(source)}
	if len(logs) > 0 {
		parts = append(parts, f.Dir) // documents name the files of logs with it
	}
	return Key(jobs.KeyOf(append(parts, logs...)...)), nil
}

// errEnough ends the check of further cells.
var errEnough = errors.New("enough problems")

// enough returns errEnough if no more problems are needed.
func (c *checks) enough() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.problems) >= mostProblems {
		return errEnough
	}
	return nil
}

func (c *checks) addAll(problems []scenarios.Problem, cell scenarios.Cell) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range problems {
		c.add(p, cell.Number)
	}
}

// add adds a problem, once.
func (c *checks) add(p scenarios.Problem, cell int) {
	same := p
	same.Message, _, _ = strings.Cut(p.Message, scenarios.WithCell)
	if first, known := c.problems[same]; !known || cell < first.cell {
		c.problems[same] = problemOf{p, cell}
	}
}

// sorted returns the problems in the order of the file.
func (c *checks) sorted() []scenarios.Problem {
	var list []scenarios.Problem
	for _, p := range c.problems {
		list = append(list, p.Problem)
	}
	slices.SortFunc(list, func(a, b scenarios.Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Message, b.Message))
	})
	return list
}
