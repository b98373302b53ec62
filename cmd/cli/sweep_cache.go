package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/sweep"
	"github.com/limitgauge/limitgauge/sim/limiters"
)

// openCache returns the cache that the flags select, or nil if no cell is kept for another
// sweep. Documents of programs are never kept, because the programs may change.
func (w *sweeping) openCache(a *app, f *scenarios.File) (sweep.Cache, error) {
	dir := w.cache
	most, err := units.ParseSize(w.most)
	if err != nil {
		return nil, usage.Errorf("--cache-size: %w", err)
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, usage.Errorf("--cache %s: is a file, want a directory", dir)
	}
	switch {
	case w.noCache:
	case startsPrograms(f):
		if !w.Quiet {
			fmt.Fprintln(a.Err, "note: the file names limiters outside of this program, which may change: no cell is kept for another sweep")
		}
	case dir != "":
		return sweep.OpenCache(dir, most)
	default:
		base, err := os.UserCacheDir()
		if err == nil {
			var cache sweep.Cache
			if cache, err = sweep.OpenCache(filepath.Join(base, "limitgauge", "cells"), most); err == nil {
				return cache, nil
			}
		}
		if !w.Quiet {
			fmt.Fprintf(a.Err, "note: no cell is kept for another sweep, because the user has no folder for caches (%v); --cache names one\n", err)
		}
	}
	return nil, nil
}

// startsPrograms reports whether a file names limiters outside of this program.
func startsPrograms(f *scenarios.File) bool {
	for i := range f.Scenarios {
		for j := range f.Scenarios[i].Algorithms {
			if slices.ContainsFunc(f.Scenarios[i].Algorithms[j].Stages(), func(one *scenarios.Algorithm) bool { return limiters.Of(one).Outside }) {
				return true
			}
		}
	}
	return false
}
