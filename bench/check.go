package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A check compares processor time, not wall time, and the least of several
// rounds, not the median: so a busy machine changes ratios little, and only
// upwards. What is left of it, and how processors differ, the margin covers.
const (
	margin = 1.6 // how many times what was committed still passes
	tries  = 3   // how often the rounds are repeated while something is above it
)

// committed is what a contestant took when a file was written.
type committed struct {
	group, name string
	ratio       float64 // to the bare Poisson loop
	contestant  contestant
}

// parseRatios reads lines of the form "group | contestant | ratio"; # begins a
// comment.
func parseRatios(text string, groups []group) ([]committed, error) {
	var all []committed
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		fields := strings.Split(line, "|")
		if len(fields) != 3 {
			return nil, fmt.Errorf("line %d: want group | contestant | ratio", i+1)
		}
		for f := range fields {
			fields[f] = strings.TrimSpace(fields[f])
		}
		ratio, err := strconv.ParseFloat(fields[2], 64)
		if err != nil || !(ratio > 0) {
			return nil, fmt.Errorf("line %d: %q is no ratio", i+1, fields[2])
		}
		c, ok := find(groups, fields[0], fields[1])
		if !ok {
			return nil, fmt.Errorf("line %d: no %q in a group %q", i+1, fields[1], fields[0])
		}
		if c.skip != "" {
			return nil, fmt.Errorf("line %d: %s: programs of others are not checked", i+1, fields[1])
		}
		all = append(all, committed{fields[0], fields[1], ratio, c})
	}
	if len(all) == 0 {
		return nil, errors.New("no ratios to check")
	}
	return all, nil
}

func find(groups []group, name, contestantName string) (contestant, bool) {
	for _, g := range groups {
		for _, c := range g.contestants {
			if g.name == name && c.name == contestantName {
				return c, true
			}
		}
	}
	return contestant{}, false
}

// check measures what the text names and prints ratios beside those committed.
func check(ctx context.Context, w io.Writer, groups []group, text string, rounds int) error {
	all, err := parseRatios(text, groups)
	if err != nil {
		return err
	}
	contestants := []contestant{poisson()}
	for _, c := range all {
		contestants = append(contestants, c.contestant)
	}
	least := make([]float64, len(contestants))
	var slow []string
	for range tries {
		times, err := inTurn(ctx, contestants, rounds)
		if err != nil {
			return err
		}
		for i, t := range times {
			if now := slices.Min(t.cpu); least[i] == 0 || now < least[i] {
				least[i] = now
			}
		}
		if slow = judge(w, all, least[0], least[1:]); len(slow) == 0 {
			return nil
		}
	}
	return fmt.Errorf("slower than committed, %d times measured: %s", tries, strings.Join(slow, "; "))
}

// judge prints what each took, in ns, beside what was committed, and returns
// who took too long.
func judge(w io.Writer, all []committed, bare float64, took []float64) (slow []string) {
	fmt.Fprintf(w, "processor time, as a multiple of the bare Poisson loop's %.1f ns: now, committed, at most\n", bare)
	for i, c := range all {
		now, most := took[i]/bare, c.ratio*margin
		fmt.Fprintf(w, "%8.2f  %8.2f  %8.2f  %s: %s\n", now, c.ratio, most, c.group, c.name)
		if now > most {
			slow = append(slow, c.group+": "+c.name)
		}
	}
	return slow
}
