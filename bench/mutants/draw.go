package main

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
)

// job asks for some mutants of a package.
type job struct {
	pkg     pkg
	mutants []mutant // in the order in which they are tried
	wanted  int      // how many of those that compile
}

// draw selects mutants: at least one of each package, and the rest in
// proportion to the lines of code. What it draws in a package depends on the
// seed and on that package alone.
func draw(packages []pkg, o options) []job {
	quotas := share(packages, o.count)
	var jobs []job
	for i, p := range packages {
		j := job{p, slices.Clone(p.mutants), quotas[i]}
		if o.only != "" {
			j.mutants = slices.DeleteFunc(j.mutants, func(m mutant) bool { return !strings.Contains(m.String(), o.only) })
			j.wanted = len(j.mutants)
		} else {
			hash := fnv.New64a()
			hash.Write([]byte(p.path))
			rand.New(rand.NewPCG(o.seed, hash.Sum64())).Shuffle(len(j.mutants), func(a, b int) {
				j.mutants[a], j.mutants[b] = j.mutants[b], j.mutants[a]
			})
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// share divides the count: one for each package, and the rest by lines of code,
// with the largest remainders rounded up.
func share(packages []pkg, count int) []int {
	total := 0
	for _, p := range packages {
		total += p.lines
	}
	rest := max(count-len(packages), 0)
	quotas := make([]int, len(packages))
	order := make([]int, len(packages))
	left := rest
	for i, p := range packages {
		quotas[i] = 1 + rest*p.lines/total
		left -= rest * p.lines / total
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return rest*packages[b].lines%total - rest*packages[a].lines%total
	})
	for _, i := range order[:left] {
		quotas[i]++
	}
	return quotas
}
