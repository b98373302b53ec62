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

// The check compares the smallest processor time of several rounds with the
// committed ratio. A busy machine changes this ratio little, and only upwards.
// The margin covers the rest, and the differences between processors.
const (
	margin = 1.6 // a contestant fails above its committed ratio times this
	tries  = 3   // the rounds are repeated at most this often while a contestant fails
)

// committed is the committed ratio of a contestant.
type committed struct {
	group, name string
	ratio       float64 // to the bare Poisson loop
	contestant  contestant
}

// parseRatios reads lines of the form "group | contestant | ratio". A # begins
// a comment.
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

// check measures the contestants that the text lists and prints their ratios
// beside the committed ones.
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

// judge prints the ratio of each contestant beside the committed one. took is
// in ns per operation. It returns the contestants that are too slow.
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
