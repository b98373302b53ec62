package main

import (
	"fmt"
	"io"
	"slices"
)

// tally counts verdicts. Equivalent mutants are no part of the share.
type tally struct{ killed, survived, equivalent int }

func (t *tally) add(v verdict) {
	switch v {
	case killed, timedOut:
		t.killed++
	case survived:
		t.survived++
	case equivalent:
		t.equivalent++
	}
}

func (t tally) String() string {
	text := fmt.Sprintf("%d of %d killed", t.killed, t.killed+t.survived)
	if t.equivalent > 0 {
		text += fmt.Sprintf(", %d equivalent", t.equivalent)
	}
	return text
}

// report prints a line for each mutant, a line for each package, and the share
// of killed mutants. It fails if the share is below the least.
func report(w io.Writer, results []result, least float64) error {
	var total tally
	var order []string
	packages := map[string]*tally{}
	for _, r := range results {
		fmt.Fprintf(w, "%-10s  %s  (%s)\n", r.verdict, r.mutant, r.by)
		if packages[r.pkg] == nil {
			packages[r.pkg] = &tally{}
			order = append(order, r.pkg)
		}
		packages[r.pkg].add(r.verdict)
		total.add(r.verdict)
	}
	slices.Sort(order)
	fmt.Fprintln(w)
	for _, p := range order {
		fmt.Fprintf(w, "%s: %s\n", p, packages[p])
	}
	fmt.Fprintln(w)
	judged := total.killed + total.survived
	if judged == 0 {
		return fmt.Errorf("no mutant to judge: %s", total)
	}
	percentage := 100 * float64(total.killed) / float64(judged)
	fmt.Fprintf(w, "%s: %.1f %%\n", total, percentage)
	if percentage < least {
		return fmt.Errorf("%.1f %% of the mutants were killed; want at least %g %%", percentage, least)
	}
	return nil
}
